import Core
import Networks
import Traffic
import Web
import Wire

/// Who calls the control API, and what it may: the holder of the control token everything, the holder of a tenant's token what
/// concerns its tenant (CONTRACT, section 5, "Safety").
struct ControlAccess: Sendable {
    /// Calls about more than one tenant: a fork is one that the token is not for.
    private static let ofServer: Set<String> = [
        "control.listTenants", "control.createTenant", "control.forkTenant", "control.metrics",
    ]

    /// Nil when none is needed; tokens of tenants only select then.
    let token: ControlToken?
    let worlds: Worlds

    /// Lets a request in.
    ///
    /// - Returns: the tenant that the caller's token is for; nil when any may be named.
    /// - Throws: ``Refusal``, or ``StoreFault``.
    func admit(_ arrival: ArriveStage.Arrival) async throws -> TenantName? {
        guard ControlGate.guards(arrival.received) else { return nil }
        let tenant = try await tenant(of: arrival)
        // Who may not call is told nothing about the call.
        if let refusal = ControlGate.refusalOfBody(arrival.received) { throw refusal }
        return tenant
    }

    private func tenant(of arrival: ArriveStage.Arrival) async throws -> TenantName? {
        let request = arrival.received
        guard let token else {
            guard arrival.tenant == nil, let given = request.bearer else { return nil }
            return try await holder(of: given)?.tenant
        }
        guard request.headers[.authorization] != nil else {
            throw Refusal(.failed("control.token", ControlFault.tokenMissing))
        }
        guard let given = request.bearer else { throw Refusal(.failed("control.token", ControlFault.tokenWrong)) }
        if token.matches(given) { return nil }
        guard let (tenant, access) = try await holder(of: given) else {
            throw Refusal(.failed("control.token", ControlFault.tokenWrong))
        }
        try check(access, of: tenant, arrival)
        return tenant
    }

    private func holder(of token: String) async throws -> (tenant: TenantName, access: TenantToken.Access)? {
        let key = RecordKey.credential(TenantToken.digest(of: token))
        guard let tenant = try await worlds.store.tenants(holdingCredential: key.value).first else { return nil }
        let found = try await worlds.store.read(tenant) { try $0.records(TenantToken.self, key.name, key.value).first }
        return found.map { (tenant, $0.access) }
    }

    private func check(
        _ access: TenantToken.Access,
        of tenant: TenantName,
        _ arrival: ArriveStage.Arrival
    ) throws(Refusal) {
        let own = "the token is for \(tenant.text)"
        guard [nil, tenant].contains(arrival.tenant) else {
            throw Refusal(.failed("control.access", ControlFault.tokenOfOtherTenant, evidence: own))
        }
        // What does not exist is told as to everybody.
        guard let route = arrival.found.destination.endpoint?.route else { return }
        let inPath = TenantHandler.isAboutOne(route) ? arrival.found.parameters["name"] : tenant.text
        guard inPath == tenant.text else {
            throw Refusal(.failed("control.access", ControlFault.tokenOfOtherTenant, evidence: own))
        }
        guard !ControlAccess.ofServer.contains(route.name) else {
            throw Refusal(.failed("control.access", ControlFault.tokenOfTenant, evidence: own))
        }
        guard access == .full || (route.isReading && route.name != "control.exportWorld") else {
            throw Refusal(.failed("control.access", ControlFault.tokenReads, evidence: route.name))
        }
    }
}
