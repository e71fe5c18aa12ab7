import Core
import Traffic
import Wire

/// The SDK's `coreConfig` and `walletExtensionConfig` as one request: several issuers, or one.
struct ConfigureRequest: Sendable {
    let place: D1Fields.Place
    let appGroupID: String?
    let issuers: [D1Configuration.IssuerParams]

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        let strictness = exchange.settings.strictness
        var fields = FieldReader(&exchange, strictness: strictness)
        place = D1Fields.place(&fields, hasContext: false)
        appGroupID = fields.string(.appGroupID)
        var issuers: [D1Configuration.IssuerParams] = []
        if fields.has(.issuerParamsList) {
            for (index, object) in ConfigureRequest.objects(.issuerParamsList, &fields).enumerated() {
                let pointer = "/issuerParamsList/\(index)"
                var member = FieldReader(object: object, at: pointer, strictness: strictness)
                if let issuer = ConfigureRequest.issuer(&member, cards: .cardParams, strictness, &exchange) {
                    issuers.append(issuer)
                }
                member.finish(into: &exchange)
            }
        } else if fields.isReadable,
            let issuer = ConfigureRequest.issuer(&fields, cards: .cardParamsList, strictness, &exchange)
        {
            issuers.append(issuer)
        }
        let names = issuers.map { "\($0.issuerID)/\($0.consumerID)" }
        if Set(names).count != names.count {
            fields.fail(.issuerParamsList, D1Fault.parametersTwice)
        }
        self.issuers = issuers
        fields.finish(into: &exchange)
    }

    /// The objects of a list that must hold at least one.
    private static func objects(_ field: Field, _ fields: inout FieldReader) -> [JSONObject] {
        guard let value = fields.value(field) else {
            fields.fail(field, .missing)
            return []
        }
        guard let items = value.array else {
            fields.fail(field, .wrongType, evidence: "an array is wanted, found \(value.typeName)")
            return []
        }
        if items.isEmpty || items.count > 200 {
            fields.fail(field, D1Fault.parametersEmpty, evidence: "\(items.count) entries")
        }
        return items.prefix(200).compactMap { item in
            if let object = item.object { return object }
            fields.fail(field, .wrongType, evidence: "a list of objects is wanted, found \(item.typeName)")
            return nil
        }
    }

    private static func issuer(
        _ fields: inout FieldReader,
        cards field: Field,
        _ strictness: Strictness,
        _ exchange: inout Exchange
    ) -> D1Configuration.IssuerParams? {
        let issuerID = fields.string(.issuerId)
        let consumerID = fields.optionalString(.consumerId)
        if (consumerID ?? "").isEmpty { fields.fail(.consumerId, D1Fault.consumerIDMissing) }
        if let issuerID, !Issuer.isIssuerID(issuerID) { badForm(.issuerId, issuerID, &fields) }
        if let consumerID, !consumerID.isEmpty, !Consumer.isConsumerID(consumerID) {
            badForm(.consumerId, consumerID, &fields)
        }
        var cards: [D1Configuration.CardParams] = []
        for (index, object) in objects(field, &fields).enumerated() {
            let pointer = "\(fields.pointer)/\(field.rawValue)/\(index)"
            var member = FieldReader(object: object, at: pointer, strictness: strictness)
            if let card = card(&member) { cards.append(card) }
            member.finish(into: &exchange)
        }
        if Set(cards.map(\.cardID)).count != cards.count {
            fields.fail(field, D1Fault.parametersTwice)
        }
        guard let issuerID, let consumerID, !consumerID.isEmpty else { return nil }
        return D1Configuration.IssuerParams(issuerID: issuerID, consumerID: consumerID, cards: cards)
    }

    private static func card(_ fields: inout FieldReader) -> D1Configuration.CardParams? {
        let cardID = fields.string(.cardId)
        let title = fields.string(.productTitle)
        let art = fields.string(.cardArt)
        let last4 = fields.optionalString(.last4)
        if let cardID, !RegistryIdentifier.isValid(cardID, limit: RegistryIdentifier.cardLimit) {
            badForm(.cardId, cardID, &fields)
        }
        if let last4 {
            if last4.utf8.count != 4 || !last4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                fields.fail(.last4, D1Fault.last4Form, evidence: "\(last4.utf8.count) characters")
            }
        } else {
            fields.warn(.last4, D1Fault.sharedDevice, evidence: cardID.map { String($0.prefix(48)) })
        }
        if let art, let evidence = artFindings(art) { fields.warn(.cardArt, D1Fault.cardArt, evidence: evidence) }
        guard let cardID, let title, let art else { return nil }
        return D1Configuration.CardParams(cardID: cardID, productTitle: title, cardArt: art, last4: last4)
    }

    /// The rules that card art breaks; nil when it breaks none.
    private static func artFindings(_ text: String) -> String? {
        guard let bytes = try? Base64.decode(text) else { return "not base64" }
        let findings = CardArt.findings(in: bytes).filter(\.isBroken)
        return findings.isEmpty ? nil : findings.map(\.rule.rawValue).joined(separator: ", ")
    }

    private static func badForm(_ field: Field, _ text: String, _ fields: inout FieldReader) {
        let evidence = "\(field.rawValue), \(text.utf8.count) characters"
        fields.fail(field, D1Fault.identifierForm, evidence: evidence)
    }
}
