package import Traffic
package import Web
package import Wire

/// D1 as its SDK uses it (CONTRACT, section 4): configuration, login, Wallet extension, digital cards.
///
/// Operation names are the SDK's. Paths and JSON are the sandbox's own, because the SDK's wire format is not public
/// (thales-push-provisioning 8); codes and names of errors are the SDK's.
package struct D1Face: Face {
    package static let name = "d1"
    package static let basePath = "/d1"

    package let endpoints: [Endpoint]

    package init(services: Services) {
        let afterLogin =
            PassEntriesHandler(services: services).endpoints
            + AddPaymentPassHandler(services: services).endpoints
            + DigitizationStateHandler(services: services).endpoints
            + DigitalCardHandler(services: services).endpoints
        endpoints =
            ConfigureHandler(services: services).endpoints
            + ExtensionStatusHandler(services: services).endpoints
            + BindingHandler(services: services).endpoints
            + LoginHandler(services: services).endpoints
            + afterLogin.map { operation in
                operation.admitted { exchange in _ = try await D1Access(&exchange, services) }
            }
            + CardArtHandler(services: services).endpoints
            + OpenAPIHandler(services: services).endpoints
    }

    package static let networkErrors = D1Errors.networkErrors + [.unavailable(D1Face.self)]

    package static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        D1Errors.answer(to: failures, in: exchange)
    }
}
