import Core
import Masking
import Web
package import Wire

/// A fault rule as it is put, read and checked by itself; whether it can ever match is ``FaultCatalogue``'s to say.
package struct FaultRuleDraft: Sendable, Equatable {
    package let id: String?
    package var match: FaultMatch
    package let effect: FaultEffect
    package let trigger: FaultTrigger
    package let given: JSONObject

    /// - Throws: ``FaultRuleFault`` with a pointer to the member.
    package init(_ json: JSON) throws(FaultRuleFault) {
        let fields = try RuleFields(json).knowing(["id", "match", "effect", "trigger"])
        given = fields.cursor.object
        id = try fields.text("id")
        if let id, !RequestID.isUsable(id) {
            throw fields.invalid("id", "1 to 64 of A–Z a–z 0–9 . _ - that are not a card number")
        }
        effect = try FaultEffectReader.effect(fields.required("effect", fields.fields("effect")))
        match = try FaultMatch(
            fields.fields("match") ?? RuleFields(JSONCursor(JSONObject(), at: "/match")),
            effect: effect
        )
        trigger = try FaultTrigger(fields.fields("trigger") ?? RuleFields(JSONCursor(JSONObject(), at: "/trigger")))
        // The rule is shown and stored as it is put, and card numbers stand in the vault only.
        let text = JSON.object(given).text
        guard text.utf8.count <= FaultRuleDraft.longest else {
            throw fields.invalid("a rule of at most \(FaultRuleDraft.longest) bytes")
        }
        if Masking.holdsCardNumber(text) { throw fields.invalid("a rule without card numbers") }
    }

    /// Bytes of the rule as JSON.
    package var size: Int { JSON.object(given).text.utf8.count }

    /// Longest rule in bytes, as JSON.
    package static let longest = 65_536
}

extension FaultTrigger {
    fileprivate init(_ object: RuleFields) throws(FaultRuleFault) {
        let fields = try object.knowing(["skip", "times", "probability", "ttlSeconds"])
        let counts: ClosedRange<Int64> = 1...1_000_000_000
        skip = try fields.integer("skip", in: 0...1_000_000_000) ?? 0
        times = try fields.integer("times", in: counts)
        ttlSeconds = try fields.integer("ttlSeconds", in: counts)
        probability = try fields.number("probability")
        if let probability, !(probability > 0 && probability <= 1) {
            throw fields.invalid("probability", "a number above 0, up to 1")
        }
    }
}

extension FaultMatch {
    fileprivate init(_ object: RuleFields, effect: FaultEffect) throws(FaultRuleFault) {
        let fields = try object.knowing([
            "face", "operation", "method", "path", "headers", "tokenId", "cardLast4", "issuerId", "direction",
            "attempt",
        ])
        self.init()
        face = try fields.text("face")
        operation = try fields.text("operation")
        method = try fields.text("method")
        path = try fields.text("path").map { FaultPattern($0, hasSegments: true) }
        if let path, !path.isBounded { throw fields.invalid("path", FaultMatch.patternBounds) }
        if let path, !path.text.hasPrefix("/") && !path.text.hasPrefix("*") {
            throw fields.invalid("path", "a path without the tenant prefix; * stays within a segment, ** crosses")
        }
        headers = try fields.headers("headers") { (name, value, step) throws(FaultRuleFault) in
            guard HeaderForm.isName(name) else { throw fields.invalid(step, "the name of a header") }
            guard let text = value.string else { throw fields.invalid(step, "a text; * stands for anything") }
            let pattern = FaultPattern(text, hasSegments: false)
            guard pattern.isBounded else { throw fields.invalid(step, FaultMatch.patternBounds) }
            return Header(name: HTTPHeaderName(name), value: pattern)
        }
        tokenID = try fields.text("tokenId")
        if let tokenID, Masking.holdsCardNumber(tokenID) {
            throw fields.invalid("tokenId", "a token id, no card number")
        }
        cardLast4 = try fields.text("cardLast4")
        if let cardLast4, cardLast4.utf8.count != 4 || !cardLast4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            throw fields.invalid("cardLast4", "a text of four digits")
        }
        issuerID = try fields.text("issuerId")
        if let issuerID, !Issuer.isIssuerID(issuerID) {
            throw fields.invalid("issuerId", "ten characters of A–Z a–z 0–9 _")
        }
        attempt = try fields.integer("attempt", in: 1...1_000_000)
        direction = try fields.word("direction", Direction.self) ?? effect.usualDirection
        guard effect.works(direction) else {
            throw fields.fault(
                .neverMatches,
                "direction",
                "\(effect.name) never takes effect in direction \(direction.rawValue)"
            )
        }
    }

    private static var patternBounds: String {
        "at most \(FaultPattern.longest) bytes and \(FaultPattern.mostAsterisks) asterisks"
    }
}

extension FaultEffect {
    fileprivate var usualDirection: FaultMatch.Direction {
        if case .callback = self { .callback } else { .inbound }
    }

    /// Whether the effect means something in a direction: an outgoing call has no decision and no answer of ours.
    fileprivate func works(_ direction: FaultMatch.Direction) -> Bool {
        switch self {
        case .callback: direction == .callback
        case .delay, .respond, .connection: true
        case .networkError, .decision, .dribble, .corrupt, .commitThen: direction == .inbound
        }
    }
}

/// What may stand in a header (RFC 9110, section 5).
enum HeaderForm {
    static func isName(_ text: String) -> Bool {
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: marks.contains(byte)
                }
            }
    }

    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) || $0 >= 0x80 }
    }
}
