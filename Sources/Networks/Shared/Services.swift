package import Core
package import Crypto
package import Traffic
package import Wire

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

    /// Decides a request; see ``Worlds/decide(_:verifiedWith:_:)``. Nothing else in a face writes.
    package func decide<Value: Sendable>(
        _ exchange: inout Exchange,
        verifiedWith issuers: [Issuer?] = [],
        _ body: @escaping @Sendable (World) throws -> Checked<Value>
    ) async throws -> Value {
        try await worlds.decide(&exchange, verifiedWith: issuers, body)
    }
}
