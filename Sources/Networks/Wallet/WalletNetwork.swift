package import Traffic
package import Web
package import Wire

/// The phone, the watch and Apple's broker, as far as a test needs them (CONTRACT, section 3).
///
/// PassKit itself talks only to Apple: these paths are the sandbox's own, shaped after PassKit's objects.
package struct WalletNetwork: Network {
    package static let name = "wallet"
    package static let basePath = "/wallet/apple"

    package let operations: [Operation]

    package init(services: Services) {
        operations =
            DeviceHandler(services: services).operations
            + SessionHandler(services: services).operations
            + PassIssuanceHandler(services: services).operations
            + ManualEntryHandler(services: services).operations
            + PassHandler(services: services).operations
            + ActivationHandler(services: services).operations
    }

    package static let networkErrors = WalletErrors.networkErrors + [.unavailable(WalletNetwork.self)]

    package static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        WalletErrors.answer(to: failures, in: exchange)
    }
}
