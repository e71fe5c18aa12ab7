import Core
import Crypto
import Testing
import Wire

@Suite struct TAVTests {
    private static let ownKey = "issuers/DEMOBANK01/tav.key"
    private static let valid = "2030-01-01T00:30:00Z"
    private static let fields = "dataValidUntilTimestamp|accountNumber|accountExpiry"
    private static let signed = "\(valid)|5555555555554444|1232"
    private static let signed2 = "5555555555554444Y1232N"

    /// A document with a signature over a text of its own.
    private static func document(_ members: [(String, JSON)], over text: String, key: String = ownKey) throws -> [UInt8]
    {
        var object = JSONObject()
        for (name, value) in members where !value.isNull { object[name] = value }
        if object["signature"] == nil {
            let signature = try PrivateKey(pem: Samples.key(key)).sign(Array(text.utf8), .rsaPKCS1(.sha256))
            object["signature"] = .base64(signature)
        }
        return JSON.object(object).bytes
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var members: [(String, JSON)]
        let text: String
        var key = TAVTests.ownKey
        var setting = ActivationDataSetting()
        let expected: String

        /// Version 3, with members replaced.
        init(
            _ name: String,
            version: String = "3",
            _ changes: [(String, JSON)] = [],
            signed text: String = signed,
            key: String = ownKey,
            setting change: (inout ActivationDataSetting) -> Void = { _ in },
            expected: String
        ) {
            testDescription = name
            var object = JSONObject([("version", .string(version)), ("signatureAlgorithm", "RSA-SHA256")])
            if version == "2" {
                object["expirationDateIncluded"] = "true"
                object["tokenUniqueReferenceIncluded"] = "false"
            } else {
                object["dataValidUntilTimestamp"] = .string(valid)
                object["includedFieldsInOrder"] = .string(fields)
            }
            for (member, value) in changes { object[member] = value }
            for (member, value) in changes where value.isNull { object[member] = nil }
            members = object.members.map { ($0.key, $0.value) }
            self.text = text
            self.key = key
            change(&setting)
            self.expected = expected
        }

        /// A document in which only the timestamp differs, in the signature too.
        static func time(_ text: String, _ expected: String) -> Case {
            Case(
                "valid until \(text)",
                [("dataValidUntilTimestamp", .string(text))],
                signed: "\(text)|5555555555554444|1232",
                expected: expected
            )
        }
    }

    private static let nameless: @Sendable (inout ActivationDataSetting) -> Void = { setting in
        setting.keys.mastercard = [
            NetworkKeys.TAVKey(alias: nil, publicPEM: Samples.key("issuers/DEMOBANK01/tav.pub"), privatePEM: nil)
        ]
    }

    private static let aliases: @Sendable (inout ActivationDataSetting) -> Void = { setting in
        setting.keys.mastercard = [
            NetworkKeys.TAVKey(alias: "A", publicPEM: Samples.key("issuers/DEMOBANK02/tav.pub"), privatePEM: nil),
            NetworkKeys.TAVKey(alias: "B", publicPEM: Samples.key("issuers/DEMOBANK01/tav.pub"), privatePEM: nil),
        ]
    }

