package import Core
package import Crypto
package import Traffic
package import Web
package import Wire

/// What every face works with; made once in the composition root.
package struct Services: Sendable {
    /// The worlds of all tenants.
    package let worlds: Worlds
    /// Where private keys are used.
    package let lane: CryptoLane
    /// The sandbox's own keys.
    package let keyring: Keyring
    /// Credentials of the fixtures, which are good in every tenant.
    package let fixtureCredentials: [Credential]
    /// The keys that faces registered.
    private let faceKeys: [FaceKey: PrivateKey]
    /// Answers with the OpenAPI document of a face, by its name.
    package typealias Document = @Sendable (_ face: String, inout Exchange) throws(Refusal) -> HTTPResponse
    /// Serves the faces' OpenAPI documents.
    package let document: Document

    /// What the composition root has made.
    package init(
        worlds: Worlds,
        lane: CryptoLane,
        keyring: Keyring,
        faceKeys: [FaceKey: PrivateKey] = [:],
        fixtureCredentials: [Credential] = [],
        document: @escaping Document
    ) {
        self.worlds = worlds
        self.lane = lane
        self.keyring = keyring
        self.faceKeys = faceKeys
        self.fixtureCredentials = fixtureCredentials
        self.document = document
    }

    /// A key that a face registered; nil for one that it did not.
    package func key(_ key: FaceKey) -> PrivateKey? { faceKeys[key] }

    /// The credential that a request shows: the tenant's own, else that of the fixtures.
    ///
    /// - Parameter digest: see ``Credential/digest(of:network:)``.
    package func credential(_ digest: String, in view: View) throws -> Credential? {
        try view.store.records(Credential.self, RecordKey.credentialName, digest).first
            ?? fixtureCredentials.first { $0.digests.contains(digest) }
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
