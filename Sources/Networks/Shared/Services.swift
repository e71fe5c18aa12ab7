package import Core
package import Crypto
package import Traffic
package import Wire

/// What every face works with; made once in the composition root.
package struct Services: Sendable {
    /// The worlds of all tenants.
    package let worlds: Worlds
    /// Where private keys are used.
    package let lane: CryptoLane
    /// The sandbox's own keys.
    package let keyring: Keyring
    /// OpenAPI documents by face.
    package let documents: [String: [UInt8]]

    /// What the composition root has made; `documents` by their names.
    package init(worlds: Worlds, lane: CryptoLane, keyring: Keyring, documents: [String: [UInt8]] = [:]) {
        self.worlds = worlds
        self.lane = lane
        self.keyring = keyring
        self.documents = documents
    }

    /// Decides a request; see ``Worlds/decide(_:verifiedWith:_:)``. Nothing else in a face writes.
    package func decide<Value: Sendable>(
        _ exchange: inout Exchange,
        verifiedWith issuers: [Issuer?] = [],
        _ body: @escaping @Sendable (World) throws -> Checked<Value>
    ) async throws -> Value {
        try await worlds.decide(&exchange, verifiedWith: issuers, body)
    }
}
