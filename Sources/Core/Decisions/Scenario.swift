package import Wire

/// Magic data: what the expiry year of the card in a request asks of the step that makes its token (CONTRACT,
/// section 1, "Magic data"). An invention of the sandbox.
package struct Scenario: Sendable, Equatable {
    /// Seconds of tenant time before the first thing that happens later, and between two of them.
    package static let stepSeconds: Int64 = 3

    /// The year of the expiry that chooses it.
    package let year: Int
    /// Its name, as the documents and the journal have it.
    package let name: String
    /// What happens, in a sentence.
    package let summary: String
    /// Nil when the scenario does not decide and the later rules do.
    package var decision: Decision?
    /// Why no token is made, when none is.
    package var refusal: DecisionFault?
    /// Real time before the answer.
    package var answerDelayMilliseconds: Int64 = 0
    /// The token is made and the client hears nothing of it.
    package var losesAnswer = false
    /// What the issuer does with the token later.
    package var tokenEvents: [TokenEvent] = []
    /// The card gets a new number later, under the same reference; tokens and FPAN id stay.
    package var replacesCard = false

    /// All scenarios, by year.
    package static let table: [Scenario] = [
        Scenario(year: 2041, name: "green", summary: "The token is active at once.", decision: .green),
        Scenario(year: 2042, name: "yellow", summary: "The token waits for activation.", decision: .yellow),
        Scenario(
            year: 2043,
            name: "notEligible",
            summary: "No token: the network takes no such card.",
            decision: .red,
            refusal: .notEligible
        ),
        Scenario(
            year: 2044,
            name: "issuerDeclines",
            summary: "No token: the issuer declines.",
            decision: .red,
            refusal: .issuerDeclined
        ),
        Scenario(
            year: 2045,
            name: "lifeCycle",
            summary: "The token is active at once, then suspended, resumed and deleted by the issuer, 3 s apart.",
            decision: .green,
            tokenEvents: [.suspend, .resume, .delete]
        ),
        Scenario(
            year: 2046,
            name: "networkUnavailable",
            summary: "No token, 503 in the face's shape; the session may be used again.",
            decision: .red,
            refusal: .networkUnavailable
        ),
        Scenario(
            year: 2047,
            name: "slowAnswer",
            summary: "The answer comes after 5 s of real time.",
            answerDelayMilliseconds: 5_000
        ),
        Scenario(
            year: 2048,
            name: "lostAnswer",
            summary: "The token is made, and the connection closes without an answer.",
            losesAnswer: true
        ),
        Scenario(
            year: 2049,
            name: "cardReplaced",
            summary: "The card gets a new number 3 s later; token id and FPAN id stay. The new number is never shown:"
                + " go on with the token id, the FPAN id or the new suffix.",
            replacesCard: true
        ),
    ]

    /// The scenario of an expiry year, nil for any other year.
    package init?(_ expiry: CardExpiry) {
        guard let scenario = Scenario.table.first(where: { $0.year == expiry.year }) else { return nil }
        self = scenario
    }

    private init(
        year: Int,
        name: String,
        summary: String,
        decision: Decision? = nil,
        refusal: DecisionFault? = nil,
        answerDelayMilliseconds: Int64 = 0,
        losesAnswer: Bool = false,
        tokenEvents: [TokenEvent] = [],
        replacesCard: Bool = false
    ) {
        self.year = year
        self.name = name
        self.summary = summary
        self.decision = decision
        self.refusal = refusal
        self.answerDelayMilliseconds = answerDelayMilliseconds
        self.losesAnswer = losesAnswer
        self.tokenEvents = tokenEvents
        self.replacesCard = replacesCard
    }

    /// Whether it has nothing to work on without a token.
    var needsToken: Bool { losesAnswer || replacesCard || !tokenEvents.isEmpty }

    /// What its events say in the token's history.
    package var reason: String { "scenario \(year)" }

    /// The code with its year, for example `SCENARIO_APPLIED:2045`.
    package var code: DiagnosisCode {
        let applied = ScenarioRemark.applied.code
        return DiagnosisCode(
            name: "\(applied.name):\(year)",
            kind: applied.kind,
            cause: applied.cause,
            cure: applied.cure
        )
    }

    /// Tells that it was applied; no refusal.
    package var remark: Check { Check.failed("scenario", code, evidence: summary).asRemark }
}

/// That magic data bent a request. On the wire and in the journal the year follows: `SCENARIO_APPLIED:2045`.
package enum ScenarioRemark: String, DiagnosisSubject {
    case applied = "SCENARIO_APPLIED"
}

extension ScenarioRemark {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        (
            .warning, "The card's expiry year, the number behind the colon, is magic data (the sandbox's own).",
            "See GET /v1/scenarios; PATCH /v1/tenants/{name} {\"magicData\":false} makes the year an ordinary one."
        )
    }
}
