import Core
import Masking
import Traffic
import Web
import Wire

/// Which world a request names: path prefix, then header (DESIGN, section 7).
struct TenantSelection: Sendable {
    /// Nil when the request names none.
    let name: TenantName?
    /// The request as the faces see it, without the prefix.
    let request: HTTPRequest

    static func select(_ request: HTTPRequest, prefixed: Bool) -> Result<TenantSelection, Refusal> {
        if prefixed, request.target.hasPrefix("/t/") {
            let rest = request.target.dropFirst(3)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            guard let name = name(String(rest[..<end])) else { return invalid(rest[..<end]) }
            var stripped = request
            stripped.target = String(rest[end...])
            if !stripped.target.hasPrefix("/") { stripped.target = "/" + stripped.target }
            return .success(TenantSelection(name: name, request: stripped))
        }
        let headers = request.headers.all(.sandboxTenant)
        if let header = headers.first {
            if let other = headers.first(where: { $0 != header }) {
                let evidence = "\(Masking.excerpt(header, 64)) and \(Masking.excerpt(other, 64))"
                let place = Check.Place.header("x-sandbox-tenant")
                return .failure(Refusal(.failed("tenant.name", HTTPFault.tenantTwice, at: place, evidence: evidence)))
            }
            guard let name = name(header) else { return invalid(header[...]) }
            return .success(TenantSelection(name: name, request: request))
        }
        return .success(TenantSelection(name: nil, request: request))
    }

    /// A tenant's name is echoed, stored and logged, so it must not be a card number.
    private static func name(_ text: String) -> TenantName? {
        Masking.holdsCardNumber(text) ? nil : TenantName(text)
    }

    private static func invalid(_ name: Substring) -> Result<TenantSelection, Refusal> {
        .failure(Refusal(.failed("tenant.name", HTTPFault.tenantName, evidence: Masking.excerpt(name, 64))))
    }
}
