import Core
import Wire

/// What D1 tells an issuer's backend (thales-push-provisioning 5.5). Only cards of consumers are D1's.
enum D1Notifications {
    static func contents(for event: DomainEvent, in view: View) throws -> [CallbackContent] {
        switch event {
        case .tokenMade(let token, let card):
            return card.consumerID == nil ? [] : [digitized(token, card: card)]
        case .tokenChanged(let token, let event):
            guard try view.store.record(Card.self, token.cardRecordID)?.consumerID != nil else { return [] }
            return [digitalCard(token, word(event))]
        case .cardChanged(let card, let operation, let operationID):
            let renewed = operation == .renew || operation == .replace ? try view.liveTokens(of: card) : []
            return try renewed.filter { token in
                try view.store.record(Card.self, token.cardRecordID)?.consumerID != nil
            }.map { digitalCard($0, "RENEW") } + [cardOperation(card, operation, operationID, at: view.now)]
        }
    }

    /// Notify card, `DIGITIZE`.
    private static func digitized(_ token: Token, card: Card) -> CallbackContent {
        CallbackContent(
            face: "d1",
            operation: "d1.notifyCard",
            issuerID: card.issuerID,
            tokenID: token.tokenID,
            path: "/notifications/d1/v1/issuers/\(card.issuerID)/cards/\(card.reference)/notifications"
        ) { operationID in
            [
                "operationId": .string(operationID), "operation": "DIGITIZE",
                "digitalCardIds": [.string(token.tokenID)], "status": "SUCCESSFUL",
            ]
        }
    }

    /// Activation is told as `RESUME`.
    private static func word(_ event: TokenEvent) -> String {
        switch event {
        case .activate, .resume: "RESUME"
        case .suspend: "SUSPEND"
        case .delete, .expire: "DELETE"
        }
    }

    /// Notify digital card operation.
    private static func digitalCard(_ token: Token, _ word: String) -> CallbackContent {
        CallbackContent(
            face: "d1",
            operation: "d1.notifyDigitalCard",
            issuerID: token.issuerID,
            tokenID: token.tokenID,
            path: "/notifications/d1/v1/issuers/\(token.issuerID)/digitalCards/\(token.tokenID)/notifications"
        ) { operationID in
            ["operationId": .string(operationID), "operation": .string(word), "status": "SUCCESSFUL"]
        }
    }

    /// Notify card operations, version 2.
    private static func cardOperation(
        _ card: Card,
        _ operation: CardOperation,
        _ operationID: String,
        at now: Instant
    ) -> CallbackContent {
        CallbackContent(
            face: "d1",
            operation: "d1.notifyCardOperations",
            issuerID: card.issuerID,
            tokenID: nil,
            path: "/notifications/d1/v2/issuers/\(card.issuerID)/cards"
        ) { _ in
            [
                [
                    "operationId": .string(operationID), "operation": .string(operation.rawValue.uppercased()),
                    "status": "SUCCESSFUL", "startTime": .string(RFC3339.format(now)),
                    "cardId": .string(card.reference),
                ]
            ]
        }
    }
}
