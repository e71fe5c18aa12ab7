import Core
import Networks
import Traffic
import Web
import Wire

/// Which of the rules that match has its turn.
///
/// Some effects may find nothing to change, and only what comes of the operation tells. When other rules wait behind such
/// a one, the operation is rehearsed: the rules are held against what it would answer, and the one that can do something
/// acts as if it were the first, be it before the operation, instead of it or after it. The change is made once, or not at
/// all. A rule that could change nothing is not counted.
extension Pipeline {
    /// Runs the operation, or what the first of the rules that fires and applies does to it.
    func run(
        _ visit: inout Visit,
        _ route: Destination,
        by found: (rules: [FaultRule], known: Rehearsal?),
        of book: FaultBook
    ) async -> HTTPResponse {
        var known = found.known
        var notes: [Check] = []
        // A rule that only counts the request has changed, too.
        var counted: [FaultRule] = []
        let rules = await attempted(found.rules, &visit)
        for (place, rule) in rules.enumerated() {
            if rule.effect.mayNotApply {
                if known == nil, place == rules.count - 1 {
                    visit.exchange.note(notes)
                    let (response, isCounted) = await runLast(rule, &visit, route, book)
                    await keep(isCounted ? counted + [rule] : counted, book, visit)
                    return response
                }
                let trial = if let known { known } else { await rehearse(visit, route) }
                known = trial
                if let why = rule.effect.obstacle(trial.response, trial.visit.exchange.orders) {
                    if book.wouldFire(rule.id, at: visit.receivedAt) { notes.append(notApplied(rule.id, why)) }
                    continue
                }
            }
            counted.append(rule)
            guard let claim = book.claim(rule.id, at: visit.receivedAt), claim.fires else { continue }
            visit.exchange.note(notes)
            let response = await apply(Fault(rule, claim, book), to: &visit, route, book, known: known)
            await keep(counted, book, visit)
            return response
        }
        await keep(counted, book, visit)
        guard let known, known.isReal else {
            visit.exchange.note(notes)
            return await run(&visit, route)
        }
        let attempt = visit.attempt
        visit = known.visit
        visit.attempt = attempt
        visit.exchange.note(notes)
        return known.response
    }

    /// Runs the operation under a rule that no other waits behind: what comes of it tells whether the rule applies.
    private func runLast(
        _ rule: FaultRule,
        _ visit: inout Visit,
        _ route: Destination,
        _ book: FaultBook
    ) async -> (response: HTTPResponse, isCounted: Bool) {
        if case .decision = rule.effect { return await decide(rule, &visit, route, book) }
        let response = await run(&visit, route)
        if let why = rule.effect.obstacle(response, visit.exchange.orders) {
            if book.wouldFire(rule.id, at: visit.receivedAt) { visit.exchange.note(notApplied(rule.id, why)) }
            return (response, false)
        }
        guard let claim = book.claim(rule.id, at: visit.receivedAt) else { return (response, false) }
        guard claim.fires else { return (response, true) }
        return (await change(response, by: Fault(rule, claim, book), &visit, book), true)
    }

    /// A decision must be ordered before the operation runs, so it is counted before, and taken back when nobody asked. It
    /// is kept in either case: another request may have stored the count meanwhile.
    private func decide(
        _ rule: FaultRule,
        _ visit: inout Visit,
        _ route: Destination,
        _ book: FaultBook
    ) async -> (response: HTTPResponse, isCounted: Bool) {
        guard let claim = book.claim(rule.id, at: visit.receivedAt) else { return (await run(&visit, route), false) }
        if claim.fires {
            return (await apply(Fault(rule, claim, book), to: &visit, route, book, known: nil), true)
        }
        let response = await run(&visit, route)
        if !visit.exchange.orders.isDecisionUsed { book.takeBack(rule.id, claim) }
        return (response, true)
    }
}
