import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// The three strictnesses side by side, one deviation a row.
struct StrictnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The codes each strictness refuses with; empty accepts.
        let documented: [String]
        let lenient: [String]
        let strict: [String]
        /// Warnings that the journal has where the request is accepted.
        let warning: String
        let number: Int
        let change: @Sendable (JSON, TestIssuer) throws -> JSON
    }

    private static func payload(_ what: String, _ code: String, _ form: @escaping @Sendable ([UInt8]) -> String) -> Row
    {
        Row(
            testDescription: what,
            documented: [code],
            lenient: [],
            strict: [code],
            warning: code,
            number: 112
        ) { body, _ in
            let der = try Hex.decode(body["encryptedPayload"]?.string ?? "")
            return body.replacing("encryptedPayload", .string(form(der)))
        }
    }

    private static func bytes(_ what: String, _ code: String, _ form: @escaping @Sendable ([UInt8]) -> String) -> Row {
        Row(
            testDescription: what,
            documented: [code],
            lenient: [],
            strict: [code],
            warning: code,
            number: 112
        ) { body, _ in
            let signature = try Base64.decode(body["nonceSignature"]?.string ?? "")
            return body.replacing("nonceSignature", .string(form(signature)))
        }
    }

    private static func lines(_ text: String) -> String {
        text.enumerated().map { $0 > 0 && $0 % 64 == 0 ? "\n\($1)" : "\($1)" }.joined()
    }

    static let rows: [Row] = [
        payload("payload in base64", "ENC_BASE64") { Base64.encode($0) },
        payload("payload in base64 with line breaks", "ENC_BASE64_LINES") { lines(Base64.encode($0)) },
        payload("payload in base64url", "ENC_BASE64URL") { Base64.encode($0, .url) },
        payload("payload in hexadecimal and a line break", "ENC_HEX_SPACES") { Hex.encode($0) + "\n" },
        payload("payload in hexadecimal with line breaks", "ENC_HEX_SPACES") { lines(Hex.encode($0)) },
        payload("payload in hexadecimal after 0x", "ENC_HEX_PREFIX") { "0x" + Hex.encode($0) },
        // Some lengths need no padding; too much of it is the same mistake.
        payload("payload in base64 with wrong padding", "ENC_UNKNOWN") { der in
            let text = Base64.encode(der)
            return text.hasSuffix("=") ? text.filter { $0 != "=" } : text + "="
        },
        payload("payload in base64url with padding", "ENC_UNKNOWN") { Base64.encode($0, .url) + "=" },
        Row(
            testDescription: "payload with half a digit too few, and a line break",
            documented: ["ENC_HEX_ODD"],
            lenient: ["ENC_HEX_ODD"],
            strict: ["ENC_HEX_ODD"],
            warning: "",
            number: 112
        ) { body, _ in
            body.replacing("encryptedPayload", .string((body["encryptedPayload"]?.string ?? "").dropLast() + "\n"))
        },
        payload("payload as PEM, PKCS7", "ENC_PEM") { pem("PKCS7", $0) },
        payload("payload as PEM, CMS", "ENC_PEM") { pem("CMS", $0) },
        payload("payload twice base64", "ENC_DOUBLE") { Base64.encode(Array(Base64.encode($0).utf8)) },
        Row(
            testDescription: "content under a key of 128 bits",
            documented: [],
            lenient: [],
            strict: ["CMS_CONTENT_KEY_SIZE"],
            warning: "CMS_CONTENT_KEY_SIZE",
            number: 112
        ) { body, issuer in
            let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            let file = try TestFiles.text(root + "/fixtures/cms/bouncy-castle.cbc128.hex")
            return body.replacing("encryptedPayload", .string(file.filter { !$0.isNewline }))
                .replacing("authorizationCode", .string(try issuer.code(sub: "REF-1")))
        },
        bytes("signature in hexadecimal", "ENC_HEX_INSTEAD_OF_B64") { Hex.encode($0) },
        bytes("signature with line breaks", "ENC_B64_LINE_BREAKS") {
            String(Base64.encode($0).prefix(8)) + "\n" + Base64.encode($0).dropFirst(8)
        },
        bytes("signature without padding", "ENC_B64_UNPADDED") { Base64.encode($0).filter { $0 != "=" } },
        bytes("signature base64 twice", "ENC_DOUBLE_BASE64") { Base64.encode(Array(Base64.encode($0).utf8)) },
        Row(
            testDescription: "chain as a text of JSON",
            documented: ["ENC_STRINGIFIED_ARRAY"],
            lenient: [],
            strict: ["ENC_STRINGIFIED_ARRAY"],
            warning: "ENC_STRINGIFIED_ARRAY",
            number: 112
        ) { body, _ in body.replacing("certificateChain", .string(body["certificateChain"]?.text ?? "")) },
        Row(
            testDescription: "chain as an object",
            documented: ["ENC_STRINGIFIED_OBJECT"],
            lenient: [],
            strict: ["ENC_STRINGIFIED_OBJECT"],
            warning: "ENC_STRINGIFIED_OBJECT",
            number: 112
        ) { body, _ in
            let items = body["certificateChain"]?.array ?? []
            let members = items.enumerated().map { (String($0), $1) }
            return body.replacing("certificateChain", .object(JSONObject(members)))
        },
        Row(
            testDescription: "no iat",
            documented: ["JWT_IAT_MISSING"],
            lenient: [],
            strict: ["JWT_IAT_MISSING"],
            warning: "",
            number: 401
        ) { body, issuer in
            body.replacing("authorizationCode", .string(try issuer.code(sub: "test-visa", changes: [("iat", .null)])))
        },
        Row(
            testDescription: "exp ten minutes ahead",
            documented: [],
            lenient: [],
            strict: ["JWT_EXP_FAR"],
            warning: "JWT_EXP_FAR",
            number: 401
        ) { body, issuer in
            let code = try issuer.code(sub: "test-visa", changes: [("exp", 1_893_456_600)])
            return body.replacing("authorizationCode", .string(code))
        },
        Row(
            testDescription: "no kid",
            documented: [],
            lenient: [],
            strict: ["JWT_KID_MISSING"],
            warning: "",
            number: 401
        ) { body, issuer in
            let claims: JSON = [
                "iss": "DEMOBANK01", "sub": "test-visa", "aud": "APPLE_PAY", "iat": 1_893_456_000,
                "exp": 1_893_456_300,
            ]
            return body.replacing("authorizationCode", .string(try issuer.code(claims: claims.text)))
        },
        Row(
            testDescription: "code padded with =",
            documented: ["JWT_PADDING"],
            lenient: [],
            strict: ["JWT_PADDING"],
            warning: "JWT_PADDING",
            number: 112
        ) { body, issuer in
            // A library that pads signs what it padded.
            let parts = (body["authorizationCode"]?.string ?? "").split(separator: ".").map { part in
                String(part) + String(repeating: "=", count: (4 - part.count % 4) % 4)
            }
            let input = parts[0] + "." + parts[1]
            let signature = try JWSSigner.signature(of: Array(input.utf8), .rs256, key: issuer.authorizationKey())
            let code = input + "." + Base64.encode(signature, .url) + "=="
            return body.replacing("authorizationCode", .string(code))
        },
        Row(
            testDescription: "PAN without a valid check digit",
            documented: [],
            lenient: [],
            strict: ["PAN_LUHN"],
            warning: "PAN_LUHN",
            number: 166
        ) { body, issuer in
            let card = TestCard("test-visa", pan: "5123456789012345")
            let mastercard = body.replacing("scheme", "MASTERCARD")
            return mastercard.replacing("encryptedPayload", .string(try issuer.payload(card)))
        },
    ]

    private static func pem(_ label: String, _ der: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(lines(Base64.encode(der)))\n-----END \(label)-----\n"
    }

    @Test(arguments: rows)
    func `each strictness takes or refuses, and names it`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let bent = try row.change(good, TestIssuer(sandbox))
            for (word, codes) in [("documented", row.documented), ("lenient", row.lenient), ("strict", row.strict)] {
                try await sandbox.strictness(word)
                let reply = try await sandbox.tpc("generateAddPaymentPassRequest", bent)
                let comment = Comment(rawValue: "\(word): \(reply.summary)")
                if codes.isEmpty {
                    #expect(reply.status == 200, comment)
                    let told = try await sandbox.journaled()
                    #expect(row.warning.isEmpty || told.contains(row.warning), comment)
                } else {
                    expect(reply, tpc: row.number, codes, comment)
                }
            }
        }
    }

    @Test func `the issuer's own strictness is narrower than the tenant's`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness("strict")
            try await sandbox.changePolicies("DEMOBANK01", ["strictness": "lenient"])
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            let der = try Hex.decode(good["encryptedPayload"]?.string ?? "")
            let body = good.replacing("encryptedPayload", .string(Base64.encode(der)))
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", body).status == 200)
        }
    }

    @Test func `no strictness takes a wrong signature or a payload that does not open`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            for word in ["documented", "lenient", "strict"] {
                try await sandbox.strictness(word)
                let parts = (good["authorizationCode"]?.string ?? "").split(separator: ".")
                let forged = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
                let reply = try await sandbox.tpc(
                    "generateAddPaymentPassRequest",
                    good.replacing("authorizationCode", .string(forged))
                )
                #expect(reply.diagnosis.first?.hasPrefix("JWT_") == true, "\(word) \(reply.summary)")
                var payload = try Hex.decode(good["encryptedPayload"]?.string ?? "")
                payload[payload.count - 1] ^= 1
                let damaged = try await sandbox.tpc(
                    "generateAddPaymentPassRequest",
                    good.replacing("encryptedPayload", .string(Hex.encode(payload)))
                )
                #expect(damaged.status == 400, "\(word) \(damaged.summary)")
            }
        }
    }
}
