package import Traffic
package import Web
package import Wire

/// D1 as an issuer's backend calls it (thales-push-provisioning 5): token endpoint, consumers, cards, digital cards.
///
/// In journal and faults it is the network `d1`, like the SDK's calls; a face of its own, because its errors differ.
package struct D1IssuerFace: Face {
    package static let name = "d1"
    package static let basePath = "/banking"
    package static let basePaths = ["/banking", "/authz"]

    package let endpoints: [Endpoint]

    package init(services: Services) {
        let banking =
            ConsumerHandler(services: services).endpoints
            + CardRegistrationHandler(services: services).endpoints
            + CardReadHandler(services: services).endpoints
            + CardOperationHandler(services: services).endpoints
            + DigitalCardOperationHandler(services: services).endpoints
        endpoints =
            TokenEndpointHandler(services: services).endpoints
            + banking.map { operation in
                operation.judged(by: D1IssuerCaller.strictness(services))
                    .admitted { exchange in _ = try await D1IssuerCaller(&exchange, services) }
            }
    }

    package static let networkErrors = D1IssuerErrors.networkErrors + [.unavailable(D1IssuerFace.self)]

    package static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        D1IssuerErrors.answer(to: failures)
    }
}
