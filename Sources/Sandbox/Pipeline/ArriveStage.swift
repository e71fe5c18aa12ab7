import Core
import Masking
import Traffic
import Web
import Wire

/// Takes a request in: what is read of it, which world it names (path prefix, then header; DESIGN, section 7), and where
/// it goes. The request itself stays as it came.
struct ArriveStage: Sendable {
    struct Arrival {
        let received: HTTPRequest
        /// Without the path of the public URL and the tenant's prefix.
        let request: HTTPRequest
        let publicURL: PublicURL?
        /// Nil when the request names no world.
        let tenant: TenantName?
        /// Why nothing more is done for it.
        let failure: Check?
        /// What is odd about where it goes; it goes on.
        let remark: Check?
        let found: RouteStage.Found
    }

    /// Whether `/t/{tenant}` selects a tenant.
    let takesTenantPrefix: Bool
    let publicURL: PublicURL?
    /// Looks at a request before anything else; a refusal ends it.
    let gate: @Sendable (HTTPRequest) -> Refusal?
    let routes: RouteStage

    func arrive(_ received: HTTPRequest) -> Arrival {
        var request = received
        // A proxy may have taken the public path away, and then the rest may look like it.
        if let rest = publicURL?.rest(of: received.target), case .unknownPath? = routes.find(received).obstacle {
            request.target = rest
        }
        var tenant: TenantName?
        var failure: Check?
        let remark = request.target.hasPrefix("/t/") ? headerRemark(request) : nil
        do {
            tenant = try select(&request)
            failure = gate(received)?.check
        } catch {
            failure = error.check
        }
        return Arrival(
            received: received,
            request: request,
            publicURL: publicURL,
            tenant: tenant,
            failure: failure,
            remark: remark,
            found: routes.find(request)
        )
    }

    private func select(_ request: inout HTTPRequest) throws(Refusal) -> TenantName? {
        if takesTenantPrefix, request.target.hasPrefix("/t/") {
            let rest = request.target.dropFirst(3)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            let tenant = try name(rest[..<end])
            request.target = (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...]
            return tenant
        }
        guard let header = request.headers[.sandboxTenant] else { return nil }
        if let other = request.headers.all(.sandboxTenant).first(where: { $0 != header }) {
            let evidence = "\(Masking.excerpt(header, 64)) and \(Masking.excerpt(other, 64))"
            let place = Check.Place.header("x-sandbox-tenant")
            throw Refusal(.failed("tenant.name", HTTPFault.tenantTwice, at: place, evidence: evidence))
        }
        return try name(header[...])
    }

    /// A header that names another tenant than the path: the client's default stayed, and nobody would see it.
    private func headerRemark(_ request: HTTPRequest) -> Check? {
        guard takesTenantPrefix, let header = request.headers[.sandboxTenant] else { return nil }
        let name = request.target.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        guard header != name else { return nil }
        let evidence = "path \(Masking.excerpt(name, 64)), header \(Masking.excerpt(header, 64))"
        return .warning("tenant.name", HTTPFault.tenantDiffers, at: .header("x-sandbox-tenant"), evidence: evidence)
    }

    /// A tenant's name is echoed, stored and logged, so it must not be a card number.
    private func name(_ text: Substring) throws(Refusal) -> TenantName {
        let name = String(text)
        guard !Masking.holdsCardNumber(name), let tenant = TenantName(name) else {
            throw Refusal(.failed("tenant.name", HTTPFault.tenantName, evidence: Masking.excerpt(text, 64)))
        }
        return tenant
    }
}
