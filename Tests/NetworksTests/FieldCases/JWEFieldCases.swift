import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Rows of `field-cases.md` about encrypted cards in JWE, sent to D1's issuer API. (Their codes without a server:
/// `CryptoTests`, JWETests and JWEAttackTests.)
struct JWEFieldCases {
    /// One answer: status, body, and what the diagnosis says.
    private struct Answer: Equatable {
        let status: Int
        let text: String
        let codes: [String]

        init(_ reply: TestReply) { (status, text, codes) = (reply.status, reply.text, reply.diagnosis) }
    }

    private static let card: JSON = ["pan": "4761731000000043", "exp": "1230"]

    private func seal(_ sandbox: TestSandbox, _ header: JSONObject = JSONObject()) throws -> String {
        let recipient = try PublicKey(pem: try sandbox.keyFile("d1/encryption.pub.pem"))
        return try JWESealer.seal(Self.card.bytes, to: recipient, kid: "D1-ENC-1", header: header)
    }

    private func put(
        _ sandbox: TestSandbox,
        _ bearer: String,
        _ text: String,
        _ others: [(String, JSON)] = []
    ) async throws -> TestReply {
        let body: JSON = [
            "consumerId": "consumer-ana", "cardProductId": "gold", "encryptedData": .string(text),
        ]
        let whole = others.reduce(body) { $0.adding($1.0, $1.1) }
        return try await sandbox.banking("PUT", "v2/issuers/DEMOBANK01/cards/card-new", bearer, whole)
    }

    /// What is encrypted counts, and nothing that says otherwise beside it.
    @Test func `row 51: fields in clear beside the encrypted ones are named and change nothing`() async throws {
        try await withSandbox { sandbox in
            let bearer = try await sandbox.bearer()
            let clear: [(String, JSON)] = [("pan", "4111111111111111"), ("exp", "0131")]
            #expect(try await put(sandbox, bearer, try seal(sandbox), clear).status == 204)
            #expect(try await sandbox.journaled() == ["UNKNOWN_MEMBER"])
            let told = try await sandbox.told("UNKNOWN_MEMBER")
            #expect(told.contains("pan") && told.contains("exp"), "\(told)")
            let card = try await sandbox.banking("GET", "v1/issuers/DEMOBANK01/cards/card-new", bearer)
            #expect([card["last4"], card["expiry"]] == ["0043", "1230"])
            // Nested in the wrong way: the object instead of its text, and the text inside an object.
            for nested: JSON in [["value": .string(try seal(sandbox))], [.string(try seal(sandbox))]] {
                let reply = try await put(sandbox, bearer, "", [("encryptedData", nested)])
                #expect(reply.status == 400 && reply["error"] == "encryptedData", "\(reply.summary)")
            }
            let unknown = try await put(sandbox, bearer, try seal(sandbox, JSONObject([("kid", "D1-ENC-9")])))
            #expect(unknown.status == 400 && unknown.diagnosis == ["JWE_KID_UNKNOWN"])
        }
    }

