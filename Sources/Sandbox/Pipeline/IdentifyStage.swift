import Core
import Networks
import Traffic
import Web
import Wire

/// Finds the world of a request: the one that it names, else the one that alone holds its credential, else the default one.
/// Who calls, the endpoint's own stage says (`CallerStage`).
struct IdentifyStage: Sendable {
    enum Holder: Sendable {
        /// Of the API: what it shows leads to its tenant.
        case credentials(CredentialSelection)
        /// Of the control API: a token may be good for one tenant only.
        case access(ControlAccess)
    }

    /// The control API's calls are not part of a world's traffic.
    let isControl: Bool
    let tenants: TenantDirectory
    let worlds: Worlds
    /// Which tenant a request is for that names none, or must not be for another.
    let holder: Holder
    /// Of requests without a tenant.
    let strayIDs: StrayRequestIDs
    let mishaps: Mishaps

    /// What is wrong is noted in the exchange.
    ///
    /// - Parameter makesTenant: false for bytes that were not a request.
    func identify(_ arrival: ArriveStage.Arrival, makesTenant: Bool) async -> RequestInProgress {
        let system = worlds.environment.systemNow()
        let destination = arrival.found.destination
        var checks = [arrival.failure, arrival.remark].compactMap(\.self)
        var name = arrival.tenant ?? .default
        var context: TenantContext?
        var created = false
        var hasEntered = false
        var isAllowed = arrival.failure == nil
        if isAllowed {
            do {
                if let holder = try await holder(of: arrival, isRequest: makesTenant, &checks) { name = holder }
            } catch {
                checks.append((error as? Refusal)?.check ?? mishaps.check(error, in: "finding tenant"))
                isAllowed = false
            }
        }
        // Only a request that is for something makes a tenant: not a mistyped path, not a health probe.
        if makesTenant, isAllowed, arrival.found.obstacle == nil {
            do {
                if name == .default || isAboutWorld(destination) {
                    (context, created) = try await tenants.context(for: name, enters: !isControl)
                    hasEntered = !isControl
                } else {
                    context = await existing(name)
                }
            } catch {
                checks.append(mishaps.check(error, in: "opening tenant"))
            }
        } else {
            context = await existing(name)
        }
        var id = arrival.received.headers[.requestID]
        if let given = id, !RequestID.isUsable(given) {
            checks.append(.warning("request.id", HTTPFault.requestIDReplaced, at: .header("x-request-id")))
            id = nil
        }
        let reading = context?.reading(system: system)
        return RequestInProgress(
            exchange: Exchange(
                requestID: id ?? "",
                tenant: name,
                settings: reading?.settings ?? Tenant.Settings(),
                face: destination.face.name,
                operation: destination.route.name,
                received: arrival.received,
                request: arrival.request,
                publicURL: arrival.publicURL,
                parameters: arrival.found.parameters,
                checks: checks
            ),
            destination: destination,
            obstacle: arrival.found.obstacle,
            context: context,
            receivedAt: reading?.now ?? system,
            createdTenant: created,
            hasEntered: hasEntered,
            isTenantNamed: context != nil && arrival.tenant != nil,
            lacksID: id == nil
        )
    }

    /// Draws an id for a request that brought none. Whether a head is looked at alone depends on the network, so such a look
    /// draws nothing from the seed.
    func drawID(_ progress: inout RequestInProgress) {
        guard progress.lacksID else { return }
        progress.exchange.requestID = progress.context?.newRequestID() ?? strayIDs.next()
        progress.lacksID = false
    }

    /// The tenant that alone holds the request's credential.
    private func holder(
        of arrival: ArriveStage.Arrival,
        isRequest: Bool,
        _ checks: inout [Check]
    ) async throws -> TenantName? {
        let credentials: CredentialSelection
        switch holder {
        case .access(let access): return try await access.admit(arrival)
        case .credentials(let selection): credentials = selection
        }
        guard isRequest, arrival.tenant == nil, arrival.found.obstacle == nil else { return nil }
        switch try await credentials.select(arrival.request) {
        case .none: return nil
        case .one(let name): return name
        case .ambiguous(let count):
            let evidence = "\(count) tenants hold it"
            checks.append(.warning("tenant.credential", HTTPFault.credentialAmbiguous, evidence: evidence))
            return nil
        }
    }

    /// A tenant that is not made when it does not exist.
    private func existing(_ name: TenantName) async -> TenantContext? {
        if let known = tenants.known(name) { return known }
        return try? await tenants.context(for: name, creates: false).context
    }

    /// The control API's calls outside `/v1` are about the server, not about a world; those that name a tenant in their
    /// path or body are about that one.
    private func isAboutWorld(_ destination: Destination) -> Bool {
        let path = destination.route.path
        return !isControl || (path.hasPrefix(ControlFace.basePath) && !path.hasPrefix("/v1/tenants"))
    }
}
