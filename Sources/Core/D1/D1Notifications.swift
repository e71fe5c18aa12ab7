import Wire

/// What D1 tells an issuer's backend (thales-push-provisioning 5.5). Only cards of consumers are D1's.
extension World {
    /// A digital card was made: notify card, `DIGITIZE`.
    func notifyDigitized(_ token: Token, card: Card) throws {
        guard card.consumerID != nil else { return }
        try queue { operationID in
            CallbackContent(
                face: "d1",
                operation: "d1.notifyCard",
                issuerID: card.issuerID,
                tokenID: token.tokenID,
                path: "/notifications/d1/v1/issuers/\(card.issuerID)/cards/\(card.reference)/notifications",
                body: [
                    "operationId": .string(operationID), "operation": "DIGITIZE",
                    "digitalCardIds": [.string(token.tokenID)], "status": "SUCCESSFUL",
                ]
            )
        }
    }

    /// A digital card changed: notify digital card operation. Activation is told as `RESUME`.
    func notifyChanged(_ token: Token, _ event: TokenEvent) throws {
        let word =
            switch event {
            case .activate, .resume: "RESUME"
            case .suspend: "SUSPEND"
            case .delete, .expire: "DELETE"
            }
        try notifyDigitalCard(token, word)
    }

    /// The card behind a digital card has a new number or expiry.
    func notifyRenewed(_ token: Token) throws { try notifyDigitalCard(token, "RENEW") }

    private func notifyDigitalCard(_ token: Token, _ word: String) throws {
        guard try store.record(Card.self, token.cardRecordID)?.consumerID != nil else { return }
        try queue { operationID in
            CallbackContent(
                face: "d1",
                operation: "d1.notifyDigitalCard",
                issuerID: token.issuerID,
                tokenID: token.tokenID,
                path: "/notifications/d1/v1/issuers/\(token.issuerID)/digitalCards/\(token.tokenID)/notifications",
                body: ["operationId": .string(operationID), "operation": .string(word), "status": "SUCCESSFUL"]
            )
        }
    }

    /// An operation on a card that the issuer asked for was done: notify card operations, version 2.
    func notifyCardOperation(_ card: Card, _ word: String, operationID: String) throws {
        try queue { _ in
            CallbackContent(
                face: "d1",
                operation: "d1.notifyCardOperations",
                issuerID: card.issuerID,
                tokenID: nil,
                path: "/notifications/d1/v2/issuers/\(card.issuerID)/cards",
                body: [
                    [
                        "operationId": .string(operationID), "operation": .string(word), "status": "SUCCESSFUL",
                        "startTime": .string(RFC3339.format(now)), "cardId": .string(card.reference),
                    ]
                ]
            )
        }
    }
}
