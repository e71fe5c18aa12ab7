import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// Suspend, resume, delete, renew and replace a card (thales-push-provisioning 5.3).
struct CardOperationHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1IssuerCallers(services: services)
        return CardOperation.allCases.flatMap { operation in
            let card = "/issuers/{issuerId}/cards/{cardId}"
            let name = "d1.\(operation.rawValue)Card"
            return [
                Endpoint(
                    Route(name, .post, "/banking/v2\(card)/operations/\(operation.rawValue)", .documented),
                    caller: callers
                ) {
                    try await perform(operation, &$0, $1)
                },
                Endpoint(
                    Route(name, .post, "/banking/v1\(card)/operations:\(operation.rawValue)", .documented),
                    caller: callers
                ) {
                    try await perform(operation, &$0, $1)
                },
            ]
        }
    }

    private func perform(
        _ operation: CardOperation,
        _ exchange: inout Exchange,
        _ caller: D1IssuerCaller
    ) async throws -> HTTPResponse {
        let request = CardOperationRequest(&exchange, operation, caller.strictness)
        let content = try await open(request, operation, caller, &exchange)
        try exchange.refuseIfFailed()
        let (issuerID, cardID) = (caller.issuerID, exchange.parameters["cardId"])
        let reason = request.reason
        let operationID = try await services.decide(&exchange, verifiedWith: [caller.issuer]) {
            world -> Checked<String> in
            guard let found = try world.view.registeredCard(issuerID: issuerID, cardID: cardID) else {
                return Checked(value: nil, checks: [CardReadHandler.unknown(cardID)])
            }
            var checks = [
                operation.check(reason, state: found.card.state, suspendedFor: found.details?.suspendedFor)
            ]
            var replacement: (pan: PAN, expiry: CardExpiry)?
            if let expiry = content?.expiry {
                let number = try world.store.number(of: found.card.vaultOwner).flatMap { PAN($0) }
                let pan = content?.pan ?? number
                if let pan { replacement = (pan, expiry) }
                checks += try world.view.replacementChecks(operation, pan, for: found.card)
                    .at(D1IssuerField.encryptedData.place)
            }
            guard checks.allSatisfy(\.passed) else { return Checked(value: nil, checks: checks) }
            let id = try world.perform(operation, reason, on: found.card, replacement: replacement)
            return Checked(value: id, checks: checks)
        }
        return .json(["operationId": .string(operationID), "status": "SUCCESSFUL"])
    }

    /// The new number and expiry, when the operation takes them and they were sent.
    private func open(
        _ request: CardOperationRequest,
        _ operation: CardOperation,
        _ caller: D1IssuerCaller,
        _ exchange: inout Exchange
    ) async throws -> EncryptedCard? {
        guard let text = request.encryptedData else { return nil }
        let rules = CardNumberRules(
            policy: services.worlds.environment.panPolicy,
            strictness: caller.strictness,
            now: caller.now
        )
        let recipients = EncryptedCard.recipients(services)
        let opened = try await services.lane.run {
            try EncryptedCard.open(
                text,
                recipients: recipients,
                rules: rules,
                needsNumber: operation == .replace
            )
        }
        let content = exchange.take(opened.at(D1IssuerField.encryptedData.place))
        if let pan = content?.pan { exchange.subject.note(pan) }
        return content
    }
}

/// The optional body of an operation.
struct CardOperationRequest: Sendable {
    /// A number that a replacement lacks has a code of its own.
    static func body(_ operation: CardOperation) -> FieldTable<D1IssuerField> {
        let takesNumber = operation == .renew || operation == .replace
        return FieldTable(optional: [.reason, .reasonCode] + (takesNumber ? [.encryptedData] : []))
    }

    let reason: CardOperation.Reason
    let encryptedData: String?

    init(_ exchange: inout Exchange, _ operation: CardOperation, _ strictness: Strictness) {
        var text: String?
        var data: String?
        if !exchange.hasDocument {
            if operation == .replace {
                exchange.note(.failed(D1IssuerField.encryptedData.place, D1IssuerFault.replacementMissing))
            }
        } else {
            var fields = FieldReader(&exchange, CardOperationRequest.body(operation), strictness: strictness)
            // Both spellings are taken: the digital-card API has `reasonCode`, card pages speak of the reason.
            text = fields.optionalString(.reason)
            text = fields.optionalString(.reasonCode) ?? text
            if operation == .renew || operation == .replace { data = fields.optionalString(.encryptedData) }
            if operation == .replace, data == nil, fields.isReadable {
                fields.fail(.encryptedData, D1IssuerFault.replacementMissing)
            }
            if let text, CardOperation.Reason(rawValue: text) == nil {
                fields.fail(.reason, D1IssuerFault.fieldValue, evidence: Masking.excerpt(text, 64))
            }
            fields.finish(into: &exchange)
        }
        // The documented default of version 1.
        reason = text.flatMap(CardOperation.Reason.init(rawValue:)) ?? .issuerDecision
        encryptedData = data
    }
}
