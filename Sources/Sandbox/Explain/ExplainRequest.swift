import Core
import Networks
import Traffic
import Web
import Wire

/// What is to be explained (CONTRACT, section 8).
struct ExplainRequest: Sendable {
    let explanation: Explanation
    /// A text, or an object for kinds that take one.
    let value: JSON
    let context: ExplainContext

    init(_ fields: ControlFields, _ kinds: ExplainKinds) throws(Refusal) {
        fields.expect("kind", "value", "context")
        explanation = try kinds.explanation(of: fields)
        value = try fields.required("value", fields.value("value"))
        guard explanation.takesObject ? value.object != nil : value.string != nil else {
            throw fields.invalid("value", explanation.takesObject ? "an object" : "a text")
        }
        let given = try fields.fields("context")
        context = try ExplainContext(given ?? ControlFields(JSONCursor(JSONObject(), at: "/context")))
    }
}

/// The kinds that the faces explain, and those of CONTRACT, section 5, whose faces are not there.
struct ExplainKinds: Sendable {
    private let explanations: [Explanation]

    init(_ faces: [any Face]) {
        explanations = [TokenExplanation.explanation(faces.flatMap(\.tokenUses))] + faces.flatMap(\.explanations)
    }

    /// What can be asked for, what is not served among it.
    var names: [String] { explanations.map(\.kind) + ExplainKinds.documented.filter { named($0) == nil } }

    private static let documented = [
        "pkcs7", "jws", "jwe", "pass", "activation-data", "oauth1", "fle", "x-pay-token", "visa-jwe", "amex-mac",
        "dfs-jwt", "igw", "pd",
    ]

    func named(_ name: String) -> Explanation? { explanations.first { $0.kind == name } }

    /// The kind that a request names.
    func explanation(of fields: ControlFields) throws(Refusal) -> Explanation {
        let name = try fields.string("kind")
        if let found = named(name) { return found }
        guard ExplainKinds.documented.contains(name) else {
            throw fields.invalid("kind", "one of \(names.joined(separator: ", "))")
        }
        let evidence =
            "the face that takes \(name) is not served; explained are "
            + explanations.map(\.kind).joined(separator: ", ")
        throw fields.refusal("kind", ExplainFault.kindNotServed, evidence: evidence)
    }
}

extension ExplainContext {
    /// Reads the member `context` of a request.
    init(_ fields: ControlFields) throws(Refusal) {
        self.init { fields.invalid($0, $1) }
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
        request.method = try fields.optionalString("method")
        request.url = try fields.optionalString("url")
        for (name, value) in try fields.fields("headers")?.cursor.object.members ?? [] {
            guard let text = value.string else { throw fields.invalid("headers", "an object of texts") }
            request.headers[name.lowercased()] = text
        }
        request.body = try fields.read("body", "a text") { $0.string }
    }
}
