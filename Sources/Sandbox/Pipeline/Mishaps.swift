import Core
import Traffic
import Wire

/// Errors that no handler foresaw. Their texts go to the log only.
struct Mishaps: Sendable {
    let log: Log

    /// The check that tells a client of the error.
    func check(_ error: any Error, in what: String) -> Check {
        switch error {
        case let fault as StoreFault:
            log(.error, "store: \(fault.reason.rawValue)", [("detail", .string(fault.message)), ("in", .string(what))])
            return .failed("store", HTTPFault.storeUnavailable, evidence: fault.reason.rawValue)
        case is TooManyTenants: return .failed("tenant", HTTPFault.tenantLimit)
        case let unknown as UnknownTenant:
            return .failed("tenant", HTTPFault.tenantUnknown, evidence: unknown.name.text)
        default:
            log(.error, "unexpected error", [("detail", .string(String(describing: error))), ("in", .string(what))])
            return .failed("sandbox", HTTPFault.internalFault)
        }
    }
}
