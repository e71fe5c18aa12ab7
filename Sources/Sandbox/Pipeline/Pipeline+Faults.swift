import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Where the faults of a tenant meet its requests (CONTRACT, section 6).
extension Pipeline {
    /// What is to happen to one request.
    struct Fault {
        /// As the journal names it.
        let name: String
        let effect: FaultEffect
        /// The rule that was counted; nil for a fault by header.
        let claimed: (rule: FaultRule, claim: FaultRule.Claim)?
        var draws: Draws

        /// A fault that `X-Sandbox-Fault` ordered. There is no rule whose draws it could have; it needs few.
        init(ordered effect: FaultEffect, name: String) {
            self.name = name
            self.effect = effect
            claimed = nil
            draws = Draws(seed: 0)
        }

        init(_ rule: FaultRule, _ claim: FaultRule.Claim, _ book: FaultBook) {
            name = rule.id
            effect = rule.effect
            claimed = (rule, claim)
            draws = book.draws(rule, claim)
        }
    }

    /// The rules to ask for this request, and what they may want of it; nil when there are none and the request orders no
    /// fault.
    func faults(of visit: Visit, _ route: Destination) -> (book: FaultBook, reach: FaultBook.Reach)? {
        guard !isControl, let book = visit.context?.faults else { return nil }
        let request = visit.exchange.request
        if request.headers[.sandboxFault] != nil { return (book, .request) }
        guard !book.isEmpty else { return nil }
        let reach = book.reach(of: request, face: route.face.name, operation: route.route.name)
        return reach == .none ? nil : (book, reach)
    }

    /// Runs the operation, or does to it what a fault wants.
    func run(_ visit: inout Visit, _ route: Destination, under book: FaultBook) async -> HTTPResponse {
        let ordered = visit.exchange.request.headers.all(.sandboxFault)
        guard ordered.isEmpty else { return await obey(ordered, &visit, route, book) }
        return await run(&visit, route, by: await look(visit, route, book), of: book)
    }

    /// Runs a look-up under rules that are found by a token, a card or an issuer only. It changes nothing, so it runs
    /// where it stands, and nearly always its answer is the answer.
    func runLookup(_ visit: inout Visit, _ route: Destination, under book: FaultBook) async -> HTTPResponse {
        let mark = visit.exchange.mark
        let response = await run(&visit, route)
        guard isAboutSomething(visit, book) else { return response }
        let known = Rehearsal(visit: visit, response: response, isReal: true)
        visit.restart(at: mark)
        return await run(&visit, route, by: await look(visit, route, book, known: known), of: book)
    }

    /// Does what the request itself ordered.
    private func obey(
        _ ordered: [String],
        _ visit: inout Visit,
        _ route: Destination,
        _ book: FaultBook
    ) async -> HTTPResponse {
        guard ordered.count == 1, let fault = fault(ordered[0], route, book) else {
            let evidence = Masking.excerpt(ordered.joined(separator: ", "), 100)
            visit.exchange.note(
                .failed("fault.header", FaultCode.header, at: .header("x-sandbox-fault"), evidence: evidence)
            )
            return await refuse(&visit)
        }
        return await apply(fault, to: &visit, route, book, known: nil)
    }

    /// The rules that match, in order, and what the operation answered when it had to be run to know.
    ///
    /// - Parameter known: what it answered, when it ran already.
    private func look(
        _ visit: Visit,
        _ route: Destination,
        _ book: FaultBook,
        known: Rehearsal? = nil
    ) async -> (rules: [FaultRule], known: Rehearsal?) {
        func fitting(_ finding: FaultBook.Finding) -> [FaultRule] { finding.rules.filter { fits($0.effect, route) } }
        var subject = earlySubject(visit, book)
        let early = find(visit, route, book, subject, isFinal: false)
        guard mustKnowMore(early, route) else { return (fitting(early), known) }
        let known = if let known { known } else { await rehearse(visit, route) }
        let found = await finalSubject(known.visit)
        // A handler that found nothing leaves the rules that wait without what they wait for.
        guard !found.isEmpty else { return (fitting(early), known) }
        subject.add(found)
        return (fitting(find(visit, route, book, subject, isFinal: true)), known)
    }

    /// What `X-Sandbox-Fault` orders; nil when it is none, or none of this face.
    private func fault(_ text: String, _ route: Destination, _ book: FaultBook) -> Fault? {
        switch FaultHeader(text) {
        case nil: return nil
        case .effect(let effect): return fits(effect, route, isOrdered: true) ? Fault(ordered: effect, name: text) : nil
        case .rule(let id):
            guard let rule = book.rule(id), fits(rule.effect, route, isOrdered: true) else { return nil }
            return Fault(ordered: rule.effect, name: id)
        }
    }

    /// Whether an effect means something for an operation.
    ///
    /// - Parameter isOrdered: a decision that nobody asks for is told of, when the request itself ordered it.
    func fits(_ effect: FaultEffect, _ route: Destination, isOrdered: Bool = false) -> Bool {
        switch effect {
        case .networkError(let name): route.networkErrors[name] != nil
        case .decision: isOrdered || route.route.decides
        case .callback: false
        default: true
        }
    }

    func find(
        _ visit: Visit,
        _ route: Destination,
        _ book: FaultBook,
        _ subject: FaultSubject,
        isFinal: Bool
    ) -> FaultBook.Finding {
        book.find(
            visit.exchange.request,
            face: route.face.name,
            operation: route.route.name,
            subject: subject,
            isFinal: isFinal,
            at: visit.receivedAt
        )
    }

    /// The rules that are about this attempt; the attempt is counted only when a rule asks for it.
    func attempted(_ rules: [FaultRule], _ visit: inout Visit) async -> [FaultRule] {
        guard rules.contains(where: { $0.match.attempt != nil }), let journal else { return rules }
        let exchange = visit.exchange
        let attempt = await journal.attempt(
            of: exchange.operation,
            requestID: exchange.requestID,
            in: exchange.tenant
        )
        visit.attempt = attempt
        return rules.filter { $0.match.attempt == nil || $0.match.attempt == Int64(attempt) }
    }

    /// Whether a rule that waits for the subject comes before one that is sure to fire.
    private func mustKnowMore(_ finding: FaultBook.Finding, _ route: Destination) -> Bool {
        guard let open = finding.openOrder else { return false }
        let sure = finding.rules.first { rule in
            fits(rule.effect, route) && !rule.trigger.isCounted && rule.match.attempt == nil
                && !rule.effect.mayNotApply
        }
        return sure.map { open < $0.order } ?? true
    }

    /// Counters outlive the server when they decide something.
    func keep(_ rules: [FaultRule], _ book: FaultBook, _ visit: Visit) async {
        let counted = rules.filter(\.isCounted)
        if counted.isEmpty { return }
        do {
            try await worlds.write(visit.exchange.tenant) { world in
                for rule in counted {
                    // The newest count, whichever request stores it; a rule that was removed stays removed.
                    guard let current = book.rule(rule.id),
                        let stored = try world.store.record(FaultRule.self, rule.id), stored.order == current.order
                    else { continue }
                    try world.store.put(current)
                }
            }
        } catch {
            log(.warning, "counts of fault rules were not stored", [("rules", .strings(counted.map(\.id)))])
        }
    }
}
