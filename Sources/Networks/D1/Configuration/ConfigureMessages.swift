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
                var member = FieldReader(object: object, strictness: strictness)
                if let issuer = ConfigureRequest.issuer(&member, cards: .cardParams, strictness, &exchange) {
                    issuers.append(issuer)
                }
                member.finish(into: &exchange, prefix: "issuerParamsList/\(index)")
            }
        } else if fields.isReadable,
            let issuer = ConfigureRequest.issuer(&fields, cards: .cardParamsList, strictness, &exchange)
        {
            issuers.append(issuer)
        }
        let names = issuers.map { "\($0.issuerID)/\($0.consumerID)" }
        if Set(names).count != names.count {
            fields.note(.failed("body.issuerParamsList", D1Fault.parametersTwice))
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
            fields.note(.failed("body.\(field.rawValue)", D1Fault.parametersEmpty, evidence: "\(items.count) entries"))
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
        if (consumerID ?? "").isEmpty { fields.note(.failed("body.consumerId", D1Fault.consumerIDMissing)) }
        if let issuerID, !Issuer.isIssuerID(issuerID) { badForm("issuerId", issuerID, &fields) }
        if let consumerID, !consumerID.isEmpty, !Consumer.isConsumerID(consumerID) {
            badForm("consumerId", consumerID, &fields)
        }
        var cards: [D1Configuration.CardParams] = []
        for (index, object) in objects(field, &fields).enumerated() {
            var member = FieldReader(object: object, strictness: strictness)
            if let card = card(&member) { cards.append(card) }
            member.finish(into: &exchange, prefix: "\(field.rawValue)/\(index)")
        }
        if Set(cards.map(\.cardID)).count != cards.count {
            fields.note(.failed("body.\(field.rawValue)", D1Fault.parametersTwice))
        }
        guard let issuerID, let consumerID, !consumerID.isEmpty else { return nil }
        return D1Configuration.IssuerParams(issuerID: issuerID, consumerID: consumerID, cards: cards)
    }

    private static func card(_ fields: inout FieldReader) -> D1Configuration.CardParams? {
        let cardID = fields.string(.cardId)
        let title = fields.string(.productTitle)
        let art = fields.string(.cardArt)
        let last4 = fields.optionalString(.last4)
        if let cardID, !D1Identifier.isValid(cardID, limit: D1Identifier.cardLimit) {
            badForm("cardId", cardID, &fields)
        }
        if let last4 {
            if last4.utf8.count != 4 || !last4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                fields.note(.failed("body.last4", D1Fault.last4Form, evidence: "\(last4.utf8.count) characters"))
            }
        } else {
            fields.note(.warning("body.last4", D1Fault.sharedDevice, evidence: cardID.map { String($0.prefix(48)) }))
        }
        if let art { fields.note(contentsOf: artWarnings(art)) }
        guard let cardID, let title, let art else { return nil }
        return D1Configuration.CardParams(cardID: cardID, productTitle: title, cardArt: art, last4: last4)
    }

    private static func artWarnings(_ text: String) -> [Check] {
        guard let bytes = try? Base64.decode(text) else {
            return [.warning("body.cardArt", D1Fault.cardArt, evidence: "not base64")]
        }
        let findings = CardArt.findings(in: bytes).filter(\.isBroken)
        guard !findings.isEmpty else { return [] }
        let rules = findings.map(\.rule.rawValue).joined(separator: ", ")
        return [.warning("body.cardArt", D1Fault.cardArt, evidence: rules)]
    }

    private static func badForm(_ name: String, _ text: String, _ fields: inout FieldReader) {
        fields.note(
            .failed("body.\(name)", D1Fault.identifierForm, evidence: "\(name), \(text.utf8.count) characters")
        )
    }
}
