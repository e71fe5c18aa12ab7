import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `generateAddPaymentPassRequest`: each mistake has its number and its code.
struct GeneratePassTests {
    /// One way to break a good request.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let number: Int
        let codes: [String]
        var network = PaymentNetwork.visa
        let change: @Sendable (inout JSON, TestIssuer) throws -> Void
    }

    static func field(_ name: String, _ value: JSON, _ number: Int, _ codes: String...) -> Case {
        Case(testDescription: "\(name) is \(value.text.prefix(40))", number: number, codes: codes) { body, _ in
            body = value.isNull ? body.without(name) : body.replacing(name, value)
        }
    }

    /// A card payload whose text is changed.
    static func card(
        _ what: String,
        _ number: Int,
        _ codes: [String],
        network: PaymentNetwork = .visa,
        _ change: @escaping @Sendable (JSON) -> JSON
    ) -> Case {
        Case(testDescription: what, number: number, codes: codes, network: network) { body, issuer in
            let text = change(TestCard.of(network).json).text
            body = body.replacing("encryptedPayload", .string(try issuer.payload(text: text)))
        }
    }

    /// Claims or header of the authorization code changed.
    static func code(_ what: String, _ codes: [String], _ changes: [(String, JSON)]) -> Case {
        Case(testDescription: what, number: 401, codes: codes) { body, issuer in
            let code = try issuer.code(sub: "test-visa", changes: changes)
            body = body.replacing("authorizationCode", .string(code))
        }
    }

    static let missing: [Case] = [
        field("scheme", .null, 111, "SCHEME_MISSING"),
        field("encryptedPayload", .null, 111, "ENCRYPTED_PAYLOAD_MISSING"),
        field("authorizationCode", .null, 111, "AUTHORIZATION_CODE_MISSING"),
        field("certificateChain", .null, 111, "CERTIFICATE_CHAIN_MISSING"),
        field("nonce", .null, 111, "NONCE_MISSING"),
        field("nonceSignature", .null, 111, "NONCE_SIGNATURE_MISSING"),
        field("scheme", "", 111, "SCHEME_EMPTY"),
        field("encryptedPayload", "", 111, "ENCRYPTED_PAYLOAD_EMPTY"),
        field("authorizationCode", "", 111, "AUTHORIZATION_CODE_EMPTY"),
        field("certificateChain", [], 111, "CERTIFICATE_CHAIN_EMPTY"),
        field("nonce", "", 111, "NONCE_EMPTY"),
        field("nonceSignature", "", 111, "NONCE_SIGNATURE_EMPTY"),
        card("no card reference", 111, ["CARD_REF_MISSING"]) { $0.without("issuerCardRefId") },
        card("no PAN", 111, ["PAYLOAD_PAN_MISSING"]) { $0.without("fpan") },
        card("no expiry", 111, ["PAYLOAD_EXPIRY_MISSING"]) { $0.without("exp") },
        card("no name", 111, ["PAYLOAD_CARDHOLDER_NAME_MISSING"]) { $0.without("cardHolderName") },
    ]

    static let malformed: [Case] = [
        field("scheme", 1, 112, "SCHEME_WRONG_TYPE"),
        field("scheme", "Visa", 112, "SCHEME_UNKNOWN"),
        field("scheme", "PAGOBANCOMAT", 112, "SCHEME_UNKNOWN"),
        field("encryptedPayload", ["a"], 112, "ENCRYPTED_PAYLOAD_WRONG_TYPE"),
        field("encryptedPayload", "3080zz", 112, "ENC_UNKNOWN"),
        field("encryptedPayload", "308", 112, "ENC_HEX_ODD"),
        field("encryptedPayload", "{\"fpan\":\"x\"}", 112, "ENC_JSON"),
        field("encryptedPayload", "00ff00ff", 112, "CMS_NOT_CMS"),
        field("authorizationCode", "abc", 112, "JWT_PARTS"),
        field("authorizationCode", "a.b.c.d.e", 112, "JWT_IS_JWE"),
        field("certificateChain", "no", 112, "CERTIFICATE_CHAIN_WRONG_TYPE"),
        field("certificateChain", [1], 112, "CERTIFICATE_CHAIN_WRONG_TYPE"),
        field("certificateChain", ["AAAA"], 112, "CHAIN_NOT_DER"),
        field("nonce", "not base64!", 112, "NONCE_MALFORMED"),
        field("nonce", .string(Base64.encode([UInt8](repeating: 7, count: 65))), 112, "NONCE_LENGTH"),
        field(
            "nonceSignature",
            .string(Base64.encode([UInt8](repeating: 7, count: 513))),
            112,
            "NONCE_SIGNATURE_LENGTH"
        ),
        field("encryptionScheme", "EV_RSA_v2", 112, "TPC_ENCRYPTION_SCHEME_UNSUPPORTED"),
        field("primaryAccountSuffix", "11", 112, "SUFFIX_FORM"),
        field("primaryAccountSuffix", "11a1", 112, "SUFFIX_FORM"),
        field("primaryAccountIdentifier", 5, 112, "PRIMARY_ACCOUNT_IDENTIFIER_WRONG_TYPE"),
        Case(testDescription: "text is not JSON", number: 112, codes: ["PAYLOAD_NOT_JSON"]) { body, issuer in
            body = body.replacing("encryptedPayload", .string(try issuer.payload(text: "fpan=4111")))
        },
        Case(testDescription: "text is a list", number: 112, codes: ["PAYLOAD_NOT_OBJECT"]) { body, issuer in
            body = body.replacing("encryptedPayload", .string(try issuer.payload(text: "[]")))
        },
        card("PAN is a number", 112, ["PAYLOAD_PAN_IS_NUMBER"]) { $0.replacing("fpan", 4_111_111_111_111_111) },
        card("PAN with spaces", 112, ["PAYLOAD_PAN_MALFORMED"]) { $0.replacing("fpan", "4111 1111 1111 1111") },
        card("expiry MM/YY", 112, ["EXP_FORMAT"]) { $0.replacing("exp", "12/32") },
        card("reference of 49 characters", 112, ["CARD_REF_MALFORMED"]) {
            $0.replacing("issuerCardRefId", .string(String(repeating: "r", count: 49)))
        },
        card("name is a number", 112, ["PAYLOAD_CARDHOLDER_NAME_MALFORMED"]) { $0.replacing("cardHolderName", 7) },
        card("e-mail too long", 112, ["PAYLOAD_MEMBER_TOO_LONG"]) {
            $0.replacing("email", .string(String(repeating: "e", count: 49)))
        },
        Case(testDescription: "root missing its sub-CA", number: 112, codes: ["CHAIN_SUB_CA_MISSING"]) { body, _ in
            body = body.replacing("certificateChain", .array(Array(body["certificateChain"]?.array?.prefix(1) ?? [])))
        },
        Case(testDescription: "chain reversed", number: 112, codes: ["CHAIN_REVERSED"]) { body, _ in
            body = body.replacing("certificateChain", .array(body["certificateChain"]?.array?.reversed() ?? []))
        },
    ]

    static let unauthenticated: [Case] = [
        code("exp over", ["JWT_EXPIRED"], [("exp", 1_893_455_900), ("iat", 1_893_455_800)]),
        code("no exp", ["JWT_EXP_MISSING"], [("exp", .null)]),
        code("exp a text", ["JWT_EXP_NOT_NUMBER"], [("exp", "1893456300")]),
        code("exp in milliseconds", ["JWT_EXP_MILLISECONDS"], [("exp", 1_893_456_300_000)]),
        code("iat ahead", ["JWT_IAT_FUTURE"], [("iat", 1_893_456_061)]),
        code("no iat", ["JWT_IAT_MISSING"], [("iat", .null)]),
        code("no iss", ["JWT_ISS_MISSING"], [("iss", .null)]),
        code("iss of another", ["JWT_ISS_MISMATCH"], [("iss", "DEMOBANK02")]),
        code("iss a number", ["JWT_CLAIM_TYPE"], [("iss", 1)]),
        code("no aud", ["JWT_AUD_MISSING"], [("aud", .null)]),
        code("aud Google", ["JWT_AUD_MISMATCH"], [("aud", "GOOGLE_PAY")]),
        code("aud in lower case", ["JWT_AUD_UNKNOWN"], [("aud", "apple_pay")]),
        code("no sub", ["JWT_SUB_MISSING"], [("sub", .null)]),
        code("sub of another card", ["JWT_SUB_MISMATCH"], [("sub", "other-card")]),
        code("sub a token id", ["JWT_SUB_IS_TOKEN_ID"], [("sub", "DNITHE000000000000000001")]),
        code("jti empty", ["JWT_JTI_FORM"], [("jti", "")]),
        code("jti a number", ["JWT_JTI_FORM"], [("jti", 7)]),
        Case(testDescription: "kid unknown", number: 401, codes: ["JWT_KID_UNKNOWN"]) { body, issuer in
            let code = try issuer.code(sub: "test-visa", kid: "nobody")
            body = body.replacing("authorizationCode", .string(code))
        },
        Case(testDescription: "PS256", number: 401, codes: ["JWT_ALG_NOT_ALLOWED"]) { body, issuer in
            let code = try issuer.code(sub: "test-visa", algorithm: .ps256)
            body = body.replacing("authorizationCode", .string(code))
        },
        Case(testDescription: "signature changed", number: 401, codes: ["JWT_SIGNATURE_INVALID"]) { body, issuer in
            let parts = try issuer.code(sub: "test-visa").split(separator: ".")
            let other = try issuer.code(sub: "test-vise").split(separator: ".")
            body = body.replacing("authorizationCode", .string("\(parts[0]).\(parts[1]).\(other[2])"))
        },
        Case(testDescription: "a claim twice", number: 401, codes: ["JWT_DUPLICATE_CLAIM"]) { body, issuer in
            let claims = "{\"iss\":\"DEMOBANK01\",\"sub\":\"test-visa\",\"sub\":\"test-visa\"}"
            body = body.replacing("authorizationCode", .string(try issuer.code(claims: claims)))
        },
    ]

    static let wrongCard: [Case] = [
        card("month 13", 166, ["EXPIRY_IMPOSSIBLE"]) { $0.replacing("exp", "1332") },
        card("PAN of 15 digits", 166, ["PAN_LENGTH", "PAN_NOT_TEST"]) { $0.replacing("fpan", "411111111111111") },
        card("PAN of 4 digits", 166, ["PAN_LENGTH"]) { $0.replacing("fpan", "4111") },
        card("PAN no test number", 166, ["PAN_NOT_TEST"]) { $0.replacing("fpan", "4539578763621486") },
        card("PAN of Mastercard", 166, ["PAN_NETWORK_MISMATCH"]) { $0.replacing("fpan", "5555555555554444") },
        card("PAN of no network", 166, ["PAN_NETWORK_UNKNOWN", "PAN_NOT_TEST"]) {
            $0.replacing("fpan", "9999999999999995")
        },
        card("name of 28 characters", 166, ["CARDHOLDER_NAME_TOO_LONG"], network: .mastercard) {
            $0.replacing("cardHolderName", "ABCDEFGHIJKLMNOPQRSTUVWXYZAB")
        },
        field("primaryAccountSuffix", "9999", 166, "PAN_SUFFIX_MISMATCH"),
        Case(testDescription: "reference is a PAN", number: 166, codes: ["CARD_REF_IS_PAN"]) { body, issuer in
            var card = TestCard.visa
            card.reference = "4111111111111111"
            body = body.replacing("encryptedPayload", .string(try issuer.payload(card)))
            body = body.replacing("authorizationCode", .string(try issuer.code(sub: card.reference)))
        },
        Case(testDescription: "reference holds a PAN", number: 166, codes: ["CARD_REF_IS_PAN"]) { body, issuer in
            var card = TestCard.visa
            card.reference = "card-4111-1111-1111-1111"
            body = body.replacing("encryptedPayload", .string(try issuer.payload(card)))
        },
    ]

    @Test(arguments: missing + malformed + unauthenticated + wrongCard)
    func `each mistake has its number and its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, example.network)
            var body = try sandbox.passRequest(begun.session, begun.card, example.network)
            try example.change(&body, TestIssuer(sandbox))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            expect(reply, tpc: example.number, example.codes)
        }
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `the answer is three byte strings, and optional members are taken`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, network)
            var body = try sandbox.passRequest(begun.session, begun.card, network)
            for (name, value): (String, JSON) in [
                ("encryptionScheme", "EV_ECC_v2"), ("primaryAccountSuffix", .string(begun.card.suffix)),
                ("cardholderName", "ANA PRUEBA"), ("productId", "p"), ("auxiliaryScheme", "X"), ("more", 1),
            ] { body = body.replacing(name, value) }
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            #expect(reply.status == 200)
            #expect(reply.json.object?.keys == ["activationData", "encryptedPassData", "ephemeralPublicKey"])
            #expect(try Base64.decode(reply.text("ephemeralPublicKey")).count == 65)
            #expect(try await sandbox.journaled() == ["FIELD_IGNORED", "UNKNOWN_MEMBER"])
        }
    }

    /// Each step takes the mistake of the step before away; the rest stays, and the next one decides.
    @Test func `the first that applies decides, and all are told`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let issuer = TestIssuer(sandbox)
            let badCard = TestCard("test-visa", pan: TestCard.visa.pan, exp: "1332").json.text
            var body = good.without("nonce").replacing("scheme", "visa")
            body = body.replacing("authorizationCode", .string(try issuer.code(sub: "test-visa", kid: "nobody")))
            body = body.replacing("certificateChain", .array(good["certificateChain"]?.array?.suffix(1) ?? []))
            body = body.replacing("encryptedPayload", .string(try issuer.payload(text: badCard)))

            let operation = "generateAddPaymentPassRequest"
            let all = ["NONCE_MISSING", "SCHEME_UNKNOWN", "EXPIRY_IMPOSSIBLE", "JWT_KID_UNKNOWN", "CHAIN_LEAF_MISSING"]
            // Nobody's keys verify the code of an issuer that does not exist.
            let unknown = [
                "ISSUER_UNKNOWN", "SCHEME_UNKNOWN", "NONCE_MISSING", "EXPIRY_IMPOSSIBLE", "CHAIN_LEAF_MISSING",
            ]
            expect(try await sandbox.tpc(operation, body, issuerID: "NOBODY0001"), tpc: 113, unknown)
            func deciding(_ index: Int) -> [String] {
                let rest = [
                    "SCHEME_UNKNOWN", "NONCE_MISSING", "EXPIRY_IMPOSSIBLE", "JWT_KID_UNKNOWN", "CHAIN_LEAF_MISSING",
                ]
                return [all[index]] + rest.filter { $0 != all[index] }
            }
            expect(try await sandbox.tpc(operation, body), tpc: 111, deciding(0))
            body = body.replacing("nonce", good["nonce"] ?? .null)
            let afterNonce = ["SCHEME_UNKNOWN", "EXPIRY_IMPOSSIBLE", "JWT_KID_UNKNOWN", "CHAIN_LEAF_MISSING"]
            expect(try await sandbox.tpc(operation, body), tpc: 112, afterNonce)
            body = body.replacing("scheme", "VISA")
            let afterScheme = ["JWT_KID_UNKNOWN", "EXPIRY_IMPOSSIBLE", "CHAIN_LEAF_MISSING"]
            expect(try await sandbox.tpc(operation, body), tpc: 401, afterScheme)
            body = body.replacing("authorizationCode", good["authorizationCode"] ?? .null)
            expect(try await sandbox.tpc(operation, body), tpc: 112, ["CHAIN_LEAF_MISSING", "EXPIRY_IMPOSSIBLE"])
            body = body.replacing("certificateChain", good["certificateChain"] ?? .null)
            expect(try await sandbox.tpc(operation, body), tpc: 166, ["EXPIRY_IMPOSSIBLE"])
        }
    }

    @Test func `a chain that leads to another root is refused`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            var body = try sandbox.passRequest(begun.session, begun.card, .visa)
            let own = try TestIssuer(sandbox).foreignChain()
            body = body.replacing("certificateChain", .array(own.map { JSON.base64($0) }))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            expect(reply, tpc: 112, ["CHAIN_NOT_ANCHORED"])
        }
    }

    @Test func `a reference that stands for another card is refused`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            _ = try await begun.triple()
            let other = TestCard("test-visa", pan: "4012888888881881")
            var body = try sandbox.passRequest(begun.session, other, .visa)
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            expect(reply, tpc: 166, ["CARD_REF_CONFLICT"])
            // The same number with a new expiry brings the card up to date.
            body = try sandbox.passRequest(
                begun.session,
                TestCard("test-visa", pan: TestCard.visa.pan, exp: "0131"),
                .visa
            )
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", body).status == 200)
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("expiryDate") == "0131")
        }
    }

    @Test func `a FPAN id that is not the card's is remarked`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.provision(try await sandbox.device(), .visa, .visa)
            let own = made["pass"]["secureElementPass"]?["primaryAccountIdentifier"]?.string ?? ""
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, .visa)
            for (identifier, codes) in [(own, []), ("", []), ("V-other", ["FPAN_ID_MISMATCH"])] {
                let changed = body.replacing("primaryAccountIdentifier", .string(identifier))
                #expect(try await sandbox.tpc("generateAddPaymentPassRequest", changed).status == 200)
                #expect(try await sandbox.journaled() == codes, "\(identifier)")
            }
            #expect(try await sandbox.told("FPAN_ID_MISMATCH").hasPrefix("found V-other, the card's is \(own) |"))
        }
    }

    @Test func `a request that is refused leaves nothing behind`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, .visa)
            let bad = body.replacing("nonce", .null)
            _ = try await sandbox.tpc("generateAddPaymentPassRequest", bad)
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").diagnosis == ["CARD_UNKNOWN"])
        }
    }
}

