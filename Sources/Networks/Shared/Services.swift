package import Core
package import Crypto

/// What every face works with; made once in the composition root.
package struct Services: Sendable {
    package let worlds: Worlds
    package let lane: CryptoLane
    package let keyring: Keyring
    /// OpenAPI documents by face.
    package let documents: [String: [UInt8]]

    package init(worlds: Worlds, lane: CryptoLane, keyring: Keyring, documents: [String: [UInt8]] = [:]) {
        self.worlds = worlds
        self.lane = lane
        self.keyring = keyring
        self.documents = documents
    }
}
