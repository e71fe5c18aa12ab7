import Core
import Masking
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
    /// Each consumer of an issuer once, however often it was named.
    let issuers: [D1Configuration.IssuerParams]
    /// The pictures, in base64, by issuer, consumer and card.
    private let pictures: [PictureName: String]

    private struct PictureName: Hashable {
        let issuerID: String
        let consumerID: String
        let cardID: String
    }

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange) {
        var fields = FieldReader(
            &exchange,
            ConfigureRequest.severalBody,
            strictness: exchange.settings.strictness
        )
        place = D1Fields.place(&fields, hasContext: false)
        appGroupID = fields.string(.appGroupID)
        var found: [IssuerMember] = []
        if fields.has(.issuerParamsList) {
            for var member in ConfigureRequest.objects(.issuerParamsList, &fields) {
                if let issuer = ConfigureRequest.issuer(&member, cards: .cardParams, &exchange) { found.append(issuer) }
                member.finish(into: &exchange)
            }
        } else if fields.isReadable {
            fields.table = ConfigureRequest.oneBody
            if let issuer = ConfigureRequest.issuer(&fields, cards: .cardParamsList, &exchange) { found.append(issuer) }
        }
        var issuers: [D1Configuration.IssuerParams] = []
        var pictures: [PictureName: String] = [:]
        for member in found {
            let known = issuers.firstIndex { $0.issuerID == member.issuerID && $0.consumerID == member.consumerID }
            let place = known ?? issuers.count
            if known == nil {
                issuers.append(.init(issuerID: member.issuerID, consumerID: member.consumerID, cards: []))
            }
            issuers[place].cards += member.cards.map(\.params)
            for card in member.cards {
                let cardID = card.params.cardID
                let name = PictureName(issuerID: member.issuerID, consumerID: member.consumerID, cardID: cardID)
                if pictures.updateValue(card.art, forKey: name) != nil {
                    let list = fields.has(.issuerParamsList) ? D1Field.issuerParamsList : .cardParamsList
                    fields.fail(list, D1Fault.parametersTwice, evidence: "card \(Masking.excerpt(cardID, 48))")
                }
            }
        }
        self.issuers = issuers
        self.pictures = pictures
        fields.finish(into: &exchange)
    }

    /// The configuration, and its pictures by their records' ids; nil while a member of the request is wrong.
    var content: (configuration: D1Configuration, art: [String: String])? {
        guard let deviceID = place.deviceID, let application = place.application, let appGroupID else { return nil }
        let configuration = D1Configuration(
            deviceID: deviceID,
            application: application,
            appGroupID: appGroupID,
            issuers: issuers
        )
        var art: [String: String] = [:]
        for issuer in issuers {
            for card in issuer.cards {
                let name = PictureName(issuerID: issuer.issuerID, consumerID: issuer.consumerID, cardID: card.cardID)
                art[configuration.artID(of: card, issuer)] = pictures[name]
            }
        }
        return (configuration, art)
    }

    private struct CardMember {
        let params: D1Configuration.CardParams
        let art: String
    }

    private struct IssuerMember {
        let issuerID: String
        let consumerID: String
        let cards: [CardMember]
    }

    /// The objects of a list that must hold at least one; an object stands for a list of it where the table says so.
    private static func objects(_ field: D1Field, _ fields: inout FieldReader<D1Field>) -> [FieldReader<D1Field>] {
        guard let members = fields.objects(field, most: 200) else { return [] }
        if members.count < 1 || members.count > 200 {
            fields.fail(field, D1Fault.parametersEmpty, evidence: "\(members.count) entries; 1 to 200 are taken")
        }
        return members.readers
    }

    private static func issuer(
        _ fields: inout FieldReader<D1Field>,
        cards field: D1Field,
        _ exchange: inout Exchange
    ) -> IssuerMember? {
        let issuerID = fields.string(.issuerId)
        let consumerID = fields.optionalString(.consumerId)
        if (consumerID ?? "").isEmpty { fields.fail(.consumerId, D1Fault.consumerIDMissing) }
        if let issuerID, !Issuer.isIssuerID(issuerID) { badForm(.issuerId, issuerID, &fields) }
        if let consumerID, !consumerID.isEmpty, !Consumer.isConsumerID(consumerID) {
            badForm(.consumerId, consumerID, &fields)
        }
        var cards: [CardMember] = []
        for var member in objects(field, &fields) {
            if let card = card(&member) { cards.append(card) }
            member.finish(into: &exchange)
        }
        guard let issuerID, let consumerID, !consumerID.isEmpty else { return nil }
        return IssuerMember(issuerID: issuerID, consumerID: consumerID, cards: cards)
    }

    private static func card(_ fields: inout FieldReader<D1Field>) -> CardMember? {
        let cardID = fields.string(.cardId)
        let title = fields.string(.productTitle)
        let art = fields.string(.cardArt)
        let last4 = fields.optionalString(.last4)
        if let cardID, !RegistryIdentifier.isValid(cardID, limit: RegistryIdentifier.cardLimit) {
            badForm(.cardId, cardID, &fields)
        }
        if let cardID, CardReference.holdsCardNumber(cardID) { fields.fail(.cardId, CardFault.cardReferenceIsPAN) }
        if let last4 {
            if last4.utf8.count != 4 || !last4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                fields.fail(.last4, D1Fault.last4Form, evidence: "\(last4.utf8.count) characters")
            }
        } else {
            fields.warn(.last4, D1Fault.sharedDevice, evidence: cardID.map { String($0.prefix(48)) })
        }
        if let art { judge(art, &fields) }
        guard let cardID, let title, let art else { return nil }
        return CardMember(params: .init(cardID: cardID, productTitle: title, last4: last4), art: art)
    }

    /// Notes the rules that card art breaks.
    private static func judge(_ text: String, _ fields: inout FieldReader<D1Field>) {
        guard let bytes = try? Base64.decode(text) else {
            return fields.doubt(.cardArt, D1Fault.cardArtUnreadable, evidence: "it is not base64")
        }
        let findings = CardArt.findings(in: bytes).filter(\.isBroken)
        if findings.isEmpty { return }
        let evidence = findings.map { "\($0.rule.rawValue): \($0.detail)" }.joined(separator: "; ")
        if findings.contains(where: { $0.rule == .format }) {
            fields.doubt(.cardArt, D1Fault.cardArtUnreadable, evidence: evidence)
        } else {
            fields.warn(.cardArt, D1Fault.cardArt, evidence: evidence)
        }
    }

    private static func badForm(_ field: D1Field, _ text: String, _ fields: inout FieldReader<D1Field>) {
        let evidence = "\(field.rawValue), \(text.utf8.count) characters"
        fields.fail(field, D1Fault.identifierForm, evidence: evidence)
    }
}
