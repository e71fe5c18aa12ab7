import Core
import SandboxTesting
import Testing
import Wire

/// A nonce of four bytes in hexadecimal is base64 of six others: what stands beside it tells which was meant.
struct NonceFormTests {
    enum Form {
        case base64
        case hex
        case capitals

        func text(_ value: JSON) throws -> JSON {
            let hex = Hex.encode(try Base64.decode(value.string ?? ""))
            return switch self {
            case .base64: value
            case .hex: .string(hex)
            case .capitals: .string(hex.uppercased())
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let nonce: Form
        let signature: Form
        /// Evidence of the warnings, the nonce's first.
        let told: [String]
        /// What the wallet answers to the pass data.
        let wallet: Int
        var testDescription: String { "nonce \(nonce), nonceSignature \(signature)" }

        init(_ nonce: Form, _ signature: Form, _ told: [String], _ wallet: Int) {
            self.nonce = nonce
            self.signature = signature
            self.told = told
            self.wallet = wallet
        }
    }

    static let rows: [Row] = [
        Row(.base64, .base64, [], 201), Row(.hex, .hex, ["accepted, like nonceSignature", "accepted"], 201),
        Row(.capitals, .capitals, ["accepted, like nonceSignature", "accepted"], 201),
        Row(.hex, .capitals, ["accepted, like nonceSignature", "accepted"], 201),
        Row(.base64, .hex, ["accepted"], 201), Row(.hex, .base64, ["looks hexadecimal, read as base64"], 422),
    ]

    @Test(arguments: rows)
    func `lenient rules read the nonce as the signature is written`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness("lenient")
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, .visa)
                .replacing("nonce", try row.nonce.text(begun.session["nonce"]))
                .replacing("nonceSignature", try row.signature.text(begun.session["nonceSignature"]))
            let triple = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            #expect(triple.status == 200, "\(triple.summary)")
            let checks = try await sandbox.told("ENC_HEX_INSTEAD_OF_B64").split(separator: "; ")
            #expect(checks.map { $0.prefix { $0 != "|" }.dropLast() } == row.told.map { $0[...] })
            let made = try await begun.post(triple.json)
            #expect(made.status == row.wallet, "\(made.summary)")
        }
    }

    @Test(arguments: ["documented", "strict"])
    func `other rules refuse hexadecimal`(_ word: String) async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness(word)
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, .visa)
                .replacing("nonce", try Form.hex.text(begun.session["nonce"]))
                .replacing("nonceSignature", try Form.hex.text(begun.session["nonceSignature"]))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            expect(reply, tpc: 112, ["ENC_HEX_INSTEAD_OF_B64"])
        }
    }

    @Test func `D1 reads it the same way`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness("lenient")
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", session)["items"].array?.first)
            let made = try await sandbox.addThroughExtension(phone, session, entry, nonceForm: Form.hex.text)
            #expect(made.status == 201, "\(made.text)")
        }
    }

    @Test func `activatePass reads it the same way when the signature is sent along`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness("lenient")
            try await sandbox.changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
            let phone = try await sandbox.device()
            let begun = try await Provisioning.begin(sandbox, .visa, on: phone)
            let made = try await begun.post(try await begun.triple().replacing("activationData", "e30="))
            let issuer = TestIssuer(sandbox)
            let data = try await sandbox.tpc(
                "activatePass",
                [
                    "scheme": "VISA", "encryptedPayload": .string(try issuer.payload(.visa)),
                    "authorizationCode": .string(try issuer.code(sub: "test-visa")),
                    "nonce": try Form.hex.text(begun.session["nonce"]),
                    "nonceSignature": try Form.hex.text(begun.session["nonceSignature"]),
                ]
            )
            let path = "/wallet/apple/devices/\(phone)/passes/\(sandbox.serial(made))/activate"
            let pass = try await sandbox.api("POST", path, ["activationData": data["activationData"]])
            #expect(pass.status == 200, "\(data.summary) \(pass.summary)")
            #expect(try await sandbox.state(made.text("tokenId")) == "active")
        }
    }
}
