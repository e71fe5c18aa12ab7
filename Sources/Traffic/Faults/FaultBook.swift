package import Core
import Synchronization
package import Web
package import Wire

/// A tenant's fault rules in memory, found fast: the rules that cannot match an operation, a path, a header or a token
/// are never looked at.
package final class FaultBook: Sendable {
    /// Rules that one tenant may have.
    package static let limit = 1_000
    /// And how large they may be together, as JSON.
    package static let byteLimit = 4 << 20

    private struct State {
        /// What rules draw from.
        var seed: UInt64
        /// By order.
        var rules: [FaultRule] = []
        /// Built when an operation is first asked for, thrown away with each change of the rules.
        var indexes: [String: FaultIndex] = [:]

        mutating func index(face: String, operation: String) -> FaultIndex {
            if let known = indexes[operation] { return known }
            let index = FaultIndex(rules, face: face, operation: operation)
            indexes[operation] = index
            return index
        }
    }

    private let state: Mutex<State>
    /// Nearly all tenants have no rule; they are told apart without the lock.
    private let count: Atomic<Int>
    /// Whether some rule asks for what the request is about.
    private let asksSubject: Atomic<Bool>

    package init(_ rules: [FaultRule] = [], seed: UInt64) {
        state = Mutex(State(seed: seed, rules: rules.sorted { $0.order < $1.order }))
        count = Atomic(rules.count)
        asksSubject = Atomic(rules.contains(where: \.match.needsSubject))
    }

    /// The rules of a tenant that does not exist.
    package static let none = FaultBook(seed: 0)

    package var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// False when no rule asks for token, card or issuer, so that nobody needs to look for them.
    package var needsSubject: Bool { asksSubject.load(ordering: .relaxed) }

    /// All rules in the order they are asked.
    package var rules: [FaultRule] { state.withLock { $0.rules } }

    package func rule(_ id: String) -> FaultRule? { state.withLock { $0.rules.first { $0.id == id } } }

    package func add(_ rule: FaultRule) {
        change { rules in
            rules.removeAll { $0.id == rule.id }
            let place = rules.firstIndex { $0.order > rule.order } ?? rules.endIndex
            rules.insert(rule, at: place)
        }
    }

    package func remove(_ id: String) { change { rules in rules.removeAll { $0.id == id } } }

    /// Takes over other rules, and the seed they draw from.
    package func replace(_ rules: [FaultRule], seed: UInt64) {
        reseed(seed)
        change { $0 = rules.sorted { $0.order < $1.order } }
    }

    /// The rules draw from this seed from now on.
    func reseed(_ seed: UInt64) { state.withLock { $0.seed = seed } }

    package func removeAll() { change { $0.removeAll() } }

    private func change(_ body: (inout [FaultRule]) -> Void) {
        state.withLock { state in
            body(&state.rules)
            state.indexes = [:]
            count.store(state.rules.count, ordering: .relaxed)
            asksSubject.store(state.rules.contains(where: \.match.needsSubject), ordering: .relaxed)
        }
    }

    /// What the book says of a request.
    package struct Finding: Sendable {
        /// Active rules that match, in order.
        package var rules: [FaultRule] = []
        /// Whether more may match once the subject is known.
        package var isOpen: Bool { openOrder != nil }
        /// Of the first rule that may.
        package var openOrder: Int64?
    }

    /// What the rules may want of a request, by a first look at it.
    package enum Reach: Sendable {
        /// No rule can match, whatever the request turns out to be about. It is so for most requests.
        case none
        /// None can, but for rules that are found by a token, a card or an issuer.
        case subject
        /// Some rule may, by the request itself.
        case request
    }

    package func reach(of request: HTTPRequest, face: String, operation: String) -> Reach {
        index(face: face, operation: operation).reach(of: request)
    }

    /// Under the lock only for as long as it takes to find it, so that requests do not wait for each other.
    private func index(face: String, operation: String) -> FaultIndex {
        state.withLock { $0.index(face: face, operation: operation) }
    }

    /// Looks for rules that match a request.
    ///
    /// - Parameters:
    ///   - face: The face of the operation.
    ///   - subject: What is known of what the request is about.
    ///   - isFinal: false while the handler may still find out more.
    package func find(
        _ request: HTTPRequest,
        face: String,
        operation: String,
        subject: FaultSubject,
        isFinal: Bool,
        at now: Instant
    ) -> Finding {
        index(face: face, operation: operation).find(request, subject, isFinal: isFinal, at: now)
    }

    /// Counts a matching request for a rule; nil when the rule is over or gone.
    package func claim(_ id: String, at now: Instant) -> FaultRule.Claim? {
        state.withLock { state in
            guard let place = state.rules.firstIndex(where: { $0.id == id }) else { return nil }
            let claim = state.rules[place].claim(at: now, seed: state.seed)
            // A rule that is used up is not looked for any more.
            if claim?.fires == true, !state.rules[place].hasTurns { state.indexes = [:] }
            return claim
        }
    }

    /// Whether a rule would fire for a matching request. Nothing is counted.
    package func wouldFire(_ id: String, at now: Instant) -> Bool {
        state.withLock { state in
            var rule = state.rules.first { $0.id == id }
            return rule?.claim(at: now, seed: state.seed)?.fires == true
        }
    }

    /// Takes a claim back: the rule had nothing to change.
    package func takeBack(_ id: String, _ claim: FaultRule.Claim) {
        state.withLock { state in
            guard let place = state.rules.firstIndex(where: { $0.id == id && $0.order == claim.order }) else { return }
            let wasUsedUp = !state.rules[place].hasTurns
            state.rules[place].takeBack(claim)
            if wasUsedUp { state.indexes = [:] }
        }
    }

    /// What a rule draws for a claim.
    package func draws(_ rule: FaultRule, _ claim: FaultRule.Claim) -> Draws {
        var draws = rule.draws(seed: state.withLock { $0.seed }, turn: claim.turn)
        // The first draw told whether it fires.
        _ = draws.fraction()
        return draws
    }
}
