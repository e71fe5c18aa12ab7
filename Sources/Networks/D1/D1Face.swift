package import Core
package import Traffic
package import Web
package import Wire

/// D1 as its SDK uses it (CONTRACT, section 4): configuration, login, Wallet extension, digital cards.
///
/// Operation names are the SDK's. Paths and JSON are the sandbox's own, because the SDK's wire format is not public
/// (thales-push-provisioning 8); codes and names of errors are the SDK's.
package struct D1Face: Face {
    static let basePath = "/d1"

    package let name = "d1"
    package let basePaths = [D1Face.basePath]

    package init() {}

    package func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        ConfigureHandler(services: services).endpoints
            + ExtensionStatusHandler(services: services).endpoints
            + BindingHandler(services: services).endpoints
            + LoginHandler(services: services).endpoints
            + PassEntriesHandler(services: services).endpoints
            + AddPaymentPassHandler(services: services).endpoints
            + DigitizationStateHandler(services: services).endpoints
            + DigitalCardHandler(services: services).endpoints
            + CardArtHandler(services: services).endpoints
            + OpenAPIHandler(services: services).endpoints
    }

    package var networkErrors: [NetworkError] { D1Errors.networkErrors + [.unavailable(self)] }

    package var recordKinds: [any Record.Type] {
        [D1Configuration.self, D1CardArt.self, BindingHash.self, D1Session.self]
    }

    package var diagnosis: [DiagnosisSection] {
        let codes = [D1Fault.codes, IssuerTokenFault.codes, TokenIdentifierFault.codes, BindingFault.codes]
        return [DiagnosisSection("D1", codes.flatMap(\.self))]
    }
    package var fieldCodes: [DiagnosisCode] { D1Field.codes }
    package var tokenUses: [SignedTokenUse] { [IssuerToken.tokenUse] }

    package func callbacks(for event: DomainEvent, in view: View) throws -> [CallbackContent] {
        try D1Notifications.contents(for: event, in: view)
    }

    /// The session that a login opened.
    package func credentials(in request: HTTPRequest) -> [String] {
        request.bearer.map { [GivenSecret.recordID($0)] } ?? []
    }

    package func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        D1Errors.answer(to: failures, in: exchange)
    }
}
