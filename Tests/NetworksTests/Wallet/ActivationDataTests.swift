import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Activation data that an issuer made itself, held against its network's rules (CONTRACT, section 1).
struct ActivationDataTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let network: PaymentNetwork
        /// Empty when the value is right.
        let codes: [String]
        let make: @Sendable (Provisioning) throws -> [UInt8]
    }

    // MARK: Mastercard

    private static func tav(
        _ what: String,
        _ codes: String...,
        version: TAV.Version = .three,
        content change: @escaping @Sendable (inout TAV.Content) throws -> Void = { _ in },
        document: @escaping @Sendable (JSON) -> JSON = { $0 }
    ) -> Case {
        Case(testDescription: what, network: .mastercard, codes: codes) { begun in
            let key = try PrivateKey(pem: try begun.sandbox.keyFile("issuers/DEMOBANK01/tav.key.pem"))
            var content = TAV.Content(
                version: version,
                pan: try #require(PAN(begun.card.pan)),
                expiry: try CardExpiry(mmyy: begun.card.exp),
                validUntil: begun.sandbox.clock.now.adding(seconds: 1_800),
                tokenID: nil,
                keyAlias: nil
            )
            try change(&content)
            return document(try JSON.parse(try TAV.make(content, key: key))).bytes
        }
    }

    static let mastercard: [Case] = [
        tav("version 2", version: .two), tav("version 3"),
        tav("version 4 without alias", "ACTIVATION_MEMBER_MISSING", version: .four),
        tav(
            "version 4 with an alias, of a key that has none",
            version: .four,
            content: { $0.keyAlias = "nobody" }
        ),
        tav(
            "version 2 for a token",
            "ACTIVATION_TAV_TOKEN_UNKNOWN",
            version: .two,
            content: { $0.tokenID = "DAPLMC1" }
        ),
        tav("another card", "ACTIVATION_TAV_SIGNATURE", content: { $0.pan = try #require(PAN("5105105105105100")) }),
        tav("another expiry", "ACTIVATION_TAV_SIGNATURE", content: { $0.expiry = try CardExpiry(mmyy: "1131") }),
        tav("over", "ACTIVATION_TAV_EXPIRED", content: { $0.validUntil = Instant(seconds: 1_893_455_999) }),
        tav(
            "31 days ahead",
            "ACTIVATION_TAV_TOO_FAR_AHEAD",
            content: { $0.validUntil = Instant(seconds: 1_896_134_401) }
        ),
        tav("version 1", "ACTIVATION_VERSION", document: { $0.adding("version", "1") }),
        tav("another algorithm", "ACTIVATION_TAV_ALGORITHM", document: { $0.adding("signatureAlgorithm", "RSA-SHA1") }),
        tav("no signature", "ACTIVATION_MEMBER_MISSING", document: { $0.without("signature") }),
        tav("signature in hexadecimal", "ACTIVATION_TAV_SIGNATURE_FORM", document: { $0.adding("signature", "zz") }),
        tav(
            "a field that is none",
            "ACTIVATION_TAV_FIELD_UNKNOWN",
            document: { $0.adding("includedFieldsInOrder", "accountNumber|cvc") }
        ),
        tav(
            "the number not signed",
            "ACTIVATION_TAV_PAN_NOT_SIGNED",
            "ACTIVATION_TAV_SIGNATURE",
            document: { $0.adding("includedFieldsInOrder", "dataValidUntilTimestamp") }
        ),
        tav(
            "a time without zone",
            "ACTIVATION_TAV_TIMESTAMP_FORM",
            "ACTIVATION_TAV_SIGNATURE",
            document: {
                $0.adding("dataValidUntilTimestamp", "2030-01-01T00:30:00")
            }
        ),
    ]

    // MARK: Visa

    private static let visaKey = "85bf91a7dae564161052167579b0f4d3"

    /// A block of the inferred layout, encrypted with the issuer's key of the fixtures.
    private static func visa(
        _ what: String,
        _ codes: String...,
        data: @escaping @Sendable (Provisioning) -> String = { "nonce=\(Hex.encode($0.nonce));authcode=123456" },
        key: String = visaKey,
        text: @escaping @Sendable (String) -> String = { $0 }
    ) -> Case {
        Case(testDescription: what, network: .visa, codes: codes) { begun in
            let data = Array(data(begun).utf8)
            let length = Array((data.count < 10 ? "0" : "").utf8) + Array("\(data.count)".utf8)
            var block: [UInt8] = [0, 1, 9, 9, 9, 9] + length + data
            while block.count % 8 != 0 { block.append(0) }
            let zeroIV = [UInt8](repeating: 0, count: 8)
            let encrypted = try TDEA.encrypt(block, key: SecretBytes(try Hex.decode(key)), iv: zeroIV)
            return Array(text("MBPAC-1-FK-401200.1--TDEA-" + Hex.encode(encrypted).uppercased()).utf8)
        }
    }

    static let visa: [Case] = [
        visa("as documented"),
        visa("no form", "ACTIVATION_VISA_FORM", text: { _ in "MBPAC" }),
        visa("another key set", "ACTIVATION_VISA_KEY_SET", text: { $0.replacing("401200.1", with: "999999.9") }),
        visa("half a block", "ACTIVATION_VISA_CIPHERTEXT", text: { String($0.dropLast(2)) }),
        visa("another key", "ACTIVATION_VISA_NOT_OPENED", key: "00112233445566778899aabbccddeeff"),
        visa("another layout", "ACTIVATION_VISA_NOT_OPENED", data: { _ in "authcode=123456" }),
        visa("another nonce", "ACTIVATION_VISA_NONCE", data: { _ in "nonce=00000000;authcode=123456" }),
    ]

    // MARK: American Express and Discover

    private static func mac(
        _ what: String,
        _ codes: String...,
        network: PaymentNetwork = .amex,
        input: @escaping @Sendable (Provisioning) -> [UInt8] = { $0.nonce + Array($0.card.pan.utf8) },
        document: @escaping @Sendable (JSON) -> JSON = { $0 }
    ) -> Case {
        Case(testDescription: "\(network) \(what)", network: network, codes: codes) { begun in
            let keys: [PaymentNetwork: String] = [
                .amex: "f696c76fad37259849f183d59173f506009a5e7200e67e980e8e3dbd656089f9",
                .discover: "76f41342c2564dbc97d3c67a2b3ffaac3276d29a7f000311784e9631d4474c49",
            ]
            let key = SecretBytes(try Hex.decode(keys[network] ?? ""))
            return document(["v": 1, "mac": .base64(HMAC.sha256(input(begun), key: key))]).bytes
        }
    }

    static let macs: [Case] = [
        mac("as documented"), mac("as documented", network: .discover),
        mac("over the number alone", "ACTIVATION_MAC_WITHOUT_NONCE", input: { Array($0.card.pan.utf8) }),
        mac("number before nonce", "ACTIVATION_MAC_MISMATCH", input: { Array($0.card.pan.utf8) + $0.nonce }),
        mac("no version", "ACTIVATION_VERSION", document: { $0.without("v") }),
        mac("no MAC", "ACTIVATION_MAC_FORM", document: { $0.without("mac") }),
        mac("short MAC", "ACTIVATION_MAC_FORM", network: .discover, document: { $0.adding("mac", "AAAA") }),
        mac("no JSON", "ACTIVATION_NOT_JSON", document: { _ in "text" }),
    ]

    @Test(arguments: mastercard + visa + macs)
    func `a value of the issuer's own is taken, or each mistake has its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, example.network)
            let good = try await begun.triple()
            let body = good.replacing("activationData", .base64(try example.make(begun)))
            let reply = try await begun.post(body)
            guard !example.codes.isEmpty else {
                #expect([String(reply.status), reply.text("decision")] == ["201", "green"], "\(reply.summary)")
                return
            }
            expect(reply, wallet: 422, example.codes + ["ACTIVATION_DATA_REFUSED"])
            #expect(try await begun.post(good).status == 201)
        }
    }
}