extension TestIssuer {
    /// A code over claims in the exact text given.
    func code(claims: String) throws -> String {
        let header = Base64.encode(Array("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".utf8), .url)
        let input = header + "." + Base64.encode(Array(claims.utf8), .url)
        let signature = try JWSSigner.signature(of: Array(input.utf8), .rs256, key: authorizationKey())
        return input + "." + Base64.encode(signature, .url)
    }

    /// Leaf and sub-CA like the wallet's, under a root of their own.
    func foreignChain() throws -> [[UInt8]] {
        let (rootKey, subKey, leafKey) = (
            try PrivateKey.generateP256(), try PrivateKey.generateP256(), try PrivateKey.generateP256()
        )
        let (start, end) = (Instant(seconds: 1_700_000_000), Instant(seconds: 2_200_000_000))
        let root = try CertificateBuilder.authority(
            commonName: "Other Root",
            serialNumber: [1],
            notBefore: start,
            notAfter: end
        )
        .selfSigned(by: rootKey)
        let sub = try CertificateBuilder.authority(
            commonName: "Other Sub",
            serialNumber: [2],
            notBefore: start,
            notAfter: end
        )
        .issued(to: subKey.publicKey, by: root, key: rootKey)
        let leaf = try CertificateBuilder.passDataLeaf(
            commonName: "Other Leaf",
            serialNumber: [3],
            notBefore: start,
            notAfter: end
        ).issued(to: leafKey.publicKey, by: sub, key: subKey)
        return [leaf.der, sub.der]
    }
}
