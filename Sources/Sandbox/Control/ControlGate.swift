import Crypto
import Traffic
import Web
import Wire

/// The control API's bearer token.
enum ControlGate {
    /// Paths that a health probe asks without a token.
    private static let open: Set<Substring> = ["/healthz", "/readyz"]

    /// The challenge of a 401 (RFC 6750, section 3): a wrong token is named, a missing one only asked for.
    static func challenge(_ deciding: Check) -> String {
        let realm = "Bearer realm=\"tsp-sandbox control\""
        return deciding.code == ControlFault.tokenWrong.code ? realm + ", error=\"invalid_token\"" : realm
    }

    /// - Parameter token: nil when none is needed.
    static func gate(token: String?) -> @Sendable (HTTPRequest) -> Refusal? {
        guard let token else { return { _ in nil } }
        let expected = Array(token.utf8)
        return { request in
            if open.contains(request.path) { return nil }
            guard request.headers[.authorization] != nil else {
                return Refusal(.failed("control.token", ControlFault.tokenMissing))
            }
            guard let given = request.bearer, ConstantTime.areEqual(Array(given.utf8), expected) else {
                return Refusal(.failed("control.token", ControlFault.tokenWrong))
            }
            return nil
        }
    }
}
