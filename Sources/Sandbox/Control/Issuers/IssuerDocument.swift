import Core
import Crypto
import Masking
import Networks
import Traffic
import Wire

/// An issuer as it is put (CONTRACT, section 5), read and checked.
struct IssuerDocument: Sendable {
    /// Reads a key file named in a fixture; the control API has none.
    typealias KeyFile = @Sendable (String) throws -> String

    private let issuerID: String
    private let name: String
    private let keys: [IssuerKey]
    private let ranges: [AccountRange]
    private let policies: IssuerPolicies
    private let clientCertificates: [String]
    private let networkKeys: NetworkKeysDocument
    private let extras: JSONObject
    /// Whether a pair is to be made for each use that has no key.
    let generatesKeys: Bool

    init(_ fields: ControlFields, id: String, keyFile: KeyFile? = nil) throws(Refusal) {
        IssuerDocument.expect(fields)
        guard Issuer.isIssuerID(id) else {
            throw fields.refusal("issuerId", .issuerIDForm, evidence: Masking.excerpt(id, 32))
        }
        issuerID = id
        let name = try fields.optionalString("name", "a name without a card number") { text in
            CardReference.holdsCardNumber(text) ? nil : text
        }
        self.name = name ?? id
        keys = try KeyDocument.issuerKeys(fields, keyFile: keyFile)
        ranges = try IssuerDocument.ranges(fields)
        policies = try IssuerDocument.policies(fields.fields("policies"))
        clientCertificates = try ClientCertificateDocument.fingerprints(fields)
        networkKeys = try NetworkKeysDocument(fields.fields("networkKeys"), keyFile: keyFile)
        extras = try IssuerDocument.extras(fields)
        generatesKeys = try fields.bool("generateKeys", default: false)
    }

    /// The members of an issuer.
    static func expect(_ fields: ControlFields) {
        fields.expect(
            "issuerId",
            "name",
            "keys",
            "accountRanges",
            "networkKeys",
            "callbacks",
            "policies",
            "d1",
            "clientCertificates",
            "generateKeys"
        )
    }

    /// The uses that have no key, of a document that asks for one.
    func usesWithoutKey(_ uses: [SignedTokenUse], existing: Issuer?) -> [SignedTokenUse] {
        guard generatesKeys else { return [] }
        let known = keys + IssuerDocument.made(existing)
        return uses.filter { use in !known.contains { $0.use == use.use } }
    }

    /// Pairs that the sandbox made before: they outlive a document that does not name them.
    private static func made(_ issuer: Issuer?) -> [IssuerKey] {
        issuer?.verificationKeys.filter { $0.privatePEM != nil } ?? []
    }

    static func namesTAVKeys(_ fields: ControlFields) -> Bool {
        fields.value("networkKeys")?["mastercard"]?["tav"]?.array?.isEmpty == false
    }

    /// The record, with network keys kept from before or drawn anew where the document names none.
    ///
    /// - Throws: ``Refusal`` when the document speaks of a private half that nobody holds.
    func issuer(
        existing: Issuer?,
        generated: GeneratedNetworkKeys?,
        generatedKeys: [IssuerKey] = [],
        draws: inout Draws
    ) throws(Refusal) -> Issuer {
        // A document that was read and put again names the public halves.
        let made = (IssuerDocument.made(existing) + generatedKeys).filter { pair in
            !keys.contains { $0.use == pair.use && $0.keyID == pair.keyID && $0.pem != pair.pem }
        }
        let others = keys.filter { key in !made.contains { $0.use == key.use && $0.keyID == key.keyID } }
        return Issuer(
            issuerID: issuerID,
            name: name,
            verificationKeys: others + made,
            accountRanges: ranges,
            networkKeys: try networkKeys.complete(existing: existing?.networkKeys, generated: generated, draws: &draws),
            policies: policies,
            clientCertificates: clientCertificates,
            extras: extras
        )
    }

    /// `{"low","high"}`, a prefix, or `low-high`.
    private static func ranges(_ fields: ControlFields) throws(Refusal) -> [AccountRange] {
        var ranges: [AccountRange] = []
        for (index, item) in try fields.array("accountRanges").enumerated() {
            let range: AccountRange?
            if let low = item["low"]?.string, let high = item["high"]?.string {
                try fields.part(item, "accountRanges/\(index)").expect("low", "high")
                range = AccountRange(low: low, high: high)
            } else if let text = item.string {
                let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
                range = parts.count <= 2 ? AccountRange(low: parts[0], high: parts[parts.count - 1]) : nil
            } else {
                range = nil
            }
            guard let range else {
                throw fields.invalid(
                    "accountRanges/\(index)",
                    "{\"low\",\"high\"} of one length, or a prefix of digits"
                )
            }
            ranges.append(range)
        }
        return ranges
    }

    /// `callbacks` by face, each an address or an object with `url`, and D1's `audience` and `scopes`.
    private static func extras(_ fields: ControlFields) throws(Refusal) -> JSONObject {
        if let callbacks = try fields.fields("callbacks") {
            for (face, value) in callbacks.cursor.whole.members {
                switch value {
                case .string, .object, .null: break
                default: throw callbacks.invalid(JSONPointer.escape(face), "an address, or an object with url")
                }
            }
        }
        if let d1 = try fields.fields("d1") {
            d1.expect("audience", "scopes")
            if d1.value("audience")?.string == nil { _ = try d1.strings("audience") }
            _ = try d1.strings("scopes")
        }
        var extras = JSONObject()
        for member in ["callbacks", "d1"] { extras[member] = fields.value(member) }
        return extras
    }

    private static func policies(_ fields: ControlFields?) throws(Refusal) -> IssuerPolicies {
        var policies = IssuerPolicies()
        guard let fields else { return policies }
        fields.expect(
            "binding",
            "onBadActivationData",
            "strictness",
            "fullTokenDetails",
            "repeatIsSuccess",
            "standIn",
            "clientCertificate"
        )
        policies.binding = try fields.word("binding", IssuerPolicies.Binding.self) ?? policies.binding
        policies.onBadActivationData =
            try fields.word("onBadActivationData", IssuerPolicies.BadActivationData.self)
            ?? policies.onBadActivationData
        policies.strictness = try fields.word("strictness", Strictness.self)
        policies.fullTokenDetails = try fields.bool("fullTokenDetails", default: false)
        policies.repeatIsSuccess = try fields.bool("repeatIsSuccess", default: false)
        policies.standIn = try fields.bool("standIn", default: false)
        policies.clientCertificate =
            try fields.word("clientCertificate", IssuerPolicies.ClientCertificate.self) ?? policies.clientCertificate
        return policies
    }
}
