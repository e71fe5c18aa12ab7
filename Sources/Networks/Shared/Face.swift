package import Core
package import Traffic
package import Web
package import Wire

/// One face: its endpoints, and how it words a refusal. A face translates; `Core` decides.
///
/// Conformers are small values made without services, so that lists, documents and commands can ask one that serves
/// nothing.
package protocol Face: Sendable {
    /// The face's name in journal and faults, for example `tpc`.
    var name: String { get }
    /// Every path of the face begins with one of these; an unknown path below one is answered in the face's shape.
    var basePaths: [String] { get }
    /// Errors that a fault can order by name, in the face's own shape.
    var networkErrors: [NetworkError] { get }

    /// Kinds of records that are only the face's own.
    var recordKinds: [any Record.Type] { get }

    /// Codes that only the face gives, as `Docs/errors.md` lists them.
    var diagnosis: [DiagnosisSection] { get }

    /// Codes of the members of its requests, where they have codes of their own.
    var fieldCodes: [DiagnosisCode] { get }

    /// Keys below `keys/` that only the face uses.
    var keys: [FaceKey] { get }

    /// Kinds of values that it explains.
    var explanations: [Explanation] { get }

    /// Signed tokens that it takes.
    var tokenUses: [SignedTokenUse] { get }

    /// What its clients sign and encrypt with, where `/v1/credentials` makes it.
    var credentialKinds: [CredentialKind] { get }

    /// What the face serves, with what it works with.
    func endpoints(_ services: Services) -> [any RoutedEndpoint]

    /// Credentials of a request that a tenant may have made, as the store looks them up
    /// (``Store/tenants(holdingCredential:)``): a request that names no tenant goes to the one that alone holds one of them.
    /// The first that anybody holds counts. Client certificates are looked at for every face.
    func credentials(in request: HTTPRequest) -> [String]

    /// The calls to the issuer that the face owes for what happened in a world, in the order in which they are queued.
    /// They are queued with the change; it runs in its transaction.
    func callbacks(for event: DomainEvent, in view: View) throws -> [CallbackContent]

    /// The answer to a request that failed the given checks, in the face's own shape.
    ///
    /// - Parameter failures: never empty, in the order they were found.
    /// - Returns: the answer, and the check that chose it.
    func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check)

    /// Puts on an answer what the face puts on all of them, or encrypts it. Faults that break answers break what this
    /// gives; an answer that a fault wrote itself is not sealed.
    ///
    /// - Parameter isRefusal: ``answer(to:in:)`` made it.
    func seal(_ response: HTTPResponse, isRefusal: Bool, in exchange: Exchange) async -> HTTPResponse
}

extension Face {
    /// A face without named errors.
    package var networkErrors: [NetworkError] { [] }
    /// A face without records of its own.
    package var recordKinds: [any Record.Type] { [] }
    /// A face without codes of its own.
    package var diagnosis: [DiagnosisSection] { [] }
    /// A face whose members share the common codes.
    package var fieldCodes: [DiagnosisCode] { [] }
    /// A face without keys of its own.
    package var keys: [FaceKey] { [] }
    /// A face that explains nothing.
    package var explanations: [Explanation] { [] }
    /// A face that takes no signed tokens.
    package var tokenUses: [SignedTokenUse] { [] }
    /// A face whose credentials are made elsewhere, or that has none.
    package var credentialKinds: [CredentialKind] { [] }
    /// A face whose credentials never lead to a tenant.
    package func credentials(in request: HTTPRequest) -> [String] { [] }
    /// A face that calls nobody.
    package func callbacks(for event: DomainEvent, in view: View) throws -> [CallbackContent] { [] }
    /// The answer as it is.
    package func seal(_ response: HTTPResponse, isRefusal: Bool, in exchange: Exchange) async -> HTTPResponse {
        response
    }
}

/// Codes under one heading of `Docs/errors.md`.
package struct DiagnosisSection: Sendable {
    /// The heading.
    package let title: String
    /// In the order of the table.
    package let codes: [DiagnosisCode]

    /// A heading and its codes.
    package init(_ title: String, _ codes: [DiagnosisCode]) {
        self.title = title
        self.codes = codes
    }
}

/// A key pair that only one face uses, in two files below `keys/`.
package struct FaceKey: Sendable, Hashable {
    /// How the pair is made.
    package enum Kind: Sendable, Hashable {
        case p256
        case rsa2048
    }

    /// The path below `keys/`, without `.key.pem` and `.pub.pem`.
    package let path: String
    /// How `keys` makes it anew.
    package let kind: Kind

    /// A pair at a path.
    package init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

/// An error of a face, by the name under which a fault orders it.
package struct NetworkError: Sendable {
    /// The name that a fault rule gives.
    package let name: String
    /// What the network means by it.
    package let description: String
    /// Makes the answer to a request.
    package let answer: @Sendable (Exchange) -> HTTPResponse

    /// An error by its name, what it means, and its answer.
    package init(_ name: String, _ description: String, answer: @escaping @Sendable (Exchange) -> HTTPResponse) {
        self.name = name
        self.description = description
        self.answer = answer
    }

    /// The network cannot be reached: the face's own answer to that, under a name that every face knows.
    static func unavailable(_ face: some Face) -> NetworkError {
        NetworkError("UNAVAILABLE", "the network cannot be reached") { exchange in
            face.answer(to: [.failed("fault", FaultCode.unavailable)], in: exchange).response
        }
    }
}
