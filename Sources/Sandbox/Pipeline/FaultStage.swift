import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Where the faults of a tenant meet its requests (CONTRACT, section 6): runs the operation, or does to it what the rule
/// wants that has its turn.
///
/// Some effects may find nothing to change, and only what comes of the operation tells. When other rules wait behind such
/// a one, the operation is rehearsed: the rules are held against what it would answer, and the one that can do something
/// acts as if it were the first, be it before the operation, instead of it or after it. The change is made once, or not at
/// all. A rule that could change nothing is not counted.
///
/// A class, because each request takes it out of an optional.
final class FaultStage: Sendable {
    /// The rules to ask in order, and what the operation answered when it had to run to know them.
    private struct Found {
        var rules: [FaultRule]
        var known: Rehearsal?
    }

    let worlds: Worlds
    let journal: (any Journal)?
    let runs: RunStage
    let effects: FaultEffects
    /// Whether a request may order a fault for itself.
    let obeysHeader: Bool
    let log: Log

    init(worlds: Worlds, journal: (any Journal)?, runs: RunStage, effects: FaultEffects, obeysHeader: Bool, log: Log) {
        self.worlds = worlds
        self.journal = journal
        self.runs = runs
        self.effects = effects
        self.obeysHeader = obeysHeader
        self.log = log
    }

    func run(_ progress: inout RequestInProgress) async -> HTTPResponse {
        if progress.exchange.request.headers[.sandboxFault] != nil { return await obey(&progress) }
        guard !progress.book.isEmpty else { return await runs.run(&progress) }
        let (face, route) = (progress.destination.face, progress.destination.route)
        switch progress.book.reach(of: progress.exchange.request, face: face.name, operation: route.name) {
        case .none: return await runs.run(&progress)
        case .subject where route.isReading: return await runLookup(&progress)
        default: return await run(&progress, by: await look(&progress))
        }
    }

    /// Does what the request itself ordered.
    private func obey(_ progress: inout RequestInProgress) async -> HTTPResponse {
        guard obeysHeader else {
            progress.exchange.note(.failed("fault.header", FaultCode.headerOff, at: .header("x-sandbox-fault")))
            return await runs.answers.refuse(&progress)
        }
        let ordered = progress.exchange.request.headers.all(.sandboxFault)
        guard ordered.count == 1, let fault = FaultSelection(ordered[0], progress.destination, progress.book) else {
            let evidence = Masking.excerpt(ordered.joined(separator: ", "), 100)
            progress.exchange.note(
                .failed("fault.header", FaultCode.header, at: .header("x-sandbox-fault"), evidence: evidence)
            )
            return await runs.answers.refuse(&progress)
        }
        return await effects.apply(fault, to: &progress, known: nil)
    }

    /// Runs a look-up under rules that are found by a token, a card or an issuer only. It changes nothing, so it runs
    /// where it stands, and nearly always its answer is the answer.
    private func runLookup(_ progress: inout RequestInProgress) async -> HTTPResponse {
        let mark = progress.exchange.mark
        let response = await runs.run(&progress)
        guard progress.isAboutSomething else { return response }
        let known = Rehearsal(progress: progress, response: response, isReal: true)
        progress.restart(at: mark)
        return await run(&progress, by: await look(&progress, known: known))
    }

    /// The rules that match, and what the operation answered when it had to be run to know.
    ///
    /// - Parameter known: what it answered, when it ran already.
    private func look(_ progress: inout RequestInProgress, known: Rehearsal? = nil) async -> Found {
        let destination = progress.destination
        var subject = progress.earlySubject
        let early = progress.find(subject, isFinal: false)
        var found = Found(rules: early.rules.filter { $0.effect.fits(destination) }, known: known)
        guard mustKnowMore(early, found.rules) else { return found }
        let known = if let known { known } else { await runs.rehearse(&progress) }
        found.known = known
        let learned = await worlds.subject(of: known.progress.exchange)
        // A handler that found nothing leaves the rules that wait without what they wait for.
        guard !learned.isEmpty else { return found }
        subject.add(learned)
        found.rules = progress.find(subject, isFinal: true).rules.filter { $0.effect.fits(destination) }
        return found
    }

    /// Whether a rule that waits for the subject comes before one that is sure to fire.
    private func mustKnowMore(_ finding: FaultBook.Finding, _ rules: [FaultRule]) -> Bool {
        guard let open = finding.openOrder else { return false }
        let sure = rules.first { !$0.trigger.isCounted && $0.match.attempt == nil && !$0.effect.mayNotApply }
        return sure.map { open < $0.order } ?? true
    }

