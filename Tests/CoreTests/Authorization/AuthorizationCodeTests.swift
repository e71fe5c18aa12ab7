import Core
import Crypto
import Testing
import Wire

@Suite struct AuthorizationCodeTests {
    private static let tokenID = "DNITHE123456789012345678"
    private static let now = testNow.seconds

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var changes: [(String, JSON)] = []
        var kid: String? = "auth-1"
        var key = "issuers/DEMOBANK01/authorization.key"
        var keys = ["auth-1"] as [String?]
        var algorithm = JWSAlgorithm.rs256
        var purpose = AuthorizationCode.Purpose.provisioning
        var strictness = Strictness.documented
        let expected: String

        init(_ name: String, _ expected: String, _ changes: [(String, JSON)] = []) {
            testDescription = name
            self.changes = changes
            self.expected = expected
        }

        func with<Value>(_ path: WritableKeyPath<Case, Value>, _ value: Value) -> Case {
            var copy = self
            copy[keyPath: path] = value
            return copy
        }

        func lifecycle(_ id: String? = tokenID) -> Case { with(\.purpose, .lifecycle(tokenID: id)) }

        func token() throws -> String {
            var claims = JSONObject([
                ("iss", .string(Samples.issuerID)), ("sub", "card-1"), ("aud", "APPLE_PAY"), ("iat", .number(now)),
                ("exp", .number(now + 300)),
            ])
            for (name, value) in changes { claims[name] = value }
            for (name, value) in changes where value == "absent" { claims[name] = nil }
            return try JWSSigner.sign(.object(claims), algorithm, key: PrivateKey(pem: Samples.key(key)), kid: kid)
        }

