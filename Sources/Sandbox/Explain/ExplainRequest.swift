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
        guard let value = fields.value("value") else { throw fields.missing("value") }
        let isObject = value.object != nil
        guard kind == .pass ? isObject : value.string != nil else {
            throw fields.invalid("value", kind == .pass ? "an object" : "a text")
        }
        self.value = value
        let given = try fields.fields("context")
        let none = try ControlFields(.object(JSONObject()), pointer: "/context")
        context = try ExplainContext(given ?? none)
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
        if let text = try fields.optionalString("pan") {
            guard let pan = PAN(text) else { throw fields.invalid("pan", "12 to 19 digits") }
            self.pan = pan
        } else {
            pan = nil
        }
        if let text = try fields.optionalString("exp") {
            guard let expiry = try? CardExpiry(mmyy: text) else { throw fields.invalid("exp", "MMYY") }
            self.expiry = expiry
        } else {
            expiry = nil
        }
        if let text = try fields.optionalString("nonce") {
            guard let nonce = try? Base64.decode(text), (1...64).contains(nonce.count) else {
                throw fields.invalid("nonce", "1 to 64 bytes in base64")
            }
            self.nonce = nonce
        } else {
            nonce = nil
        }
    }

    /// A refusal of the key that is named, with those there are.
    func keyUnknown(_ known: [String]) -> Refusal {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        return fields.refusal("keyId", ExplainFault.keyUnknown, evidence: "known: \(list)")
    }
}
