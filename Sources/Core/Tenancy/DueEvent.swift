package import Wire

/// Something that happens to a world by itself at a time of the tenant's clock.
package struct DueEvent: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "due"
    /// Most steps of one plan; scenarios have three.
    package static let eventLimit = 8

    /// What happens then.
    package enum Action: Sendable, Equatable {
        /// The token's activation period ends.
        case expireToken(String)
        /// The issuer changes the token as a scenario wants it: by the first of these events, and ``Scenario/stepSeconds``
        /// later by the next.
        case changeToken(String, [TokenEvent], reason: String)
        /// The issuer replaces the card with this record id: a new number under the same reference.
        case replaceCard(String)
    }

    /// When it happens, by the tenant's clock.
    package let at: Instant
    /// Of two events at one time the one that was planned first comes first.
    package let order: Int64
    /// What happens.
    package let action: Action

    /// Made of its members.
    package init(at: Instant, order: Int64, action: Action) {
        self.at = at
        self.order = order
        self.action = action
    }

    /// The id under which a tenant has this record.
    package var recordID: String { String(order) }
    /// The member that keeps its order, given out once in a tenant.
    package var counted: (member: String, number: Int64)? { ("order", order) }

    /// What the store keeps of it.
    package var document: JSON {
        func document(_ name: String, _ subject: String) -> JSON {
            ["at": .instant(at), "order": .number(order), "action": .string(name), "subject": .string(subject)]
        }
        return switch action {
        case .expireToken(let tokenID): document("expireToken", tokenID)
        case .changeToken(let tokenID, let events, let reason):
            document("changeToken", tokenID).adding("events", .strings(events.map(\.rawValue)))
                .adding("reason", .string(reason))
        case .replaceCard(let recordID): document("replaceCard", recordID)
        }
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(DueEvent.kind, document)
        at = try reader.instant("at")
        order = try reader.integer("order")
        let subject = try reader.string("subject")
        switch try reader.string("action") {
        case "expireToken": action = .expireToken(subject)
        case "changeToken":
            let events = try reader.words("events", TokenEvent.self)
            guard events.count <= DueEvent.eventLimit else { throw RecordFault(kind: DueEvent.kind, member: "events") }
            action = .changeToken(subject, events, reason: try reader.string("reason"))
        case "replaceCard": action = .replaceCard(subject)
        default: throw RecordFault(kind: DueEvent.kind, member: "action")
        }
    }
}

extension World {
    /// Plans something; it has happened before anyone sees the world at a later time.
    package func plan(_ action: DueEvent.Action, at time: Instant) throws {
        let event = DueEvent(at: time, order: nextSequence(), action: action)
        try store.put(event)
        planned.append(event)
        tenant.nextDueAt = min(tenant.nextDueAt ?? time, time)
    }

    /// - Parameter policy: what a drawn card number must fit.
    func perform(_ event: DueEvent, policy: PANPolicy) throws {
        switch event.action {
        case .expireToken(let tokenID):
            // Activated or deleted in the meantime: the period no longer matters.
            guard var token = try store.record(Token.self, tokenID), token.state == .inactive else { return }
            _ = try apply(.expire, to: &token, by: .network, reason: "not activated in time")
        case .changeToken(let tokenID, let events, let reason):
            guard let next = events.first, var token = try store.record(Token.self, tokenID) else { return }
            // Somebody else changed the token in the meantime: what its life cycle refuses now does not happen.
            _ = try apply(next, to: &token, by: .issuer, reason: reason)
            let rest = Array(events.dropFirst())
            guard !rest.isEmpty, token.state != .deleted else { return }
            try plan(.changeToken(tokenID, rest, reason: reason), at: now.adding(seconds: Scenario.stepSeconds))
        case .replaceCard(let recordID):
            // A card that was closed takes no new number.
            guard let card = try store.record(Card.self, recordID) else { return }
            _ = try apply(.replace(nil, nil), to: card, policy: policy)
        }
    }
}
