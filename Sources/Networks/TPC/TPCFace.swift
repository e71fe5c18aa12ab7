package import Traffic
package import Web
package import Wire

/// Thales TSH as the Classic TPC SDK uses it (CONTRACT, section 2). The reference face: copy its shape.
///
/// Operation names are the SDK's. Paths and JSON are the sandbox's own, because the SDK's wire format is not public
/// (thales-push-provisioning 8).
package struct TPCFace: Face {
    package static let name = "tpc"
    package static let basePath = "/mg/tpc"

    package let endpoints: [Endpoint]

    package init(services: Services) {
        let signed =
            GeneratePassRequestHandler(services: services).endpoints
            + ActivatePassHandler(services: services).endpoints
            + TokenStateHandler(services: services).endpoints
        let unsigned =
            TokenListHandler(services: services).endpoints
            + DigitizationHandler(services: services).endpoints
        endpoints =
            signed.map { $0.judged(by: TPCCaller.strictness(services, takesCode: true)) }
            + unsigned.map { $0.judged(by: TPCCaller.strictness(services, takesCode: false)) }
    }

    package static let networkErrors = TPCErrors.networkErrors + [.unavailable(TPCFace.self)]

    package static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        TPCErrors.answer(to: failures)
    }
}
