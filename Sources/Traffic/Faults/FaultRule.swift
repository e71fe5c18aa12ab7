package import Core
package import Wire

/// One rule of a tenant that breaks what it matches (CONTRACT, section 6).
package struct FaultRule: Record, Equatable {
    package static let kind = "fault"
    /// Far more than any rule counts.
    private static let largestCount: Int64 = 1 << 52

    /// 1 to 64 characters of A–Z, a–z, 0–9, `.`, `_` and `-`; it stands in the journal and in a header.
    package let id: String
    package let match: FaultMatch
    package let effect: FaultEffect
    package let trigger: FaultTrigger
    /// The rule as it was put, with its id.
    package let given: JSONObject
    /// Of two rules that match, the one with the lower number is asked first.
    package let order: Int64
    package let createdAt: Instant
    /// Requests so far that matched and that the effect could change, those that were skipped included.
    package var seen: Int64 = 0
    /// How often the rule took effect.
    package var fired: Int64 = 0

    package init(_ draft: FaultRuleDraft, id: String, order: Int64, createdAt: Instant) {
        self.id = id
        match = draft.match
        effect = draft.effect
        trigger = draft.trigger
        var given = JSONObject([("id", .string(id))])
        for member in draft.given.members where member.key != "id" { given[member.key] = member.value }
        self.given = given
        self.order = order
        self.createdAt = createdAt
    }

    package var recordID: String { id }

    /// Bytes of the rule as JSON.
    package var size: Int { JSON.object(given).text.utf8.count }

    package var document: JSON {
        [
            "rule": .object(given), "order": .number(order), "createdAt": .instant(createdAt), "seen": .number(seen),
            "fired": .number(fired),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(FaultRule.kind, document)
        let draft: FaultRuleDraft
        do {
            draft = try FaultRuleDraft(reader.value("rule") ?? .null)
        } catch {
            throw RecordFault(kind: FaultRule.kind, member: "rule")
        }
        guard let id = draft.id else { throw RecordFault(kind: FaultRule.kind, member: "rule/id") }
        self.init(draft, id: id, order: try reader.integer("order"), createdAt: try reader.instant("createdAt"))
        let counts = 0...FaultRule.largestCount
        seen = try reader.integer("seen")
        fired = try reader.integer("fired")
        guard counts.contains(seen) else { throw RecordFault(kind: FaultRule.kind, member: "seen") }
        guard counts.contains(fired), fired <= seen else { throw RecordFault(kind: FaultRule.kind, member: "fired") }
        guard counts.contains(order) else { throw RecordFault(kind: FaultRule.kind, member: "order") }
        guard TenantClock.isInBounds(createdAt) else { throw RecordFault(kind: FaultRule.kind, member: "createdAt") }
    }

    /// The rule as the control API prints it: as it was put, and its counters.
    package var json: JSON {
        .object(given).adding("seen", .number(seen)).adding("fired", .number(fired))
            .adding("createdAt", .string(RFC3339.format(createdAt)))
    }
}

extension FaultRule {
    /// One answer to "does the rule fire now?". The rule's counters have moved with it.
    package struct Claim: Sendable, Equatable {
        /// The number of the matching request, from 0; what the rule draws depends on it.
        package let turn: Int64
        /// False when the request is one that the trigger lets pass.
        package let fires: Bool
        /// Of the rule: another one may have its id by now.
        let order: Int64
    }

    /// Whether what the rule does depends on its counters, so that they must outlive the server.
    package var isCounted: Bool { trigger.isCounted || effect.draws }

    /// Whether the rule can still fire at this tenant time.
    package func isActive(at now: Instant) -> Bool {
        guard hasTurns else { return false }
        if let life = trigger.ttlSeconds, now >= createdAt.adding(seconds: life) { return false }
        return true
    }

    /// Whether it has not fired as often as it may.
    var hasTurns: Bool { trigger.times.map { fired < $0 } ?? true }

    /// Counts a matching request; nil when the rule is over.
    mutating func claim(at now: Instant, seed: UInt64) -> Claim? {
        guard isActive(at: now) else { return nil }
        let turn = seen
        seen += 1
        var fires = turn >= trigger.skip
        if fires, let probability = trigger.probability {
            var draws = draws(seed: seed, turn: turn)
            fires = draws.fraction() < probability
        }
        if fires { fired += 1 }
        return Claim(turn: turn, fires: fires, order: order)
    }

    /// Takes a claim back, as if there had been no request. When another request has the next turn already, this one's is
    /// lost: no two requests draw the same.
    mutating func takeBack(_ claim: Claim) {
        if claim.fires { fired -= 1 }
        if claim.turn == seen - 1 { seen -= 1 }
    }

    /// What the rule draws at one turn; the same for the same seed, id and turn, whatever else happened.
    package func draws(seed: UInt64, turn: Int64) -> Draws {
        // FNV-1a: the id only has to give different rules different seeds; Draws hashes it all.
        let own = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Draws(seed: seed ^ own, count: UInt64(clamping: turn) << 8)
    }
}

extension Draws {
    /// A number from 0 up to, and without, 1.
    package mutating func fraction() -> Double {
        let number = bytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Double(number >> 11) / Double(1 << 53 as UInt64)
    }
}
