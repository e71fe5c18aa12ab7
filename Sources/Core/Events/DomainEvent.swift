/// What happened in a world, told in the transaction of the change. A face makes of it what its network would tell.
package enum DomainEvent: Sendable {
    /// A token of the card was made.
    case tokenMade(Token, card: Card)
    /// The token, as it is now, took an event of its life cycle.
    case tokenChanged(Token, TokenEvent)
    /// The card, as it is now, is changed as its issuer asked; `operationID` is what the issuer was answered.
    case cardChanged(Card, CardOperation, operationID: String)

    /// Makes the calls to the issuer that one face owes for an event; in the order in which they are queued.
    package typealias Listener = @Sendable (DomainEvent, View) throws -> [CallbackContent]
}

extension World {
    /// Queues what the faces make of an event.
    func tell(_ event: DomainEvent) throws {
        for listener in environment.listeners {
            for content in try listener(event, view) { try queue(content) }
        }
    }
}