    @Test func `row 52: every pair of algorithms that is not the profile's is named`() async throws {
        try await withSandbox { sandbox in
            let bearer = try await sandbox.bearer()
            let algorithms = ["A256GCMKW", "A128KW", "RSA-OAEP", "RSA-OAEP-256", "dir", "ECDH-ES"]
            for algorithm in algorithms {
                for encryption in ["A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256"] {
                    let header = JSONObject([("alg", .string(algorithm)), ("enc", .string(encryption))])
                    let reply = try await put(sandbox, bearer, try seal(sandbox, header))
                    var codes: [String] = []
                    if algorithm != "ECDH-ES" { codes.append("JWE_ALG_NOT_ALLOWED") }
                    if encryption != "A256GCM" { codes.append("JWE_ENC_NOT_ALLOWED") }
                    #expect(reply.status == (codes.isEmpty ? 204 : 400), "\(algorithm) \(encryption)")
                    #expect(reply.diagnosis == codes, "\(algorithm) \(encryption)")
                    let seen = ["JWE_ALG_NOT_ALLOWED": algorithm, "JWE_ENC_NOT_ALLOWED": encryption]
                    for code in codes { #expect(try await sandbox.told(code).hasPrefix("\(seen[code] ?? "") |")) }
                }
            }
        }
    }

    /// A cipher that authenticates does not say which of its inputs was changed, and neither does the sandbox.
    @Test func `row 54: parts that were changed have one answer, and the diagnosis tells what can be told`()
        async throws
    {
        try await withSandbox { sandbox in
            let bearer = try await sandbox.bearer()
            try await sandbox.strictness("strict")
            let parts = try seal(sandbox).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            func with(_ index: Int, _ part: String) -> String {
                var parts = parts
                parts[index] = part
                return parts.joined(separator: ".")
            }
            func flipped(_ index: Int) throws -> String {
                var bytes = try Base64.decode(parts[index], .url)
                bytes[0] ^= 1
                return with(index, Base64.encode(bytes, .url))
            }
            let header = try JSON.parse(Base64.decode(parts[0], .url))
            let other = try PrivateKey.generateP256().publicKey.jwk
            let changed = Base64.encode(header.adding("x", 1).bytes, .url)
            let point = Base64.encode(header.replacing("epk", other).bytes, .url)
            let table: [(what: String, text: String, code: String)] = [
                ("header", with(0, changed), "JWE_TAG"), ("key", with(0, point), "JWE_TAG"),
                ("IV", try flipped(2), "JWE_TAG"), ("ciphertext", try flipped(3), "JWE_TAG"),
                ("tag", try flipped(4), "JWE_TAG"), ("an encrypted key", with(1, "AAAA"), "JWE_ENCRYPTED_KEY"),
                ("length of the IV", with(2, "AAAA"), "JWE_IV_LENGTH"),
                ("length of the tag", with(4, "AAAA"), "JWE_TAG_LENGTH"),
            ]
            var answers: [Answer] = []
            for (what, text, code) in table {
                let reply = try await put(sandbox, bearer, text)
                #expect([String(reply.status), reply.diagnosis.first] == ["400", code], "\(what): \(reply.summary)")
                if code == "JWE_TAG" { answers.append(Answer(reply)) }
            }
            #expect(answers.count == 5 && answers.allSatisfy { $0 == answers[0] })
            // Without the diagnosis, the wire says nothing more.
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            let silent = try await put(sandbox, bearer, try flipped(4))
            #expect(silent.text == answers[0].text && silent.diagnosis.isEmpty)
            #expect(try await sandbox.journaled() == ["JWE_TAG"])
        }
    }

    /// Bleichenbacher's question: is the padding right? The algorithm is refused before a key is used, so there is no answer.
    @Test func `row 91: with RSA's old padding, right and wrong give one answer`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
            let certificate = try Certificate(pem: try sandbox.keyFile("tsh/payload-2048.cert.pem"))
            let right = try EnvelopedDataSealer.seal(begun.card.json.bytes, to: certificate, .pkcs1)
            let mark: [UInt8] = [0x04, 0x82, 0x01, 0x00]
            let key = try #require(right.indices.first { right[$0...].starts(with: mark) })
            var answers: [Answer] = []
            for index in 0..<20 {
                var payload = right
                if index % 2 == 1 { payload[key + 4 + index] ^= 0xFF }
                let changed = body.replacing("encryptedPayload", .string(Hex.encode(payload)))
                answers.append(Answer(try await sandbox.tpc("generateAddPaymentPassRequest", changed)))
            }
            #expect(answers.allSatisfy { $0 == answers[0] })
            #expect(answers[0].status == 400 && answers[0].codes == ["CMS_RSA_PKCS1V15"])
        }
    }
}
