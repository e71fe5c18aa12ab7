package import Traffic
package import Web
package import Wire

/// The phone, the watch and Apple's broker, as far as a test needs them (CONTRACT, section 3).
///
/// PassKit itself talks only to Apple: these paths are the sandbox's own, shaped after PassKit's objects.
package struct WalletFace: Face {
    static let basePath = "/wallet/apple"

    package let name = "wallet"
    package let basePaths = [WalletFace.basePath]

    package init() {}

    package func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        DeviceHandler(services: services).endpoints
            + SessionHandler(services: services).endpoints
            + PassIssuanceHandler(services: services).endpoints
            + ManualEntryHandler(services: services).endpoints
            + PassHandler(services: services).endpoints
            + ActivationHandler(services: services).endpoints
    }

    package var networkErrors: [NetworkError] { WalletErrors.networkErrors + [.unavailable(self)] }

    package var diagnosis: [DiagnosisSection] { [DiagnosisSection("Wallet", WalletFault.codes)] }
    package var fieldCodes: [DiagnosisCode] { WalletField.codes }
    package var explanations: [Explanation] { [PassExplanation.explanation, ActivationDataExplanation.explanation] }

    package func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        WalletErrors.answer(to: failures, in: exchange)
    }
}
