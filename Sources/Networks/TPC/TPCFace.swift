package import Traffic
package import Web
package import Wire

/// Thales TSH as the Classic TPC SDK uses it (CONTRACT, section 2). The reference face: copy its shape.
///
/// Operation names are the SDK's. Paths and JSON are the sandbox's own, because the SDK's wire format is not public
/// (thales-push-provisioning 8).
package struct TPCFace: Face {
    static let basePath = "/mg/tpc"

    package let name = "tpc"
    package let basePaths = [TPCFace.basePath]

    package init() {}

    package func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        GeneratePassRequestHandler(services: services).endpoints
            + ActivatePassHandler(services: services).endpoints
            + TokenStateHandler(services: services).endpoints
            + TokenListHandler(services: services).endpoints
            + DigitizationHandler(services: services).endpoints
            + TPCNotBuilt.endpoints
    }

    package var networkErrors: [NetworkError] { TPCErrors.networkErrors + [.unavailable(self)] }

    package var diagnosis: [DiagnosisSection] { [DiagnosisSection("TPC", TPCFault.codes)] }
    package var fieldCodes: [DiagnosisCode] { TPCField.codes }
    package var explanations: [Explanation] { [TPCExplanations.payload] }
    package var tokenUses: [SignedTokenUse] { [TPCExplanations.authorizationCode] }

    package func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        TPCErrors.answer(to: failures)
    }
}
