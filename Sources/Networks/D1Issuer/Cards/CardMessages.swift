package import Core
package import Crypto
import Masking
import Traffic
package import Wire

/// One card of a registration, before its encrypted part is opened.
struct CardRegistrationRequest: Sendable {
    private static let common = FieldTable<D1IssuerField>(
        required: [.encryptedData],
        optional: [.cardProductId, .accountId, .state, .nameOnCard]
    )
    private static let listed = common + FieldTable(required: [.cardId])
    static let putBody = common + FieldTable(required: [.consumerId])
    static let createBody = putBody + FieldTable(required: [.cardId])
    static let listBody = FieldTable<D1IssuerField>(required: [.cards], inside: [.cards: listed])

    let cardID: String?
    let consumerID: String?
    let productID: String?
    /// Nil when the member is absent.
    let isActive: Bool?
    let encryptedData: String?
    let holderName: String?

    /// - Parameters:
    ///   - cardID: of the path; nil reads it from the body.
    ///   - consumerID: of the path; nil reads it from the body.
    init(
        _ fields: inout FieldReader<D1IssuerField>,
        cardID pathCard: String?,
        consumerID pathConsumer: String?,
        _ exchange: inout Exchange
    ) {
        if let pathCard {
            cardID = pathCard
        } else {
            cardID = fields.string(.cardId).flatMap {
                D1IssuerFields.cardID($0, "body.cardId", at: fields.place(.cardId), &exchange)
            }
        }
        if let pathConsumer {
            consumerID = pathConsumer
        } else {
            consumerID = fields.string(.consumerId).flatMap {
                D1IssuerFields.consumerID($0, "body.consumerId", at: fields.place(.consumerId), &exchange)
            }
        }
        productID = fields.optionalString(.cardProductId).flatMap {
            let place = fields.place(.cardProductId)
            return D1IssuerFields.identifier($0, "body.cardProductId", at: place, limit: 48, &exchange)
        }
        _ = fields.optionalString(.accountId)
        let state = fields.optionalString(.state)
        if let state, !["ACTIVE", "INACTIVE"].contains(state) {
            let evidence = "\(Masking.excerpt(state, 24)); ACTIVE or INACTIVE"
            fields.fail(.state, D1IssuerFault.fieldValue, evidence: evidence)
        }
        isActive = state.map { $0 != "INACTIVE" }
        encryptedData = fields.string(.encryptedData)
        holderName = fields.optionalString(.nameOnCard)
        if let holderName, !CardRegistrationRequest.isEmbossable(holderName) {
            fields.fail(.nameOnCard, D1IssuerFault.fieldForm, evidence: "26 of A–Z a–z . - and space")
        }
    }

    /// `^[a-zA-Z. -]{0,26}$` (thales-push-provisioning 5.3).
    private static func isEmbossable(_ text: String) -> Bool {
        text.utf8.count <= 26
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E: true
                default: false
                }
            }
    }
}

/// Opens `encryptedData` and reads the card in it.
package struct EncryptedCard: Sendable {
    package let pan: PAN?
    package let expiry: CardExpiry?

    /// On the crypto lane.
    ///
    /// - Parameters:
    ///   - network: the one the card is said to be of, if anything says so.
    ///   - needsNumber: false for a renewal, which may bring the expiry alone.
    package static func open(
        _ text: String,
        recipients: [JWERecipient],
        rules: CardNumberRules,
        network: PaymentNetwork? = nil,
        needsNumber: Bool = true
    ) throws -> Checked<EncryptedCard> {
        let opened = try JWEOpener(recipients: recipients).open(text, field: field)
        guard let plaintext = opened.value else { return Checked(value: nil, checks: opened.checks) }
        var bytes = plaintext.bytes
        defer { for index in bytes.indices { bytes[index] = 0 } }
        var checks = opened.checks
        let json: JSON
        do throws(JSONFault) {
            json = try JSON.parse(bytes)
        } catch {
            checks.append(
                error.isLongNumber(at: "/pan")
                    ? .failed("\(field).pan", CardFault.panIsNumber, evidence: error.place)
                    : .failed(
                        "\(field).json",
                        CardFault.unreadable(error),
                        evidence: "\(error.reason.rawValue) at \(error.place)"
                    )
            )
            return Checked(value: nil, checks: checks)
        }
        guard json.object != nil else {
            checks.append(.failed("\(field).json", CardFault.payloadNotJSON, evidence: "a JSON \(json.typeName)"))
            return Checked(value: nil, checks: checks)
        }
        let pan = pan(json["pan"], needsNumber, &checks)
        let expiry = expiry(json["exp"], &checks)
        if let expiry, let odd = rules.orderCheck(of: expiry, subject: "\(field).exp") { checks.append(odd) }
        if let pan { checks += rules.checks(of: pan, network: network, subject: "\(field).pan") }
        for key in json.object?.keys ?? [] where !["pan", "exp"].contains(key) {
            let isCode = ["cvv", "cvv2", "cvc", "cvc2"].contains(key.lowercased())
            checks.append(
                .warning(
                    "\(field).\(Masking.excerpt(key, 40))",
                    isCode ? CardFault.securityCodeNotWanted : CardFault.unknownMember,
                    evidence: Masking.excerpt(key, 40)
                )
            )
        }
        return Checked(value: EncryptedCard(pan: pan, expiry: expiry), checks: checks)
    }

    private static let field = "encryptedData"

    private static func pan(_ value: JSON?, _ isNeeded: Bool, _ checks: inout [Check]) -> PAN? {
        guard let value, !value.isNull else {
            if isNeeded { checks.append(.failed("\(field).pan", CardFault.panMissing)) }
            return nil
        }
        guard let text = value.string else {
            checks.append(.failed("\(field).pan", CardFault.panIsNumber, evidence: value.typeName))
            return nil
        }
        guard let pan = PAN(text) else {
            checks.append(.failed("\(field).pan", CardFault.panMalformed, evidence: "\(text.utf8.count) characters"))
            return nil
        }
        return pan
    }

    private static func expiry(_ value: JSON?, _ checks: inout [Check]) -> CardExpiry? {
        guard let value, !value.isNull else {
            checks.append(.failed("\(field).exp", CardFault.expiryMissing))
            return nil
        }
        do throws(CardExpiry.Fault) {
            return try CardExpiry(mmyy: value.string ?? "")
        } catch {
            let fault = error == .month ? CardFault.expiryImpossible : .expiryFormat
            checks.append(.failed("\(field).exp", fault, evidence: "MMYY"))
            return nil
        }
    }
}

/// A card as D1 shows it to its issuer.
enum RegisteredCardMessage {
    static func json(_ card: Card, _ details: CardDetails?) -> JSON {
        var json: JSON = ["consumerId": .optional(card.consumerID), "cardId": .string(card.reference)]
        if let product = details?.productID { json = json.adding("cardProductId", .string(product)) }
        json = json.adding("scheme", .string(card.network.scheme)).adding("last4", .string(card.panSuffix))
            .adding("expiry", .string(card.expiry.mmyy)).adding("state", .string(state(card)))
        guard let details else { return json }
        return json.adding("created", .string(RFC3339.format(details.createdAt)))
            .adding("updated", .string(RFC3339.format(details.updatedAt)))
    }

    private static func state(_ card: Card) -> String {
        switch card.state {
        case .active: "ACTIVE"
        case .blocked: "INACTIVE"
        case .closed: "DELETED"
        }
    }
}
