package import Core
package import Crypto

/// What every face works with; made once in the composition root.
package struct Services: Sendable {
    package let vault: Vault
    package let lane: CryptoLane
    package let keyring: Keyring
    /// OpenAPI documents by face.
    package let documents: [String: [UInt8]]

    package init(vault: Vault, lane: CryptoLane, keyring: Keyring, documents: [String: [UInt8]] = [:]) {
        self.vault = vault
        self.lane = lane
        self.keyring = keyring
        self.documents = documents
    }
}
