package import Core
import Crypto
package import Traffic
package import Web
package import Wire

/// D1 as an issuer's backend calls it (thales-push-provisioning 5): token endpoint, consumers, cards, digital cards.
///
/// In journal and faults it is the network `d1`, like the SDK's calls; a face of its own, because its errors differ.
package struct D1IssuerFace: Face {
    package let name = "d1"
    package let basePaths = ["/banking", "/authz"]

    package init() {}

    package func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        TokenEndpointHandler(services: services).endpoints
            + ConsumerHandler(services: services).endpoints
            + CardRegistrationHandler(services: services).endpoints
            + CardReadHandler(services: services).endpoints
            + CardOperationHandler(services: services).endpoints
            + DigitalCardOperationHandler(services: services).endpoints
    }

    package var networkErrors: [NetworkError] { D1IssuerErrors.networkErrors + [.unavailable(self)] }

    package var recordKinds: [any Record.Type] { [D1Bearer.self] }
    package var diagnosis: [DiagnosisSection] {
        [DiagnosisSection("D1, issuer API", D1IssuerFault.codes + JWEFault.codes)]
    }
    package var fieldCodes: [DiagnosisCode] { D1IssuerField.codes }
    package var keys: [FaceKey] { [EncryptedCard.key] }
    package var explanations: [Explanation] { [EncryptedCard.explanation] }
    package var tokenUses: [SignedTokenUse] { [D1Assertion.tokenUse] }

    /// What the token endpoint gave.
    package func credentials(in request: HTTPRequest) -> [String] {
        request.bearer.map { [GivenSecret.recordID($0)] } ?? []
    }

    /// The caller's correlation id comes back with what was done.
    package func seal(_ response: HTTPResponse, isRefusal: Bool, in exchange: Exchange) async -> HTTPResponse {
        guard !isRefusal, let id = D1IssuerCallers.correlationID(of: exchange.request) else { return response }
        var response = response
        response.headers[D1IssuerCallers.correlationID] = id
        return response
    }

    package func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        D1IssuerErrors.answer(to: failures)
    }
}
