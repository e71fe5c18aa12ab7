import Core
package import Networks
package import Traffic
package import Web
import Wire

/// The way of every request, one stage each: arrive, route, identify, form, faults, run (the endpoint's own: identify,
/// verify, ask, decide), answer, seal, record. One pipeline serves the faces, another the control API.
package struct Pipeline: HTTPResponder {
    /// Where the two differ, and what they share.
    struct Parts {
        let isControl: Bool
        let holder: IdentifyStage.Holder
        let faces: [any Face]
        let services: Services
        let tenants: TenantDirectory
        let pauses: Pauses
        /// Nil for the control API, whose calls are not part of a test's traffic.
        let journal: (any Journal)?
        let publicURL: PublicURL?
        /// Looks at a request before anything else; a refusal ends it.
        let gate: @Sendable (HTTPRequest) -> Refusal?
        /// Whether a request may order a fault for itself.
        let obeysFaultHeader: Bool
        /// Whether each request is a line of the log.
        let logsRequests: Bool
        let strayIDs: StrayRequestIDs
        let metrics: Metrics
        let log: Log
    }

    package let tenants: TenantDirectory
    let metrics: Metrics
    let log: Log
    let routes: RouteStage
    let arrive: ArriveStage
    let identify: IdentifyStage
    let form: FormStage
    /// Nil for the control API, and so are faults: its calls are not part of a world's traffic.
    let certificates: CertificateStage?
    let faults: FaultStage?
    let runs: RunStage
    let answers: AnswerStage
    let records: RecordStage

    init(_ parts: Parts) {
        let (isControl, worlds, log) = (parts.isControl, parts.services.worlds, parts.log)
        let mishaps = Mishaps(log: log)
        tenants = parts.tenants
        metrics = parts.metrics
        self.log = log
        routes = RouteStage(parts.faces, parts.services)
        arrive = ArriveStage(
            takesTenantPrefix: !isControl,
            publicURL: parts.publicURL,
            gate: parts.gate,
            routes: routes
        )
        identify = IdentifyStage(
            isControl: isControl,
            tenants: tenants,
            worlds: worlds,
            holder: parts.holder,
            strayIDs: parts.strayIDs,
            mishaps: mishaps
        )
        form = FormStage(mishaps: mishaps)
        certificates = isControl ? nil : CertificateStage(worlds: worlds, mishaps: mishaps)
        answers = AnswerStage(isControl: isControl)
        runs = RunStage(worlds: worlds, pauses: parts.pauses, answers: answers, mishaps: mishaps)
        faults =
            isControl
            ? nil
            : FaultStage(
                worlds: worlds,
                journal: parts.journal,
                runs: runs,
                effects: FaultEffects(pauses: parts.pauses, runs: runs, metrics: metrics),
                obeysHeader: parts.obeysFaultHeader,
                log: log
            )
        records = RecordStage(
            isControl: isControl,
            journal: parts.journal,
            tenants: tenants,
            worlds: worlds,
            metrics: metrics,
            log: log,
            logsRequests: parts.logsRequests
        )
    }

    package var endpoints: [any RoutedEndpoint] { routes.endpoints }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        // The control API's calls search journals and move whole worlds, and nobody measures them.
        await OffLoop.run(when: faults == nil || request.isLong) { await answer(to: request) }
    }

    private func answer(to request: HTTPRequest) async -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        metrics.requestBegan()
        var progress = await identify.identify(arrive.arrive(request), makesTenant: true)
        identify.drawID(&progress)
        await check(&progress)
        var response = await answer(&progress)
        answers.decorate(&response, progress)
        await records.record(progress, &response, clock.now - start)
        return response
    }

    package func respond(to broken: BrokenRequest) async -> HTTPResponse {
        metrics.requestBegan()
        let request = broken.head ?? HTTPRequest(method: .get, target: "/", peer: broken.peer)
        var progress = await identify.identify(arrive.arrive(request), makesTenant: false)
        identify.drawID(&progress)
        progress.exchange.note(.failed("http", HTTPFault(broken.reason), evidence: broken.detail))
        progress.destination = routes.nowhere(progress.exchange.request.path)
        var response = await answers.refuse(&progress)
        answers.decorate(&response, progress)
        await records.record(progress, &response, .zero)
        return response
    }

    /// Notes why no operation can run; nothing when one can.
    func check(_ progress: inout RequestInProgress) async {
        guard !progress.exchange.isRefused else { return }
        if let obstacle = progress.obstacle {
            if let failure = routes.failure(obstacle, progress.exchange.request) { progress.exchange.note(failure) }
        } else {
            await form.check(&progress)
            await certificates?.judge(&progress)
        }
    }

    /// The answer to a request that was checked.
    private func answer(_ progress: inout RequestInProgress) async -> HTTPResponse {
        guard !progress.exchange.isRefused else { return await answers.refuse(&progress) }
        // Every other obstacle refuses.
        guard progress.obstacle == nil else { return answers.options(progress) }
        let response = if let faults { await faults.run(&progress) } else { await runs.run(&progress) }
        return await runs.spend(&progress, response)
    }
}

extension HTTPRequest {
    /// Whether reading the body takes long. One in gzip may be any size once it is decoded.
    fileprivate var isLong: Bool {
        body.count > OffLoop.bodyBytes || (!body.isEmpty && ContentCoding(headers) != .identity)
    }
}