    static let cases = [
        Case("version 3", expected: ""),
        Case("version as number", [("version", 3)], expected: "ACTIVATION_VERSION"),
        Case("version 5", version: "5", expected: "ACTIVATION_VERSION"),
        Case("no version", [("version", nil)], expected: "ACTIVATION_VERSION"),
        Case("SHA-1", [("signatureAlgorithm", "RSA-SHA1")], expected: "ACTIVATION_TAV_ALGORITHM"),
        Case("no algorithm", [("signatureAlgorithm", nil)], expected: "ACTIVATION_TAV_ALGORITHM"),
        Case("no signature", [("signature", "")], expected: "ACTIVATION_MEMBER_MISSING"),
        Case("signature of hex", [("signature", "zz!")], expected: "ACTIVATION_TAV_SIGNATURE_FORM"),
        Case(
            "signature of zeros",
            [("signature", .base64(Array(repeating: 0, count: 256)))],
            expected: "ACTIVATION_TAV_SIGNATURE"
        ),
        Case("no timestamp", [("dataValidUntilTimestamp", nil)], expected: "ACTIVATION_MEMBER_MISSING"),
        Case("no field list", [("includedFieldsInOrder", nil)], expected: "ACTIVATION_MEMBER_MISSING"),
        Case("empty field list", [("includedFieldsInOrder", "")], expected: "ACTIVATION_MEMBER_MISSING"),
        Case(
            "unknown field",
            [("includedFieldsInOrder", "accountNumber|cvv")],
            expected: "ACTIVATION_TAV_FIELD_UNKNOWN"
        ),
        Case("empty field", [("includedFieldsInOrder", "accountNumber|")], expected: "ACTIVATION_TAV_FIELD_UNKNOWN"),
        Case(
            "another order",
            [("includedFieldsInOrder", "accountExpiry|accountNumber|dataValidUntilTimestamp")],
            signed: "1232|5555555555554444|\(valid)",
            expected: ""
        ),
        Case(
            "expiry left out",
            [("includedFieldsInOrder", "dataValidUntilTimestamp|accountNumber")],
            signed: "\(valid)|5555555555554444",
            expected: ""
        ),
        Case(
            "PAN left out",
            [("includedFieldsInOrder", "dataValidUntilTimestamp|accountExpiry")],
            signed: "\(valid)|1232",
            expected: "ACTIVATION_TAV_PAN_NOT_SIGNED"
        ),
        Case(
            "time left out",
            [("includedFieldsInOrder", "accountNumber|accountExpiry")],
            signed: "5555555555554444|1232",
            expected: "ACTIVATION_TAV_TIMESTAMP_NOT_SIGNED"
        ),
        Case(
            "time left out, strict",
            [("includedFieldsInOrder", "accountNumber|accountExpiry")],
            signed: "5555555555554444|1232",
            setting: { $0.strictness = .strict },
            expected: "ACTIVATION_TAV_TIMESTAMP_NOT_SIGNED"
        ),
        Case("another card", setting: { $0.number = "5105105105105100" }, expected: "ACTIVATION_TAV_SIGNATURE"),
        Case("another expiry", setting: { $0.expiry = "1233" }, expected: "ACTIVATION_TAV_SIGNATURE"),
        Case("another issuer's key", key: "issuers/DEMOBANK02/tav.key", expected: "ACTIVATION_TAV_SIGNATURE"),
        Case("TSH key for an issuer with a private key", key: "tsh/tav.key", expected: "ACTIVATION_TAV_SIGNATURE"),
        Case("TSH key for an issuer with a public key", key: "tsh/tav.key", setting: aliases, expected: ""),
        Case(
            "TSH key for an issuer without a key",
            key: "tsh/tav.key",
            setting: { $0.keys.mastercard = [] },
            expected: ""
        ),
        Case("second of two keys", setting: aliases, expected: ""),
        .time("2030-01-01T00:00:00Z", ""), .time("2029-12-31T23:59:59Z", "ACTIVATION_TAV_EXPIRED"),
        .time("2030-01-31T00:00:00Z", ""), .time("2030-01-31T00:00:01Z", "ACTIVATION_TAV_TOO_FAR_AHEAD"),
        .time("2030-01-01T01:30:00+01:00", ""), .time("2030-01-01T00:30:00.000+00:00", ""),
        .time("2030-01-01T00:30:00.0000+00:00", "ACTIVATION_TAV_TIMESTAMP_FORM"),
        .time("2030-01-01T00:30:00", "ACTIVATION_TAV_TIMESTAMP_FORM"),
        .time("1893457800", "ACTIVATION_TAV_TIMESTAMP_FORM"),
        Case("version 4", version: "4", [("keyAlias", "TAV-1")], expected: ""),
        Case("version 4 of two keys", version: "4", [("keyAlias", "B")], setting: aliases, expected: ""),
        Case(
            "version 4, other key's alias",
            version: "4",
            [("keyAlias", "A")],
            setting: aliases,
            expected: "ACTIVATION_TAV_SIGNATURE"
        ),
        Case(
            "version 4, unknown alias",
            version: "4",
            [("keyAlias", "tav-1")],
            expected: "ACTIVATION_TAV_ALIAS_UNKNOWN"
        ),
        Case(
            "version 4, key registered without alias",
            version: "4",
            [("keyAlias", "any")],
            setting: nameless,
            expected: "|ACTIVATION_TAV_ALIAS_UNKNOWN"
        ),
        Case(
            "version 4, key registered without alias, strict",
            version: "4",
            [("keyAlias", "any")],
            setting: {
                nameless(&$0)
                $0.strictness = .strict
            },
            expected: "ACTIVATION_TAV_ALIAS_UNKNOWN"
        ),
        Case(
            "version 4, another issuer's key, registered without alias",
            version: "4",
            [("keyAlias", "any")],
            key: "issuers/DEMOBANK02/tav.key",
            setting: nameless,
            expected: "ACTIVATION_TAV_SIGNATURE|ACTIVATION_TAV_ALIAS_UNKNOWN"
        ),
        Case(
            "version 4 signed by the TSH, key registered without alias",
            version: "4",
            [("keyAlias", "any")],
            key: "tsh/tav.key",
            setting: nameless,
            expected: "ACTIVATION_TAV_SIGNATURE|ACTIVATION_TAV_ALIAS_UNKNOWN"
        ),
        Case("version 4 without alias", version: "4", expected: "ACTIVATION_MEMBER_MISSING"),
        Case(
            "version 4 signed by the TSH",
            version: "4",
            [("keyAlias", "A")],
            key: "tsh/tav.key",
            setting: aliases,
            expected: "ACTIVATION_TAV_SIGNATURE"
        ),
        Case("version 2", version: "2", signed: signed2, expected: ""),
        Case(
            "version 2, flags as booleans",
            version: "2",
            [("expirationDateIncluded", true), ("tokenUniqueReferenceIncluded", false)],
            signed: signed2,
            expected: ""
        ),
        Case(
            "version 2 without expiry",
            version: "2",
            [("expirationDateIncluded", "false")],
            signed: "5555555555554444NN",
            expected: ""
        ),
        Case(
            "version 2, no expiry flag",
            version: "2",
            [("expirationDateIncluded", nil)],
            expected: "ACTIVATION_MEMBER_MISSING"
        ),
        Case(
            "version 2, odd token flag",
            version: "2",
            [("tokenUniqueReferenceIncluded", "yes")],
            expected: "ACTIVATION_MEMBER_MISSING"
        ),
        Case(
            "version 2 of another card",
            version: "2",
            signed: "5105105105105100Y1232N",
            expected: "ACTIVATION_TAV_SIGNATURE"
        ),
        Case(
            "version 2 bound to an unknown token",
            version: "2",
            [("tokenUniqueReferenceIncluded", "true")],
            expected: "ACTIVATION_TAV_TOKEN_UNKNOWN"
        ),
        Case(
            "version 2 bound to the token",
            version: "2",
            [("tokenUniqueReferenceIncluded", "true")],
            signed: "5555555555554444Y1232YDAPLMC1",
            setting: { $0.tokenID = "DAPLMC1" },
            expected: ""
        ),
        Case(
            "version 2 bound to another token",
            version: "2",
            [("tokenUniqueReferenceIncluded", "true")],
            signed: "5555555555554444Y1232YDAPLMC2",
            setting: { $0.tokenID = "DAPLMC1" },
            expected: "ACTIVATION_TAV_SIGNATURE"
        ),
        Case(
            "several mistakes",
            [
                ("signatureAlgorithm", "none"), ("dataValidUntilTimestamp", "now"),
                ("includedFieldsInOrder", "accountExpiry"), ("signature", "!"),
            ],
            expected: "ACTIVATION_TAV_ALGORITHM ACTIVATION_TAV_TIMESTAMP_FORM ACTIVATION_TAV_PAN_NOT_SIGNED"
                + " ACTIVATION_TAV_TIMESTAMP_NOT_SIGNED ACTIVATION_TAV_SIGNATURE_FORM"
        ),
    ]

