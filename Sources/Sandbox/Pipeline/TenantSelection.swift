import Core
import Traffic
import Web
import Wire

/// Which world a request is about: path prefix, header, else `default` (DESIGN, section 7).
enum TenantSelection {
    /// The tenant, and the request as the faces see it, without the prefix.
    static func select(_ request: HTTPRequest, prefixed: Bool) -> Result<(TenantName, HTTPRequest), Refusal> {
        if prefixed, request.target.hasPrefix("/t/") {
            let rest = request.target.dropFirst(3)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            guard let name = name(String(rest[..<end])) else { return invalid(rest[..<end]) }
            var stripped = request
            stripped.target = String(rest[end...])
            if !stripped.target.hasPrefix("/") { stripped.target = "/" + stripped.target }
            return .success((name, stripped))
        }
        if let header = request.headers[.sandboxTenant] {
            guard let name = name(header) else { return invalid(header[...]) }
            return .success((name, request))
        }
        return .success((.default, request))
    }

    /// A tenant's name is echoed, stored and logged, so it must not be a card number.
    private static func name(_ text: String) -> TenantName? {
        Masking.holdsCardNumber(text) ? nil : TenantName(text)
    }

    private static func invalid(_ name: Substring) -> Result<(TenantName, HTTPRequest), Refusal> {
        .failure(Refusal(.failed("tenant.name", HTTPFault.tenantName, evidence: Masking.excerpt(name, 64))))
    }
}
