package import Core
package import Crypto

/// What every face works with; made once in the composition root.
package struct Services: Sendable {
    package let vault: Vault
    package let lane: CryptoLane
    package let keyring: Keyring

    package init(vault: Vault, lane: CryptoLane, keyring: Keyring) {
        self.vault = vault
        self.lane = lane
        self.keyring = keyring
    }
}