        func verify(_ text: String? = nil, at time: Instant = testNow) throws -> Checked<AuthorizationCode> {
            var issuer = Samples.issuer()
            issuer.verificationKeys = zip(keys, ["DEMOBANK01", "DEMOBANK02"]).map { kid, folder in
                IssuerKey(use: .authorizationCode, keyID: kid, pem: Samples.key("issuers/\(folder)/authorization.pub"))
            }
            return try AuthorizationCode.verify(
                text ?? token(),
                issuer: issuer,
                purpose: purpose,
                now: time,
                strictness: strictness
            )
        }
    }

    private static func outcome(_ checks: [Check]) -> String {
        let parts = [checks.refused.joined(separator: " "), checks.warned.joined(separator: " ")]
        return parts[1].isEmpty ? parts[0] : parts.joined(separator: "|")
    }

    private static let both: [String?] = ["auth-1", "auth-2"]
    private static let second = "issuers/DEMOBANK02/authorization.key"

    static let cases: [Case] = [
        Case("good", ""),
        // Claims.
        Case("no iss", "JWT_ISS_MISSING", [("iss", "absent")]), Case("null iss", "JWT_ISS_MISSING", [("iss", nil)]),
        Case("other iss", "JWT_ISS_MISMATCH", [("iss", "DEMOBANK02")]),
        Case("iss in lower case", "JWT_ISS_MISMATCH", [("iss", "demobank01")]),
        Case("iss as number", "JWT_CLAIM_TYPE", [("iss", 1)]),
        Case("no aud", "JWT_AUD_MISSING", [("aud", "absent")]),
        Case("Google", "JWT_AUD_MISMATCH", [("aud", "GOOGLE_PAY")]),
        Case("Samsung", "JWT_AUD_MISMATCH", [("aud", "SAMSUNG_PAY")]),
        Case("unknown aud", "JWT_AUD_UNKNOWN", [("aud", "Apple Pay")]),
        Case("aud list", "JWT_CLAIM_TYPE", [("aud", ["APPLE_PAY"])]),
        Case("no sub", "JWT_SUB_MISSING", [("sub", "absent")]), Case("sub as number", "JWT_CLAIM_TYPE", [("sub", 12)]),
        Case("jti", "", [("jti", "a")]),
        Case("longest jti", "", [("jti", .string(String(repeating: "j", count: 128)))]),
        Case("empty jti", "JWT_JTI_FORM", [("jti", "")]), Case("jti as number", "JWT_JTI_FORM", [("jti", 1)]),
        Case("long jti", "JWT_JTI_FORM", [("jti", .string(String(repeating: "j", count: 129)))]),
        Case("unknown claim", "", [("color", "red")]),
        // Field case 20: the leeway is 60 seconds.
        Case("iat + 5", "", [("iat", .number(now + 5))]), Case("iat + 59", "", [("iat", .number(now + 59))]),
        Case("iat + 61", "JWT_IAT_FUTURE", [("iat", .number(now + 61))]),
        Case("exp - 1", "", [("iat", .number(now - 300)), ("exp", .number(now - 1))]),
        Case("exp - 60", "", [("iat", .number(now - 300)), ("exp", .number(now - 60))]),
        Case("exp - 61", "JWT_EXPIRED", [("iat", .number(now - 300)), ("exp", .number(now - 61))]),
        Case("no exp", "JWT_EXP_MISSING", [("exp", "absent")]), Case("no iat", "JWT_IAT_MISSING", [("iat", "absent")]),
        Case("no iat, lenient", "", [("iat", "absent")]).with(\.strictness, .lenient),
        Case("exp as text", "JWT_EXP_NOT_NUMBER", [("exp", "soon")]),
        Case("exp in a week", "|JWT_EXP_FAR", [("exp", .number(now + 604_800))]),
        Case("exp in a week, strict", "JWT_EXP_FAR", [("exp", .number(now + 604_800))]).with(\.strictness, .strict),
        Case("exp in milliseconds", "JWT_EXP_MILLISECONDS", [("exp", .number((now + 300) * 1_000))]),
        // Field case 39: a provisioning code is not one for the life cycle.
        Case("life cycle", "", [("sub", .string(tokenID))]).lifecycle(),
        Case("card reference", "JWT_SUB_IS_CARD_REF").lifecycle(),
        Case("other token", "JWT_SUB_OTHER_TOKEN", [("sub", "DNITHE876543210987654321")]).lifecycle(),
        Case("other network's token", "JWT_SUB_OTHER_TOKEN", [("sub", "DAPLMC0000000000ab")])
            .lifecycle("DAPLMC000000000000000000000000000000000000000000").with(
                \.changes,
                [
                    ("sub", "DAPLMC111111111100000000000000000000000000000000")
                ]
            ),
        Case("number as sub", "JWT_SUB_IS_CARD_REF", [("sub", "4111111111111111")]).lifecycle(),
        Case("request without token", "").lifecycle(nil),
        Case("Google, and a card reference", "JWT_AUD_MISMATCH JWT_SUB_IS_CARD_REF", [("aud", "GOOGLE_PAY")])
            .lifecycle(),
        // Field case 27: absent and unknown kid have codes of their own.
        Case("no kid, one key", "").with(\.kid, nil),
        Case("no kid, two keys", "|JWT_KID_MISSING").with(\.kid, nil).with(\.keys, both),
        Case("no kid, second key", "|JWT_KID_MISSING").with(\.kid, nil).with(\.keys, both).with(\.key, second),
        Case("no kid, strict", "JWT_KID_MISSING").with(\.kid, nil).with(\.strictness, .strict),
        Case("no kid, two keys, strict", "JWT_KID_MISSING").with(\.kid, nil).with(\.keys, both).with(
            \.strictness,
            .strict
        ),
        Case("unknown kid", "JWT_KID_UNKNOWN").with(\.kid, "auth-9"),
        Case("unknown kid, two keys", "JWT_KID_UNKNOWN").with(\.kid, "auth-9").with(\.keys, both),
        Case("kid of the other key", "JWT_SIGNATURE_INVALID").with(\.kid, "auth-2").with(\.keys, both),
        Case("second key by kid", "").with(\.kid, "auth-2").with(\.keys, both).with(\.key, second),
        Case("key registered without kid", "").with(\.keys, [nil]),
        Case("key registered without kid, strict", "JWT_KID_UNKNOWN").with(\.keys, [nil]).with(\.strictness, .strict),
        Case("no key", "JWT_NO_KEYS").with(\.keys, []),
        // Signature.
        Case("key of another issuer", "JWT_SIGNATURE_INVALID").with(\.key, second),
        Case("RS512", "JWT_ALG_NOT_ALLOWED").with(\.algorithm, .rs512),
        Case(
            "everything",
            "JWT_KID_UNKNOWN JWT_ISS_MISMATCH JWT_AUD_UNKNOWN JWT_SUB_MISSING JWT_JTI_FORM JWT_EXPIRED JWT_IAT_FUTURE",
            [
                ("iss", "x"), ("aud", "x"), ("sub", "absent"), ("jti", ""), ("exp", .number(now - 100)),
                ("iat", .number(now + 100)),
            ]
        ).with(\.kid, "auth-9"),
    ]

    @Test(arguments: cases) func `every rule of a code is checked, and all mistakes are told`(_ entry: Case) throws {
        let code = try entry.verify()
        #expect(Self.outcome(code.checks) == entry.expected)
        #expect(!code.checks.printed.contains("4111111111111111"))
    }

    @Test func `a refusal names what was wanted and what came`() throws {
        let cases: [(Case, [String])] = [
            (Case("", "", [("aud", "GOOGLE_PAY")]), ["GOOGLE_PAY", "APPLE_PAY"]),
            (Case("", "", [("iss", "OTHER")]), ["OTHER", Samples.issuerID]),
            (Case("", "").lifecycle(), ["card-1", "token id"]),
            (Case("", "").with(\.kid, "auth-9").with(\.keys, Self.both), ["auth-9", "auth-1, auth-2"]),
            (
                Case("", "", [("iat", .number(Self.now + 61))]),
                ["server time 2030-01-01T00:00:00Z", "iat 2030-01-01T00:01:01Z", "leeway 60 s"]
            ),
        ]
        let wrong = try cases.filter { entry, words in
            let evidence = try entry.verify().failures.compactMap(\.evidence).joined(separator: "; ")
            return !words.allSatisfy(evidence.contains)
        }
        #expect(wrong.map(\.1) == [])
    }

    @Test func `a claim given twice is refused as an unauthenticated code, other forms as malformed ones`() throws {
        let good = try Case("", "").token().split(separator: ".").map(String.init)
        let twice = Base64.encode(Array("{\"sub\":\"a\",\"sub\":\"b\"}".utf8), .url)
        let texts = [
            "\(good[0]).\(twice).\(good[2])", "", "\(good[0]).\(good[1])", "\(good[0]).!.\(good[2])",
            "\(good[0]).\(Base64.encode(Array("[]".utf8), .url)).\(good[2])",
        ]
        let found = try texts.map { text -> String in
            let code = try #require(try Case("", "").verify(text).failures.first?.code)
            return "\(code.name) \(code.kind)"
        }
        #expect(
            found == [
                "JWT_DUPLICATE_CLAIM unauthenticated", "JWT_EMPTY malformed", "JWT_PARTS malformed",
                "JWT_ALPHABET malformed", "JWT_CLAIMS_NOT_OBJECT malformed",
            ]
        )
    }

    @Test func `without an issuer only the form is checked`() throws {
        let texts = [try Case("", "", [("iss", "x")]).token(), "a.b"]
        let found = texts.map { text in
            let code = AuthorizationCode.verify(
                text,
                issuer: nil,
                purpose: .provisioning,
                now: testNow,
                strictness: .documented
            )
            return Self.outcome(code.checks) + (code.value == nil ? "" : " value")
        }
        #expect(found == ["", "JWT_PARTS"])
    }

    @Test func `sub is the card reference of the payload, byte for byte`() throws {
        let subjects = [
            ("card-1", ""), ("card-2", "JWT_SUB_MISMATCH"), ("Card-1", "JWT_SUB_MISMATCH"),
            (Self.tokenID, "JWT_SUB_IS_TOKEN_ID"), ("4111111111111111", "JWT_SUB_MISMATCH"),
        ]
        let found = try subjects.map { subject, _ in
            let code = try Case("", "", [("sub", .string(subject))]).verify().value
            let checks = try AuthorizationCode.subjectChecks(code, card: Samples.cardData())
            return checks.printed.contains("4111111111111111") ? "printed" : Self.outcome(checks)
        }
        #expect(found == subjects.map(\.1))
        let accented = try Case("", "", [("sub", "caf\u{E9}")]).verify().value
        let checks = try AuthorizationCode.subjectChecks(accented, card: Samples.cardData("cafe\u{301}"))
        #expect(Self.outcome(checks) == "JWT_SUB_MISMATCH")
        #expect(try AuthorizationCode.subjectChecks(nil, card: Samples.cardData()).isEmpty)
        #expect(AuthorizationCode.subjectChecks(accented, card: nil).isEmpty)
    }

    @Test func `a jti stays spent as long as its code could be accepted`() async throws {
        let worlds = try await TestWorlds()
        let entry = Case("", "", [("jti", "id-1")])
        let code = try #require(try entry.verify().value)
        try await worlds.write { try $0.spend(code, issuerID: Samples.issuerID) }
        // exp is at 300 s, the leeway ends with second 360.
        let times: [Int64] = [0, 300_000, 360_000, 360_999, 361_000]
        var found: [String] = []
        for time in times {
            try await worlds.move(to: time)
            let accepted = try entry.verify(at: testNow.adding(milliseconds: time)).isAccepted
            let codes = try await worlds.read { try $0.replayChecks(issuerID: Samples.issuerID, code: code).refused }
            found.append("\(accepted) \(codes.joined())")
        }
        let replayed = "true JWT_JTI_REPLAYED"
        #expect(found == [replayed, replayed, replayed, replayed, "false "])
    }

    @Test func `a jti is unique per issuer, and a code without one may come again`() async throws {
        let worlds = try await TestWorlds()
        let code = try #require(try Case("", "", [("jti", "id-1")]).verify().value)
        let plain = try #require(try Case("", "").verify().value)
        let found = try await worlds.write { world in
            try world.spend(code, issuerID: Samples.issuerID)
            try world.spend(plain, issuerID: Samples.issuerID)
            return try [
                world.view.replayChecks(issuerID: Samples.issuerID, code: code).refused,
                world.view.replayChecks(issuerID: "OTHERBANK1", code: code).refused,
                world.view.replayChecks(issuerID: Samples.issuerID, code: plain).map(\.name),
            ]
        }
        #expect(found == [["JWT_JTI_REPLAYED"], [], []])
    }
}
