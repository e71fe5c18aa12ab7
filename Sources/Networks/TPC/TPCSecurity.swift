import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// What every TPC call begins with: whose call it is, and what opens and verifies what it carries.
struct TPCCaller: Sendable {
    /// Nil when the path names none; form is still checked, so that all mistakes are told at once.
    let issuer: Issuer?
    let issuerID: String
    let now: Instant
    let strictness: Strictness
    let recipients: [PayloadRecipient]
    let panPolicy: PANPolicy

    /// - Parameter takesCode: false for operations that verify no authorization code. One that is sent all the same must
    ///   not choose the rules, because nobody looks at its signature.
    init(_ exchange: inout Exchange, _ services: Services, takesCode: Bool = true) async throws {
        let id = exchange.parameters["issuerId"]
        let builtIn = services.keyring.payloadRecipients
        let found = try await services.worlds.read(exchange.tenant) { view in
            (issuer: try view.store.record(Issuer.self, id), now: view.now, keys: try view.payloadRecipients(builtIn))
        }
        issuer = found.issuer
        issuerID = id
        now = found.now
        recipients = found.keys
        strictness = TPCCaller.strictness(found.issuer, exchange, takesCode: takesCode)
        panPolicy = services.worlds.environment.panPolicy
        if found.issuer == nil {
            exchange.note(
                .failed("issuer", TPCFault.issuerUnknown, at: .path("issuerId"), evidence: Masking.excerpt(id, 16))
            )
        } else {
            exchange.note(.passed("issuer"))
        }
    }

    /// The strictness of the key that the authorization code names, else the issuer's, else the tenant's.
    private static func strictness(_ issuer: Issuer?, _ exchange: Exchange, takesCode: Bool) -> Strictness {
        let tenant = exchange.settings.strictness
        guard let issuer else { return tenant }
        let own = issuer.strictness(tenant: tenant)
        // The body is read for it only where a key has a strictness of its own.
        guard takesCode, issuer.keys(for: .authorizationCode).contains(where: { $0.strictness != nil }) else {
            return own
        }
        let code = (try? JSON.parse(exchange.request.body))?["authorizationCode"]?.string
        return issuer.strictness(of: code, use: .authorizationCode, tenant: tenant)
    }

    /// The same, for what is judged before a handler runs.
    static func strictness(_ services: Services, takesCode: Bool) -> Endpoint.StrictnessRule {
        { exchange in
            let id = exchange.parameters["issuerId"]
            let issuer = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, id) }
            return strictness(issuer, exchange, takesCode: takesCode)
        }
    }

    /// Opens an encrypted payload. Without an issuer this is done too: the payload's own mistakes are worth telling.
    func open(_ payload: String, network: PaymentNetwork?) throws -> Checked<CardData> {
        try PayloadOpener.open(
            payload,
            recipients: recipients,
            network: network,
            rules: CardNumberRules(policy: panPolicy, strictness: strictness)
        )
        .at(Field.encryptedPayload.place)
    }

    func verify(_ code: String, _ purpose: AuthorizationCode.Purpose) -> Checked<AuthorizationCode> {
        AuthorizationCode.verify(code, issuer: issuer, purpose: purpose, now: now, strictness: strictness)
            .at(Field.authorizationCode.place)
    }
}

extension Exchange {
    /// Notes what opening a payload found, and whose card it is; gives the card.
    mutating func takeCard(_ opened: Checked<CardData>?) -> CardData? {
        guard let opened, let card = take(opened) else { return nil }
        subject.note(card.pan)
        return card
    }
}

/// Members that several TPC requests have.
enum TPCFields {
    static func scheme(_ fields: inout FieldReader) -> PaymentNetwork? {
        guard let text = fields.string(.scheme) else { return nil }
        if let network = PaymentNetwork(scheme: text) { return network }
        let meant = PaymentNetwork.allCases.first {
            $0.scheme == text.uppercased() || $0.passKitName.lowercased() == text.lowercased()
        }
        if let meant, fields.isLenient {
            fields.warn(.scheme, TPCFault.schemeUnknown, evidence: "read as \(meant.scheme)")
            return meant
        }
        fields.fail(
            .scheme,
            TPCFault.schemeUnknown,
            evidence: Masking.excerpt(text, 32),
            hint: meant.map { "The TPC SDK writes it \($0.scheme)." }
        )
        return nil
    }

    static func suffix(_ field: Field, _ fields: inout FieldReader) -> String? {
        guard let text = fields.optionalString(field) else { return nil }
        guard (4...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            fields.fail(field, TPCFault.suffixForm, evidence: "\(text.utf8.count) characters")
            return nil
        }
        return text
    }

    /// Members of domestic schemes, which the four schemes do not use.
    static func ignoreDomestic(_ fields: inout FieldReader) {
        for field in [Field.productId, .auxiliaryScheme] where fields.optionalString(field) != nil {
            fields.warn(field, TPCFault.ignoredField, evidence: field.rawValue)
        }
    }
}

/// A token's state in TPC's words.
extension TokenState {
    var tpcName: String {
        switch self {
        case .inactive: "PENDING_IDV"
        case .active: "ACTIVE"
        case .suspended: "SUSPENDED"
        case .deleted: "DELETED"
        }
    }
}
