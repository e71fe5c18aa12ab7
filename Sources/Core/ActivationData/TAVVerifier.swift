import Crypto
import Masking
import Wire

/// Verifies a tokenization authentication value of version 2, 3 or 4 step by step (mastercard-mdes 10.2).
struct TAVVerifier {
    private static let maximumAheadSeconds: Int64 = 30 * 86_400

    private let context: ActivationDataContext
    private let tshKey: PublicKey
    private var checks: [Check] = []

    static func verify(_ bytes: [UInt8], _ context: ActivationDataContext, tshKey: PublicKey) -> [Check] {
        guard let json = try? JSON.parse(bytes), case .object(let object) = json else {
            return [.failed("activationData.json", ActivationDataFault.notJSON)]
        }
        var verifier = TAVVerifier(context: context, tshKey: tshKey, checks: [])
        verifier.verify(object)
        return verifier.checks
    }

    private mutating func verify(_ object: JSONObject) {
        guard let version = object["version"]?.string.flatMap(TAV.Version.init(rawValue:)) else {
            let found = object["version"].map { $0.string ?? $0.typeName } ?? "absent"
            fail("version", .versionUnknown, "found \(Masking.excerpt(found, 16))")
            return
        }
        pass("version", version.rawValue)
        let algorithm = object["signatureAlgorithm"]?.string
        if algorithm != TAV.algorithm {
            fail("algorithm", .tavAlgorithm, "found \(Masking.excerpt(algorithm ?? "none", 24))")
        }
        let signedText = version == .two ? signedText2(object) : signedText3(object)
        let keys = keys(for: version, object)
        if keys.isEmpty, checks.allSatisfy(\.passed) { fail("signature", .tavSignature, "no key can be read") }
        guard let signature = signature(object), let signedText, !keys.isEmpty, algorithm == TAV.algorithm else {
            return
        }
        if TAVVerifier.verifies(signature, signedText(context.expiry.mmyy), keys) {
            pass("signature")
        } else {
            fail("signature", .tavSignature, explanation(signature, signedText, keys))
        }
    }

    /// The text that was to be signed, for an expiry written in one way or another.
    private typealias SignedText = (_ expiry: String) -> String

    private static func verifies(_ signature: [UInt8], _ text: String, _ keys: [PublicKey]) -> Bool {
        keys.contains { $0.verifies(signature, of: Array(text.utf8), .rsaPKCS1(.sha256)) }
    }

    /// Flags are the strings "true" and "false" in one public sample, booleans in another.
    private func flag(_ value: JSON?) -> Bool? {
        value?.bool ?? (value?.string == "true" ? true : value?.string == "false" ? false : nil)
    }

    private mutating func signedText2(_ object: JSONObject) -> SignedText? {
        guard let expiryIncluded = flag(object["expirationDateIncluded"]) else {
            fail("members", .memberMissing, "expirationDateIncluded")
            return nil
        }
        guard let tokenIncluded = flag(object["tokenUniqueReferenceIncluded"]) else {
            fail("members", .memberMissing, "tokenUniqueReferenceIncluded")
            return nil
        }
        if tokenIncluded, context.tokenID == nil {
            fail("token", .tavTokenUnknown)
            return nil
        }
        let (pan, tokenID) = (context.pan, tokenIncluded ? context.tokenID : nil)
        return { expiry in TAV.signedText2(pan: pan, expiry: expiryIncluded ? expiry : nil, tokenID: tokenID) }
    }

    private mutating func signedText3(_ object: JSONObject) -> SignedText? {
        let timestamp = object["dataValidUntilTimestamp"]?.string
        if let timestamp { checkTime(timestamp) } else { fail("members", .memberMissing, "dataValidUntilTimestamp") }
        guard let order = object["includedFieldsInOrder"]?.string, !order.isEmpty else {
            fail("members", .memberMissing, "includedFieldsInOrder")
            return nil
        }
        let names = order.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        if let unknown = names.first(where: { !TAV.allFields.contains($0) }) {
            fail("fields", .tavFieldUnknown, Masking.excerpt(unknown, 40))
            return nil
        }
        if !names.contains("accountNumber") { fail("fields", .tavPANNotSigned) }
        if !names.contains("dataValidUntilTimestamp") {
            if context.strictness == .lenient {
                checks.append(.warning("activationData.fields", ActivationDataFault.tavTimestampNotSigned))
            } else {
                fail("fields", .tavTimestampNotSigned)
            }
        }
        guard let timestamp else { return nil }
        let number = context.pan.digits
        return { expiry in
            names.map { $0 == "accountNumber" ? number : $0 == "accountExpiry" ? expiry : timestamp }
                .joined(separator: "|")
        }
    }

