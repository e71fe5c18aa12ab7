import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `…/pass`: what Apple's broker and the network behind it say about the three parts an app hands over.
struct PassIssuanceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var network = PaymentNetwork.visa
        let status: Int
        let codes: [String]
        let change: @Sendable (JSON, Provisioning) throws -> JSON
    }

    static func field(_ name: String, _ value: JSON, _ status: Int, _ codes: String...) -> Case {
        Case(testDescription: "\(name) is \(value.text.prefix(40))", status: status, codes: codes) { body, _ in
            value.isNull ? body.without(name) : body.replacing(name, value)
        }
    }

    /// Pass data made in another construction.
    static func construction(_ code: String..., made: PassDataConstruction) -> Case {
        Case(testDescription: code.joined(separator: ", "), status: 422, codes: code) { body, begun in
            Provisioning.body(body["activationData"] ?? .null, try begun.seal(begun.passDataText.text, made))
        }
    }

    /// The ephemeral key in another form.
    static func point(
        _ what: String,
        _ code: String,
        status: Int = 400,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Case {
        Case(testDescription: what, status: status, codes: [code]) { body, _ in
            let point = try Base64.decode(body["ephemeralPublicKey"]?.string ?? "")
            return body.replacing("ephemeralPublicKey", .base64(change(point)))
        }
    }

    /// Text inside the pass data changed.
    static func content(
        _ what: String,
        _ codes: String...,
        change: @escaping @Sendable (JSON, Provisioning) -> JSON
    ) -> Case {
        Case(testDescription: what, status: 422, codes: codes) { body, begun in
            let text = change(begun.passDataText, begun).text
            return Provisioning.body(body["activationData"] ?? .null, try begun.seal(text))
        }
    }

    /// DER of a P-256 public key before its 65 bytes.
    private static let spkiHead: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    static let form: [Case] = [
        field("activationData", .null, 400, "ACTIVATION_DATA_MISSING"),
        field("activationData", "", 400, "ACTIVATION_DATA_EMPTY"),
        field("activationData", "*", 400, "ACTIVATION_DATA_MALFORMED"),
        field("encryptedPassData", .null, 400, "ENCRYPTED_PASS_DATA_MISSING"),
        field("encryptedPassData", 1, 400, "ENCRYPTED_PASS_DATA_WRONG_TYPE"),
        field("encryptedPassData", "AAAA", 400, "PASS_DATA_SHORT"),
        field("ephemeralPublicKey", .null, 400, "EPHEMERAL_PUBLIC_KEY_MISSING"),
        field("ephemeralPublicKey", "AAAA", 400, "EPK_LENGTH"),
        field("termsAccepted", "yes", 400, "TERMS_ACCEPTED_WRONG_TYPE"),
        field("termsAccepted", false, 422, "TERMS_REFUSED"),
        Case(testDescription: "the key in wrappedKey", status: 400, codes: ["WRAPPEDKEY_IN_ECC"]) { body, _ in
            body.replacing("wrappedKey", body["ephemeralPublicKey"] ?? .null).without("ephemeralPublicKey")
        },
        point("X and Y without 04", "EPK_RAW64") { Array($0.dropFirst()) },
        point("compressed", "EPK_COMPRESSED") { [2 + ($0[64] & 1)] + $0[1...32] },
        point("91 bytes of DER", "EPK_SPKI") { spkiHead + $0 },
        point("not on the curve", "EPK_NOT_ON_CURVE", status: 422) { Array($0.dropLast()) + [$0[64] ^ 1] },
    ]

    static let constructions: [Case] = [
        construction("IV_16_ZERO", made: PassDataConstruction(ivLength: 16)),
        construction("KDF_ORDER_X963", made: PassDataConstruction(derivation: .secretFirst)),
        construction("KDF_NO_LENGTH_BYTE", made: PassDataConstruction(hasLengthByte: false)),
        construction("KDF_PARTYV_RAW64", made: PassDataConstruction(partyV: .raw64)),
        construction("KDF_PARTYV_COMPRESSED", made: PassDataConstruction(partyV: .compressed)),
        construction("KDF_PARTYV_EMPTY", made: PassDataConstruction(partyV: .empty)),
        construction("KDF_PARTYV_LEAF", made: PassDataConstruction(partyV: .leaf)),
        construction(
            "KDF_PARTYV_MERCHANT",
            made: PassDataConstruction(partyV: .merchant("merchant.com.demobank.app"))
        ),
        construction("KDF_MISSING", made: PassDataConstruction(derivation: .none)),
        construction("TAG_PREPENDED", made: PassDataConstruction(tag: .prepended)),
        construction(
            "IV_16_ZERO",
            "KDF_ORDER_X963",
            made: PassDataConstruction(ivLength: 16, derivation: .secretFirst)
        ),
        Case(testDescription: "no tag", status: 422, codes: ["TAG_MISSING"]) { body, begun in
            var sealed = try begun.seal(begun.passDataText.text)
            sealed = SealedPassData(
                encryptedPassData: sealed.encryptedPassData.dropLast(16),
                ephemeralPublicKey: sealed.ephemeralPublicKey
            )
            return Provisioning.body(body["activationData"] ?? .null, sealed)
        },
        Case(testDescription: "one bit changed", status: 422, codes: ["PASS_DATA_NOT_OPENED"]) { body, _ in
            var bytes = try Base64.decode(body["encryptedPassData"]?.string ?? "")
            bytes[3] ^= 1
            return body.replacing("encryptedPassData", .base64(bytes))
        },
    ]

    static let contents: [Case] = [
        content("no PAN", "PASS_DATA_PAN_MISSING") { text, _ in text.without("primaryAccountNumber") },
        content("PAN with spaces", "PASS_DATA_PAN_MALFORMED") { text, _ in
            text.replacing("primaryAccountNumber", "4111 1111 1111 1111")
        },
        content("PAN of another card", "PAN_SUFFIX_MISMATCH") { text, _ in
            text.replacing("primaryAccountNumber", "4012888888881881")
        },
        content("PAN of another network", "PAN_NETWORK_MISMATCH", "PAN_SUFFIX_MISMATCH") { text, _ in
            text.replacing("primaryAccountNumber", "5555555555554444")
        },
        content("no expiration", "PASS_DATA_EXPIRATION_MISSING") { text, _ in text.without("expiration") },
        content("expiration MMYY", "EXP_FORMAT") { text, _ in text.replacing("expiration", "1232") },
        content("expiration MM/YYYY", "EXP_FORMAT") { text, _ in text.replacing("expiration", "12/2032") },
        content("month 13", "EXPIRY_IMPOSSIBLE") { text, _ in text.replacing("expiration", "13/32") },
        content("no name", "PASS_DATA_NAME_MISSING") { text, _ in text.without("name") },
        content("no nonce", "PASS_DATA_NONCE_MISSING") { text, _ in text.without("nonce") },
        content("nonce of nobody", "NONCE_MISMATCH") { text, _ in text.replacing("nonce", "0011223344") },
        content("nonce in base64", "NONCE_B64_IN_JSON") { text, begun in
            text.replacing("nonce", .string(Base64.encode(begun.nonce)))
        },
        content("no signature", "PASS_DATA_NONCE_SIGNATURE_MISSING") { text, _ in text.without("nonceSignature") },
        content("another signature", "NONCE_SIGNATURE_MISMATCH") { text, begun in
            text.replacing("nonceSignature", .string(Hex.encode(begun.nonce)))
        },
        Case(testDescription: "no JSON inside", status: 422, codes: ["PASS_DATA_NOT_JSON"]) { body, begun in
            Provisioning.body(body["activationData"] ?? .null, try begun.seal("4111" + "x"))
        },
        Case(testDescription: "a list inside", status: 422, codes: ["PASS_DATA_NOT_OBJECT"]) { body, begun in
            Provisioning.body(body["activationData"] ?? .null, try begun.seal("[]"))
        },
    ]

    @Test(arguments: form + constructions + contents)
    func `each mistake has its status and its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, example.network)
            let good = try await begun.triple()
            let reply = try await begun.post(example.change(good, begun))
            expect(reply, wallet: example.status, example.codes)
            // Nothing was spent, so the right one still goes through; but refused terms are the end of it.
            let isEnded = example.codes == ["TERMS_REFUSED"]
            #expect(try await begun.post(good).status == (isEnded ? 409 : 201))
        }
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `a backend that builds all three parts itself gets a token`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, network)
            let activationData = try await begun.triple()["activationData"] ?? .null
            // Upper-case hexadecimal is only warned about.
            let text = begun.passDataText.replacing("nonce", .string(Hex.encode(begun.nonce).uppercased()))
            let made = try await begun.post(Provisioning.body(activationData, try begun.seal(text.text)))
            #expect(made.status == 201, "\(made.summary)")
            #expect(made["decision"] == "green")
        }
    }

    @Test func `pass data for another device names its leaf, a nonce of another session the replay`() async throws {
        try await withSandbox { sandbox in
            let first = try await Provisioning.begin(sandbox)
            let second = try await Provisioning.begin(sandbox)
            let triple = try await first.triple()
            expect(try await second.post(triple), wallet: 422, ["LEAF_MISMATCH"])
            let phone = try await sandbox.device()
            let used = try await Provisioning.begin(sandbox, .visa, on: phone)
            let old = try await used.triple()
            let open = try await Provisioning.begin(sandbox, .visa, on: phone)
            let codes = ["NONCE_REPLAY", "NONCE_SIGNATURE_MISMATCH"]
            let early = try await open.post(old)
            #expect(early.diagnosis == codes && early.status == 422, "\(early.summary)")
            #expect(try await sandbox.told("NONCE_REPLAY").hasPrefix("of another open session"))
            _ = try await used.post(old)
            let late = try await open.post(old)
            #expect(late.diagnosis == codes, "\(late.summary)")
            #expect(try await sandbox.told("NONCE_REPLAY").hasPrefix("of a session that was used"))
        }
    }

    @Test func `a blocked, closed or expired card is red, and no token is made`() async throws {
        try await withSandbox { sandbox in
            for (event, code) in [("block", "CARD_BLOCKED"), ("close", "CARD_CLOSED")] {
                let card = event == "block" ? TestCard.visa : TestCard("test-closed", pan: "4242424242424242")
                let begun = try await Provisioning.begin(sandbox, .visa, card: card)
                let triple = try await begun.triple()
                let path = "/v1/cards/\(card.reference)/events"
                #expect(try await sandbox.control("POST", path, ["event": .string(event)]).status == 200)
                expect(try await begun.post(triple), wallet: 422, [code])
                guard event == "block" else { continue }
                _ = try await sandbox.control("POST", path, ["event": "unblock"])
                #expect(try await begun.post(triple).status == 201)
            }
            let old = TestCard("test-old", pan: "4012888888881881", exp: "1229")
            let begun = try await Provisioning.begin(sandbox, .visa, card: old)
            expect(try await begun.post(try await begun.triple()), wallet: 422, ["CARD_EXPIRED"])
            #expect(try await sandbox.told("CARD_EXPIRED").hasPrefix("expiry 1229, and it is 2030-01-0"))
        }
    }

    /// A number that only a direct-PassKit backend has sent: no card is registered.
    @Test func `the issuer of a number is the registered card's, the range's, or none`() async throws {
        try await withSandbox { sandbox in
            func post(_ pan: String) async throws -> TestReply {
                let begun = try await Provisioning.begin(sandbox, .visa, card: TestCard("none", pan: pan))
                return try await begun.post(Provisioning.body("e30=", try begun.seal(begun.passDataText.text)))
            }
            expect(try await post("4111111111111111"), wallet: 422, ["ISSUER_UNKNOWN_FOR_PAN"])
            // In a range: an issuer is found, and its rules refuse the activation data.
            expect(
                try await post("4761730000000011"),
                wallet: 422,
                ["ACTIVATION_VISA_FORM", "ACTIVATION_DATA_REFUSED"]
            )
            try await sandbox.register(.visa)
            try await sandbox.register(.visa, issuerID: "DEMOBANK02")
            expect(try await post("4111111111111111"), wallet: 422, ["ISSUER_AMBIGUOUS"])
            #expect(try await sandbox.told("ISSUER_AMBIGUOUS").hasPrefix("DEMOBANK01, DEMOBANK02 |"))
        }
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `bad activation data is refused, or yellow by the issuer's policy`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, network)
            let bad = try await begun.triple().replacing("activationData", "e30=")
            let refused = try await begun.post(bad)
            #expect(refused.status == 422)
            #expect(refused.diagnosis.first?.hasPrefix("ACTIVATION_") == true, "\(refused.summary)")
            try await sandbox.changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
            let made = try await begun.post(bad)
            #expect([String(made.status), made.text("decision")] == ["201", "yellow"])
            #expect(made["pass"]["secureElementPass"]?["passActivationState"] == "requiresActivation")
            #expect(try await sandbox.journaled() == [refused.diagnosis[0]])
        }
    }
}
