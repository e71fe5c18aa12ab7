package import Wire

/// One line of a token's history. A record of its own, so that no document grows with use; only who asks for the history
/// reads it.
package struct TokenChange: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "tokenChange"

    /// The state after it.
    package let tokenID: String
    /// Counts the token's changes from 1.
    package let number: Int64
    /// When it happened, by the tenant's clock.
    package let at: Instant
    /// `create` or the event.
    package let event: String
    /// Who asked for it.
    package let by: LifecycleActor
    /// Why, in the caller's words; nil when nothing was said.
    package let reason: String?
    /// Nil for the change that made the token.
    package let from: TokenState?
    /// The state after it.
    package let to: TokenState

    init(
        tokenID: String,
        number: Int64,
        at: Instant,
        event: String,
        by: LifecycleActor,
        reason: String?,
        from: TokenState?,
        to: TokenState
    ) {
        self.tokenID = tokenID
        self.number = number
        self.at = at
        self.event = event
        self.by = by
        self.reason = reason
        self.from = from
        self.to = to
    }

    /// The change that made the token.
    init(creating token: Token) {
        self.init(
            tokenID: token.tokenID,
            number: 1,
            at: token.createdAt,
            event: "create",
            by: .network,
            reason: nil,
            from: nil,
            to: token.state
        )
    }

    /// Found by its number, without a key: that would be one more row for each change.
    package var recordID: String { TokenChange.recordID(tokenID: tokenID, number: number) }
    /// The records without which it makes no sense.
    package var references: [RecordReference] { [RecordReference("tokenId", Token.self, tokenID)] }

    /// Whether it is remembered: a load of changes would drive out all else.
    package static var isRemembered: Bool { false }

    static func recordID(tokenID: String, number: Int64) -> String { "\(tokenID)/\(number)" }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "tokenId": .string(tokenID), "number": .number(number), "at": .instant(at), "event": .string(event),
            "by": .string(by.rawValue), "reason": .optional(reason), "from": .optional(from?.rawValue),
            "to": .string(to.rawValue),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(TokenChange.kind, document)
        tokenID = try reader.string("tokenId")
        number = try reader.integer("number")
        at = try reader.instant("at")
        event = try reader.string("event")
        by = try reader.word("by", LifecycleActor.self)
        reason = try reader.optionalString("reason")
        from = try reader.optionalWord("from", TokenState.self)
        to = try reader.word("to", TokenState.self)
    }
}

extension View {
    /// Everything that happened to the token, the oldest first.
    package func history(of token: Token) throws -> [TokenChange] {
        try (0..<token.changes).compactMap { index in
            let id = TokenChange.recordID(tokenID: token.tokenID, number: index + 1)
            return try store.record(TokenChange.self, id)
        }
    }
}