    private mutating func checkTime(_ text: String) {
        guard text.utf8.count <= 29, let until = RFC3339.parse(text) else {
            fail("validity", .tavTimestampForm, Masking.excerpt(text, 40))
            return
        }
        let evidence = "now \(RFC3339.format(context.now)), valid until \(RFC3339.format(until))"
        if until < context.now {
            fail("validity", .tavExpired, evidence)
        } else if until > context.now.adding(seconds: Self.maximumAheadSeconds) {
            fail("validity", .tavTooFar, evidence)
        } else {
            pass("validity", evidence)
        }
    }

    private mutating func signature(_ object: JSONObject) -> [UInt8]? {
        guard let text = object["signature"]?.string, !text.isEmpty else {
            fail("members", .memberMissing, "signature")
            return nil
        }
        guard let bytes = try? Base64.decode(text) else {
            fail("signature", .tavSignatureForm)
            return nil
        }
        return bytes
    }

    /// Keys that may have signed. An issuer that keeps its private key gets values signed by the TSH, trusted for it.
    private mutating func keys(for version: TAV.Version, _ object: JSONObject) -> [PublicKey] {
        let registered = context.networkKeys.mastercard
        let tsh = registered.contains { $0.privatePEM != nil } ? [] : [tshKey]
        guard version == .four else { return registered.compactMap { try? PublicKey(pem: $0.publicPEM) } + tsh }
        guard let alias = object["keyAlias"]?.string, !alias.isEmpty else {
            fail("members", .memberMissing, "keyAlias")
            return []
        }
        let named = registered.filter { $0.alias == alias }
        let unnamed = registered.filter { $0.alias == nil }
        if named.isEmpty, !unnamed.isEmpty, context.strictness != .strict {
            // Nobody said what the key is called at Mastercard.
            let evidence = "\(Masking.excerpt(alias, 10)); the key was registered without keyAlias"
            checks.append(
                .warning("activationData.keyAlias", ActivationDataFault.tavAliasUnknown, evidence: evidence)
            )
            return unnamed.compactMap { try? PublicKey(pem: $0.publicPEM) }
        }
        if named.isEmpty {
            let known = registered.compactMap(\.alias).joined(separator: ", ")
            fail(
                "keyAlias",
                .tavAliasUnknown,
                "\(Masking.excerpt(alias, 10)); known: \(known.isEmpty ? "none" : known)"
            )
        }
        return named.compactMap { try? PublicKey(pem: $0.publicPEM) }
    }

    /// Looks for the usual slips, so that the hint can name the one that was made.
    private func explanation(_ signature: [UInt8], _ signedText: SignedText, _ keys: [PublicKey]) -> String {
        let mmyy = context.expiry.mmyy
        let slips = [
            (signedText(String(mmyy.suffix(2) + mmyy.prefix(2))), "the expiry was signed as YYMM"),
            (signedText(context.expiry.slashed), "the expiry was signed as MM/YY"),
            (signedText(mmyy).filter { $0 != "|" }, "the values were joined without |"),
        ]
        for (variant, what) in slips where TAVVerifier.verifies(signature, variant, keys) { return what }
        return "\(keys.count) keys tried; for a card ending in \(context.pan.suffix), expiry \(mmyy)"
    }

    private mutating func pass(_ rule: String, _ evidence: String? = nil) {
        checks.append(.passed("activationData.\(rule)", evidence: evidence))
    }

    private mutating func fail(_ rule: String, _ fault: ActivationDataFault, _ evidence: String? = nil) {
        checks.append(.failed("activationData.\(rule)", fault, evidence: evidence))
    }
}