    @Test(arguments: cases) func `a value is verified step by step, and no number is printed`(_ entry: Case) throws {
        let bytes = try Self.document(entry.members, over: entry.text, key: entry.key)
        let (codes, checks) = try entry.setting.verify(bytes)
        #expect(codes == entry.expected)
        #expect(!checks.printed.contains(entry.setting.number))
    }

    @Test func `the slip that was made is named`() throws {
        let slips: [(number: String, expiry: String, text: String, wanted: String)] = [
            ("5555555555554444", "1232", "\(Self.valid)|5555555555554444|3212", "YYMM"),
            ("5555555555554444", "1232", "\(Self.valid)|5555555555554444|12/32", "MM/YY"),
            ("5555555555554444", "1232", "\(Self.valid)55555555555544441232", "without |"),
            // The expiry stands in the number and in the time, too.
            ("5105105105105100", "1051", "\(Self.valid)|5105105105105100|5110", "YYMM"),
            ("5105105105105100", "0510", "\(Self.valid)|5105105105105100|05/10", "MM/YY"),
            ("5555555555554444", "1232", "anything else", "1 keys tried"),
        ]
        let wrong = try slips.filter { slip in
            var setting = ActivationDataSetting()
            setting.number = slip.number
            setting.expiry = slip.expiry
            let checks = try setting.verify(Self.document(Case("", expected: "").members, over: slip.text)).checks
            return checks.last?.evidence?.contains(slip.wanted) != true
        }
        #expect(wrong.map(\.text) == [])
        let v2 = Case("", version: "2", expected: "")
        let evidence = try ActivationDataSetting()
            .verify(Self.document(v2.members, over: "5555555555554444Y3212N")).checks.last?.evidence
        #expect(evidence?.contains("YYMM") == true)
    }

