import Crypto
import Traffic
import Web
import Wire

/// The control API's bearer token.
enum ControlGate {
    /// Paths that a health probe asks without a token.
    private static let open: Set<Substring> = ["/healthz", "/readyz"]

    /// - Parameter token: nil when none is needed.
    static func gate(token: String?) -> @Sendable (HTTPRequest) -> Refusal? {
        guard let token else { return { _ in nil } }
        let expected = Array("Bearer \(token)".utf8)
        return { request in
            if open.contains(request.path) { return nil }
            guard let header = request.headers[.authorization] else {
                return Refusal(.failed("control.token", ControlFault.tokenMissing))
            }
            guard ConstantTime.areEqual(Array(header.utf8), expected) else {
                return Refusal(.failed("control.token", ControlFault.tokenWrong))
            }
            return nil
        }
    }
}
