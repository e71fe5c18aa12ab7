import Core
import Traffic
import Web
import Wire

/// What is to be explained (CONTRACT, section 8).
struct ExplainRequest: Sendable {
    /// What the value is.
    enum Kind: String, CaseIterable, Sendable {
        case pkcs7
        case jws
        case jwe
        case pass
        case activationData = "activation-data"
        case oauth1
        case xPayToken = "x-pay-token"
        case amexMAC = "amex-mac"

        /// Why it cannot be explained, when it cannot.
        var whyNot: String? {
            switch self {
            case .pkcs7, .jws, .jwe, .pass, .activationData: nil
            case .oauth1: "oauth1 signs calls to Mastercard's own API, which this version does not serve"
            case .xPayToken: "x-pay-token signs calls to Visa's own API, which this version does not serve"
            case .amexMAC: "amex-mac signs calls to Amex's own API, which this version does not serve"
            }
        }
    }

    let kind: Kind
    /// A text; for `pass` an object.
    let value: JSON
    let context: ExplainContext

    init(_ fields: ControlFields) throws(Refusal) {
        fields.expect("kind", "value", "context")
        kind = try fields.requiredWord("kind", Kind.self)
        if let reason = kind.whyNot { throw fields.refusal("kind", ExplainFault.kindNotServed, evidence: reason) }
        value = try fields.required("value", fields.value("value"))
        guard kind == .pass ? value.object != nil : value.string != nil else {
            throw fields.invalid("value", kind == .pass ? "an object" : "a text")
        }
        let given = try fields.fields("context")
        context = try ExplainContext(given ?? ControlFields(JSONCursor(JSONObject(), at: "/context")))
    }

    var text: String { value.string ?? "" }
}

/// What is known besides the value. Members of kinds that are not served (`method`, `url`, `headers`, `body`) are
/// taken and not looked at.
struct ExplainContext: Sendable {
    let fields: ControlFields
    let issuerID: String?
    let keyID: String?
    let use: IssuerKey.Use?
    let subject: String?
    let audience: String?
    let network: PaymentNetwork?
    let pan: PAN?
    let expiry: CardExpiry?
    let nonce: [UInt8]?
    let sessionID: String?

    init(_ fields: ControlFields) throws(Refusal) {
        self.fields = fields
        fields.expect("issuerId", "keyId", "use", "sub", "aud", "network", "pan", "exp", "nonce", "sessionId")
        fields.expect("method", "url", "headers", "body")
        issuerID = try fields.optionalString("issuerId")
        keyID = try fields.optionalString("keyId")
        use = try fields.word("use", IssuerKey.Use.self)
        subject = try fields.optionalString("sub")
        audience = try fields.optionalString("aud")
        network = try fields.word("network", PaymentNetwork.self)
        sessionID = try fields.optionalString("sessionId")
        pan = try fields.optionalString("pan", "12 to 19 digits") { PAN($0) }
        expiry = try fields.optionalString("exp", "MMYY") { try? CardExpiry(mmyy: $0) }
        nonce = try fields.optionalString("nonce", "1 to 64 bytes in base64") { text in
            (try? Base64.decode(text)).flatMap { (1...64).contains($0.count) ? $0 : nil }
        }
    }

    /// A refusal of the key that is named, with those there are.
    func keyUnknown(_ known: [String]) -> Refusal {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        return fields.refusal("keyId", ExplainFault.keyUnknown, evidence: "known: \(list)")
    }
}