    @Test func `what is not a JSON object is refused`() throws {
        let codes = try ["", "[]", "\"x\"", "{"].map { try ActivationDataSetting().verify(Array($0.utf8)).codes }
        #expect(Set(codes) == ["ACTIVATION_NOT_JSON"])
    }

    @Test func `each version that is made verifies`() throws {
        let setting = ActivationDataSetting()
        let codes = try TAV.Version.allCases.map { version in
            let content = TAV.Content(
                version: version,
                pan: try Samples.pan(setting.number),
                expiry: try Samples.expiry(setting.expiry),
                validUntil: testNow.adding(seconds: 60),
                tokenID: nil,
                keyAlias: "TAV-1"
            )
            return try setting.verify(TAV.make(content, key: PrivateKey(pem: Samples.key(Self.ownKey)))).codes
        }
        #expect(codes == ["", "", ""])
    }

    @Test func `the TPC face makes version 3 for 30 minutes, by the issuer's key or the TSH's`() throws {
        var setting = ActivationDataSetting()
        let own = try JSON.parse(setting.make(nil))
        Self.aliases(&setting)
        let byTSH = try setting.verify(setting.make(nil)).codes
        #expect(own["dataValidUntilTimestamp"]?.string == Self.valid && own["version"]?.string == "3")
        #expect(own["includedFieldsInOrder"]?.string == Self.fields && byTSH == "")
        #expect(try ActivationDataSetting().verify(own.bytes).codes == "")
    }
}