    /// Runs the operation, or what the first of the rules that fires and applies does to it.
    private func run(_ progress: inout RequestInProgress, by found: Found) async -> HTTPResponse {
        let book = progress.book
        var known = found.known
        var obstacles: FaultObstacles?
        var notes: [Check] = []
        // A rule that only counts the request has changed, too.
        var counted: [FaultRule] = []
        let rules = await attempted(found.rules, &progress)
        for (place, rule) in rules.enumerated() {
            if rule.effect.mayNotApply {
                if known == nil, place == rules.count - 1 {
                    progress.exchange.note(notes)
                    let (response, isCounted) = await runLast(rule, &progress)
                    await keep(isCounted ? counted + [rule] : counted, progress)
                    return response
                }
                let trial = if let known { known } else { await runs.rehearse(&progress) }
                known = trial
                var tried = obstacles ?? FaultObstacles(trial.response, trial.progress.exchange.orders)
                let why = tried.obstacle(to: rule.effect)
                obstacles = tried
                if let why {
                    if book.wouldFire(rule.id, at: progress.receivedAt) { notes.append(.notApplied(rule.id, why)) }
                    continue
                }
            }
            counted.append(rule)
            guard let claim = book.claim(rule.id, at: progress.receivedAt), claim.fires else { continue }
            progress.exchange.note(notes)
            let response = await effects.apply(FaultSelection(rule, claim, book), to: &progress, known: known)
            await keep(counted, progress)
            return response
        }
        await keep(counted, progress)
        guard let known, known.isReal else {
            progress.exchange.note(notes)
            return await runs.run(&progress)
        }
        let attempt = progress.attempt
        progress = known.progress
        progress.attempt = attempt
        progress.exchange.note(notes)
        return known.response
    }

    /// Runs the operation under a rule that no other waits behind: what comes of it tells whether the rule applies.
    private func runLast(
        _ rule: FaultRule,
        _ progress: inout RequestInProgress
    ) async -> (response: HTTPResponse, isCounted: Bool) {
        if case .decision = rule.effect { return await decide(rule, &progress) }
        let book = progress.book
        let response = await runs.run(&progress)
        if let why = rule.effect.obstacle(response, progress.exchange.orders) {
            if book.wouldFire(rule.id, at: progress.receivedAt) { progress.exchange.note(.notApplied(rule.id, why)) }
            return (response, false)
        }
        guard let claim = book.claim(rule.id, at: progress.receivedAt) else { return (response, false) }
        guard claim.fires else { return (response, true) }
        return (await effects.change(response, by: FaultSelection(rule, claim, book), &progress), true)
    }

    /// A decision must be ordered before the operation runs, so it is counted before, and taken back when nobody asked. It
    /// is kept in either case: another request may have stored the count meanwhile.
    private func decide(
        _ rule: FaultRule,
        _ progress: inout RequestInProgress
    ) async -> (response: HTTPResponse, isCounted: Bool) {
        let book = progress.book
        guard let claim = book.claim(rule.id, at: progress.receivedAt) else {
            return (await runs.run(&progress), false)
        }
        if claim.fires {
            return (await effects.apply(FaultSelection(rule, claim, book), to: &progress, known: nil), true)
        }
        let response = await runs.run(&progress)
        if !progress.exchange.orders.isDecisionUsed { book.takeBack(rule.id, claim) }
        return (response, true)
    }

    /// The rules that are about this attempt; the attempt is counted only when a rule asks for it.
    private func attempted(_ rules: [FaultRule], _ progress: inout RequestInProgress) async -> [FaultRule] {
        guard rules.contains(where: { $0.match.attempt != nil }), let journal else { return rules }
        let exchange = progress.exchange
        let attempt = await journal.attempt(
            of: exchange.operation,
            requestID: exchange.requestID,
            in: exchange.tenant
        )
        progress.attempt = attempt
        return rules.filter { $0.match.attempt == nil || $0.match.attempt == Int64(attempt) }
    }

    /// Counters outlive the server when they decide something.
    private func keep(_ rules: [FaultRule], _ progress: RequestInProgress) async {
        let (counted, book) = (rules.filter(\.isCounted), progress.book)
        if counted.isEmpty { return }
        do {
            try await worlds.write(progress.exchange.tenant) { world in
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

extension Check {
    /// A rule that had its turn and found nothing to change.
    static func notApplied(_ name: String, _ why: String) -> Check {
        .warning("fault", FaultCode.notApplied, evidence: "\(name): \(why)")
    }
}
