import Core
import Networks
import Traffic
import Web
import Wire

extension Pipeline {
    /// One request on its way: the exchange, and what only the pipeline needs to know.
    struct Visit {
        var exchange: Exchange
        var face: any Face
        /// What the router says of method and path.
        let match: Router<Destination>.Match
        var route: Destination?
        var context: TenantContext?
        var createdTenant = false
        /// Changes of the tenant as a whole wait for this request.
        var hasEntered = false
        /// The request chose its tenant, and that tenant exists.
        var isTenantNamed = false
        /// The bytes could not be framed; nothing is routed.
        var isBroken = false
        /// The content coding was taken off the body.
        var isDecoded = false
        /// How often the operation was called with this request id; nil until somebody asked.
        var attempt: Int?
        /// The issuers whose certificate the client showed.
        var certificateIssuers: [String] = []
        /// The check that chose the answer.
        var deciding: Check?
        var receivedAt: Instant
    }

    /// Finds tenant and route. What is wrong is noted in the exchange.
    ///
    /// - Parameter isFramed: false for bytes that were no request; they make no tenant.
    func begin(_ request: HTTPRequest, isFramed: Bool = true) async -> Visit {
        let system = worlds.environment.systemNow()
        var named: TenantName?
        var inner = request
        var checks: [Check] = []
        switch TenantSelection.select(request, prefixed: takesTenantPrefix) {
        case .success(let selected): (named, inner) = (selected.name, selected.request)
        case .failure(let refusal): if let check = refusal.check { checks.append(check) }
        }
        var context: TenantContext?
        var created = false
        var hasEntered = false
        if checks.isEmpty {
            if let refusal = gate(request), let check = refusal.check { checks.append(check) }
        }
        let match = router.match(inner.method, inner.path)
        var name = named ?? .default
        // Only a request that is for something makes a tenant: not a mistyped path, not a health probe.
        if isFramed, checks.isEmpty, case .found(let found, _) = match {
            do {
                if named == nil { name = try await holder(of: inner, &checks) ?? .default }
                if makesTenant(found) || name == .default {
                    // The control API's calls are no part of a world's traffic, and one of them is the change.
                    (context, created) = try await tenants.context(for: name, enters: !isControl)
                    hasEntered = !isControl
                } else {
                    context = await existing(name)
                }
            } catch {
                checks.append(failure(error, "opening tenant"))
            }
        } else {
            context = await existing(name)
        }
        let id = requestID(request, context, &checks)
        var route: Destination?
        var parameters = PathParameters()
        if case .found(let found, let values) = match {
            route = found
            parameters = values
        }
        let face = route?.face ?? face(for: inner.path)
        let reading = context?.reading(system: system)
        return Visit(
            exchange: Exchange(
                requestID: id,
                tenant: name,
                settings: reading?.settings ?? Tenant.Settings(),
                face: face.name,
                operation: route?.route.name ?? "\(face.name).none",
                request: inner,
                parameters: parameters,
                checks: checks
            ),
            face: face,
            match: match,
            route: route,
            context: context,
            createdTenant: created,
            hasEntered: hasEntered,
            isTenantNamed: context != nil && named != nil,
            receivedAt: reading?.now ?? system
        )
    }

