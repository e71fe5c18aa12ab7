import Core
import Networks
import Traffic
import Web
import Wire

/// What is to happen to one request: the rule that has its turn, or what `X-Sandbox-Fault` ordered.
struct FaultSelection {
    /// As the journal names it.
    let name: String
    let effect: FaultEffect
    /// The rule that was counted; nil for a fault by header.
    let claimed: (rule: FaultRule, claim: FaultRule.Claim)?
    let draws: Draws

    /// A fault that the request ordered. There is no rule whose draws it could have; it needs few.
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

    /// What a header's value orders; nil when it is not a fault, or none of this face.
    init?(_ text: String, _ destination: Destination, _ book: FaultBook) {
        switch FaultHeader(text) {
        case .effect(let effect)? where effect.fits(destination, isOrdered: true):
            self.init(ordered: effect, name: text)
        case .rule(let id)?:
            guard let rule = book.rule(id), rule.effect.fits(destination, isOrdered: true) else { return nil }
            self.init(ordered: rule.effect, name: id)
        default: return nil
        }
    }
}

extension FaultEffect {
    /// Whether the effect means something for an operation.
    ///
    /// - Parameter isOrdered: a decision that nobody asks for is told of, when the request itself ordered it.
    func fits(_ destination: Destination, isOrdered: Bool = false) -> Bool {
        switch self {
        case .networkError(let name): destination.networkErrors[name] != nil
        case .decision: isOrdered || destination.route.decides
        case .callback: false
        default: true
        }
    }
}

extension RequestInProgress {
    /// The rules of the tenant that match, as far as the subject is known.
    func find(_ subject: FaultSubject, isFinal: Bool) -> FaultBook.Finding {
        book.find(
            exchange.request,
            face: destination.face.name,
            operation: destination.route.name,
            subject: subject,
            isFinal: isFinal,
            at: receivedAt
        )
    }

    /// What path, query, body and certificate say by themselves of what the request is about.
    var earlySubject: FaultSubject {
        var subject = FaultSubject()
        guard book.needsSubject else { return subject }
        for pair in exchange.parameters.pairs { subject.take(pair.name, pair.value) }
        for pair in exchange.request.query { subject.take(pair.name, pair.value) }
        subject.issuerIDs.formUnion(certificateIssuers)
        subject.take(body: exchange.request.body)
        return subject
    }

    /// Whether a look-up that ran turned out to be about a token, a card or an issuer.
    var isAboutSomething: Bool { exchange.tokenID != nil || !exchange.subject.isEmpty || !earlySubject.isEmpty }

    /// A rule that answers without the body and without the operation; nil when none is sure to.
    var ruleWithoutBody: FaultRule? {
        let finding = find(FaultSubject(), isFinal: false)
        guard !finding.isOpen, let first = finding.rules.first(where: { $0.effect.fits(destination) }),
            !first.isCounted, first.match.attempt == nil
        else { return nil }
        switch first.effect {
        case .respond, .networkError: return first
        case .connection(let kind): return kind == .close || kind == .truncate ? nil : first
        case .delay, .decision, .dribble, .corrupt, .commitThen, .callback: return nil
        }
    }
}
