package import Core
package import Traffic

/// Says who calls: by a signature, a bearer or a certificate. No handler looks at a credential.
package protocol CallerStage<Caller>: Sendable {
    associatedtype Caller: Sendable

    /// Whether a credential stands in the head, so that a client that waits for `100 Continue` can be refused before it
    /// sends the body.
    var looksAtHead: Bool { get }

    /// Looks at the head alone; ``identify(_:)`` looks again at the whole request.
    ///
    /// - Throws: ``Refusal`` when it is not good.
    func refuseHead(of exchange: inout Exchange) async throws

    /// How exactly a request is to be taken: the narrowest of the tenant's, the issuer's and the credential's. It is asked
    /// before anybody is identified, for what the head alone is judged by.
    func strictness(for exchange: Exchange) async throws -> Strictness

    /// The caller of a whole request; what was looked at is noted.
    ///
    /// - Throws: ``Refusal`` when nothing else of the request is worth a look. A stage that wants the other mistakes of the
    ///   request told too notes a failed check and gives a caller all the same.
    func identify(_ exchange: inout Exchange) async throws -> Caller
}

extension CallerStage {
    /// False: a stage that finds its credential in the body says nothing before it is there.
    package var looksAtHead: Bool { false }

    /// Identifies, which is enough where everything stands in the head.
    package func refuseHead(of exchange: inout Exchange) async throws { _ = try await identify(&exchange) }

    /// The tenant's.
    package func strictness(for exchange: Exchange) async throws -> Strictness { exchange.settings.strictness }
}

/// Asks for no credential.
package struct Everybody: CallerStage {
    /// For operations that are open.
    package init() {}

    /// Nobody in particular, and never refused.
    package func identify(_ exchange: inout Exchange) async throws {}
}