    /// The tenant that alone holds the request's credential.
    private func holder(of request: HTTPRequest, _ checks: inout [Check]) async throws -> TenantName? {
        switch try await credentials?.select(request) {
        case nil, .some(.none): return nil
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

    private func requestID(_ request: HTTPRequest, _ context: TenantContext?, _ checks: inout [Check]) -> String {
        if let given = request.headers[.requestID] {
            if RequestID.isUsable(given) { return given }
            checks.append(.warning("request.id", HTTPFault.requestIDReplaced, at: .header("x-request-id")))
        }
        return context?.newRequestID() ?? strayIDs.next()
    }

    /// The control API's calls outside `/v1` are about the server, not about a world; those that name a tenant in their
    /// path or body are about that one.
    private func makesTenant(_ route: Destination) -> Bool {
        let path = route.route.path
        return !isControl || (path.hasPrefix(ControlFace.basePath) && !path.hasPrefix("/v1/tenants"))
    }

    /// Runs the operation, or says why there is none, and puts on the headers every answer has.
    func answer(_ visit: inout Visit) async -> HTTPResponse {
        var response = await outcome(&visit)
        decorate(&response, visit)
        return response
    }

    /// Puts on the headers that every answer has.
    func decorate(_ response: inout HTTPResponse, _ visit: Visit) {
        response.headers[.requestID] = visit.exchange.requestID
        if isControl || (visit.isTenantNamed && visit.exchange.settings.diagnosisHeader) {
            response.headers[.sandboxTenant] = visit.exchange.tenant.text
            if visit.createdTenant { response.headers[.sandboxTenantCreated] = "true" }
        }
        if let fault = visit.exchange.orders.fault, visit.exchange.settings.diagnosisHeader {
            response.headers[.sandboxFaultApplied] = fault
        }
        let codes = visit.diagnosis
        if !codes.isEmpty, visit.exchange.settings.diagnosisHeader {
            response.headers[.sandboxDiagnosis] = codes.joined(separator: ",")
        }
        let members = visit.unknownMembers
        if !members.isEmpty {
            response.headers[.sandboxWarning] =
                "\(DocumentFault.unknownMember.rawValue) \(members.joined(separator: ", "))"
        }
        if response.status >= 400, visit.exchange.settings.diagnosisHeader {
            response.headers[.sandboxRetryable] = visit.isRetryable(response) ? "true" : "false"
        }
        allowOrigin(&response, visit.exchange.request)
    }

    private func outcome(_ visit: inout Visit) async -> HTTPResponse {
        if visit.exchange.failures.isEmpty {
            await routeFailure(&visit)
            await judgeCertificate(&visit)
        }
        if visit.exchange.failures.isEmpty, visit.exchange.request.method == .options, visit.route == nil {
            return options(visit)
        }
        guard visit.exchange.failures.isEmpty, let route = visit.route else { return await refuse(&visit) }
        guard let (book, reach) = faults(of: visit, route) else { return await run(&visit, route) }
        if reach == .subject, route.route.isReading { return await runLookup(&visit, route, under: book) }
        return await run(&visit, route, under: book)
    }

    /// How often an operation runs whose issuer is changed meanwhile.
    private static let mostRuns = 4

    /// Runs the operation; what it refuses becomes the face's answer.
    ///
    /// What was checked with an issuer that is another one by the time of the change has changed nothing. It is checked
    /// again with the new one, so that a client does not meet a race that is none of its own.
    func run(_ visit: inout Visit, _ route: Destination) async -> HTTPResponse {
        let mark = visit.exchange.mark
        for _ in 1..<Self.mostRuns {
            let response = await runOnce(&visit, route)
            guard visit.isOutrun else { return response }
            visit.restart(at: mark)
        }
        return await runOnce(&visit, route)
    }

    private func runOnce(_ visit: inout Visit, _ route: Destination) async -> HTTPResponse {
        do {
            let response = try await route.endpoint.serve(&visit.exchange)
            let sealed = await visit.face.seal(response, isRefusal: false, in: visit.exchange)
            return await followed(sealed, visit.exchange)
        } catch let refusal as Refusal {
            if let check = refusal.check { visit.exchange.note(check) }
            return await followed(await refuse(&visit), visit.exchange)
        } catch {
            visit.exchange.note(failure(error, visit.exchange.operation))
            return await refuse(&visit)
        }
    }

    /// The answer as the orders of the exchange want it: later, or broken.
    private func followed(_ response: HTTPResponse, _ exchange: Exchange) async -> HTTPResponse {
        let orders = exchange.orders
        if orders.answerDelayMilliseconds > 0, !Worlds.isRehearsal {
            await pauses.pause(in: exchange.tenant, milliseconds: orders.answerDelayMilliseconds)
        }
        var response = response
        if let delivery = orders.delivery { response.delivery = delivery }
        return response
    }

    /// Notes why no operation can run; nothing when one can.
    func routeFailure(_ visit: inout Visit) async {
        let request = visit.exchange.request
        switch visit.match {
        case .found(let route, _):
            let size = BodySize.announced(request)
            guard size <= route.route.bodyLimit else {
                let evidence = "\(size) bytes; at most \(route.route.bodyLimit)"
                visit.exchange.note(.failed("http.body", HTTPFault.bodyTooLarge, evidence: evidence))
                return
            }
            if let coded = decodeBody(of: &visit, limit: route.route.bodyLimit) {
                return visit.exchange.note(coded)
            }
            await checkContentType(&visit, route)
            await checkAuthorization(&visit, route)
        case .wrongMethod(let allowed):
            guard request.method != .options else { return }
            let list = allowed.map(\.rawValue).joined(separator: ", ")
            visit.exchange.note(
                .failed(
                    "http.method",
                    HTTPFault.methodNotAllowed,
                    evidence: "\(request.method.rawValue); allowed: \(list)"
                )
            )
        case .trailingSlash: visit.exchange.note(.failed("http.path", HTTPFault.trailingSlash))
        case .notFound:
            let evidence = router.nearest(request.path).map { "nearest: \($0)" }
            visit.exchange.note(.failed("http.path", HTTPFault.pathUnknown, evidence: evidence))
        }
    }

    func refuse(_ visit: inout Visit) async -> HTTPResponse {
        if visit.exchange.failures.isEmpty { visit.exchange.note(.failed("sandbox", HTTPFault.internalFault)) }
        var (response, deciding) = visit.face.answer(to: visit.exchange.failures, in: visit.exchange)
        // It chose nothing, but it may be why: a request that meant one world was answered by another.
        visit.exchange.checks = visit.exchange.checks.map { check in
            guard check.passed, check.code == HTTPFault.credentialAmbiguous.code else { return check }
            return .failed(check.name, HTTPFault.credentialAmbiguous, at: check.place, evidence: check.evidence)
        }
        if deciding.code == HTTPFault.methodNotAllowed.code { response.headers[.allow] = allowed(visit) }
        // What would be taken (RFC 9110, sections 12.5.3 and 15.5.16).
        if deciding.code == HTTPFault.contentEncoding.code { response.headers[.acceptEncoding] = "gzip" }
        visit.deciding = deciding
        return await visit.face.seal(response, isRefusal: true, in: visit.exchange)
    }

    /// The check for an error that no handler foresaw; its text goes to the log only.
    func failure(_ error: any Error, _ what: String) -> Check {
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

extension Pipeline.Visit {
    /// Whether the operation was refused because its issuer changed under its hands.
    fileprivate var isOutrun: Bool {
        deciding != nil && exchange.checks.contains { !$0.passed && $0.code == IssuerFault.changed.code }
    }

    /// Members of a control call's document that nobody knows, as pointers that can be shown.
    var unknownMembers: [String] { exchange.members?.unknown(isRefused: deciding != nil) ?? [] }

    /// Codes of the failed checks, each once, the one that chose the answer first; last the scenario that was applied,
    /// which an answer that is no refusal tells too.
    var diagnosis: [String] {
        var codes: [String] = []
        for check in [deciding].compactMap({ $0 }) + exchange.failures {
            if let name = check.code?.name, !codes.contains(name) { codes.append(name) }
        }
        if let scenario = exchange.orders.scenario { codes.append(scenario) }
        return codes
    }
}
