import Core
import Traffic
import Wire

/// The SDK's `coreConfig` and `walletExtensionConfig` as one request: several issuers, or one.
struct ConfigureRequest: Sendable {
    private static let card = FieldTable<D1Field>(required: [.cardId, .productTitle, .cardArt], optional: [.last4])
    /// One issuer, with the name that its cards have. A consumerId that is not there has a code of its own.
    private static func issuer(cards field: D1Field) -> FieldTable<D1Field> {
        FieldTable(required: [.issuerId, field], optional: [.consumerId], inside: [field: card])
    }
    private static let common = D1Fields.place + FieldTable(required: [.appGroupID])
    static let severalBody =
        common
        + FieldTable(required: [.issuerParamsList], inside: [.issuerParamsList: issuer(cards: .cardParams)])
    static let oneBody = common + issuer(cards: .cardParamsList)

    let place: D1Fields.Place
    let appGroupID: String?
    let issuers: [D1Configuration.IssuerParams]

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        var fields = FieldReader(
            &exchange,
            ConfigureRequest.severalBody,
            strictness: exchange.settings.strictness
        )
        place = D1Fields.place(&fields, hasContext: false)
        appGroupID = fields.string(.appGroupID)
        var issuers: [D1Configuration.IssuerParams] = []
        if fields.has(.issuerParamsList) {
            for var member in ConfigureRequest.objects(.issuerParamsList, &fields) {
                if let issuer = ConfigureRequest.issuer(&member, cards: .cardParams, &exchange) {
                    issuers.append(issuer)
                }
                member.finish(into: &exchange)
            }
        } else if fields.isReadable {
            fields.table = ConfigureRequest.oneBody
            if let issuer = ConfigureRequest.issuer(&fields, cards: .cardParamsList, &exchange) {
                issuers.append(issuer)
            }
        }
        let names = issuers.map { "\($0.issuerID)/\($0.consumerID)" }
        if Set(names).count != names.count { fields.fail(.issuerParamsList, D1Fault.parametersTwice) }
        self.issuers = issuers
        fields.finish(into: &exchange)
    }

    /// The objects of a list that must hold at least one.
    private static func objects(_ field: D1Field, _ fields: inout FieldReader<D1Field>) -> [FieldReader<D1Field>] {
        guard let items = fields.array(field) else { return [] }
        if items.isEmpty || items.count > 200 {
            fields.fail(field, D1Fault.parametersEmpty, evidence: "\(items.count) entries")
        }
        return fields.objects(field, most: 200)
    }

    private static func issuer(
        _ fields: inout FieldReader<D1Field>,
        cards field: D1Field,
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
        for var member in objects(field, &fields) {
            if let card = card(&member) { cards.append(card) }
            member.finish(into: &exchange)
        }
        if Set(cards.map(\.cardID)).count != cards.count { fields.fail(field, D1Fault.parametersTwice) }
        guard let issuerID, let consumerID, !consumerID.isEmpty else { return nil }
        return D1Configuration.IssuerParams(issuerID: issuerID, consumerID: consumerID, cards: cards)
    }

    private static func card(_ fields: inout FieldReader<D1Field>) -> D1Configuration.CardParams? {
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

    private static func badForm(_ field: D1Field, _ text: String, _ fields: inout FieldReader<D1Field>) {
        let evidence = "\(field.rawValue), \(text.utf8.count) characters"
        fields.fail(field, D1Fault.identifierForm, evidence: evidence)
    }
}
