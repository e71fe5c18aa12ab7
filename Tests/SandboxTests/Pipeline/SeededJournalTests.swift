import Core
import SandboxTesting
import Testing
import Wire

/// Two runs with one seed leave the same journal, but for durations, ports and what the clients made at random.
struct SeededJournalTests {
    /// Members of request bodies that this test's own client makes at random or copies from a random answer: payloads and
    /// card data that it encrypts, and the device's certificate and the pass data that it hands on.
    private static let clients: Set<String> = [
        "encryptedPayload", "encryptedData", "certificateChain", "encryptedPassData", "ephemeralPublicKey",
    ]
    /// Members that differ for this test alone: its issuer's key for activation data is one that the sandbox made, and
    /// the client sends on what that key signed.
    private static let generated: Set<String> = ["activationData"]

    /// The journal's lines without what two runs may differ in.
    private static func journal(_ sandbox: TestSandbox, without members: Set<String>) async throws -> [String] {
        let export = try await sandbox.control("GET", "/v1/journal/export")
        return try export.text.split(separator: "\n").map { line in
            var entry = try JSON.parse(Array(line.utf8)).replacing("durationMs", .null)
            var request = entry["request"] ?? .null
            // Over a socket the port and the length of the client's own body.
            let headers = (request["headers"] ?? .null).replacing("host", .null).replacing("content-length", .null)
            request = request.replacing("headers", headers)
            if let text = request["body"]?.string, var body = try? JSON.parse(Array(text.utf8)) {
                for name in members { body = body.replacing(name, .null) }
                request = request.replacing("body", .string(body.text))
            }
            entry = entry.replacing("request", request)
            return entry.text
        }
    }

    private func run(seed: UInt64) async throws -> [String] {
        try await withSandbox(seed: seed, configure: { _ in }, sleep: { _ in }) { sandbox in
            try await SeededStory(sandbox).tell()
            return try await Self.journal(sandbox, without: Self.clients)
        }
    }

    @Test func `a whole story leaves the same journal with one seed, another with another`() async throws {
        let (first, second, other) = try await (run(seed: 7), run(seed: 7), run(seed: 8))
        #expect(first.count > 100 && first.count == second.count)
        for (left, right) in zip(first, second) { #expect(left == right) }
        #expect(first != other)
        let text = first.joined()
        for face in ["tpc", "wallet", "d1"] { #expect(text.contains(#""face":"\#(face)""#), "\(face)") }
        for word in ["<random 65 bytes>", #"\"certificates\":[\"<random"#, "SCENARIO_APPLIED:2049", "FAULT_INJECTED"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func `the key that the sandbox makes for an issuer is not a seed's, and the journal says so`() async throws {
        func run() async throws -> (answer: JSON, journal: [String]) {
            try await withSandbox(seed: 7) { sandbox in
                let key = try sandbox.keyFile("issuers/DEMOBANK01/authorization.pub.pem")
                let issuer: JSON = [
                    "issuerId": "MADEKEYS01", "name": "Made keys", "accountRanges": ["55"],
                    "keys": [["use": "authorizationCode", "kid": "madekeys01-auth-1", "pem": .string(key)]],
                ]
                let made = try await sandbox.control("POST", "/v1/issuers", issuer)
                try #require(made.status == 201, "\(made.text)")
                let phone = try await sandbox.device()
                let session = try await sandbox.session(phone, .mastercard, .mastercard)
                let codes = TestIssuer(sandbox)
                let request = try sandbox.passRequest(session, .mastercard, .mastercard)
                    .replacing(
                        "authorizationCode",
                        .string(
                            try codes.code(
                                sub: TestCard.mastercard.reference,
                                changes: [("iss", "MADEKEYS01")],
                                kid: "madekeys01-auth-1"
                            )
                        )
                    )
                let path = "/mg/tpc/MADEKEYS01/generateAddPaymentPassRequest"
                let answer = try await sandbox.api("POST", path, request)
                try #require(answer.status == 200, "\(answer.text)")
                let journal = try await Self.journal(sandbox, without: Self.clients.union(Self.generated))
                return (answer.json, journal)
            }
        }
        let (first, second) = try await (run(), run())
        #expect(first.answer["activationData"] != second.answer["activationData"])
        #expect(first.journal == second.journal)
        #expect(first.journal.last?.contains(#"\"activationData\":\"<random "#) == true)
    }

    @Test(arguments: ["signature", "ciphertext", "json", "contentType"])
    func `a corrupted answer hides its random values too, and goes over the wire whole`(_ kind: String) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, .visa, .visa)
            let rule: JSON = [
                "match": ["operation": "tpc.generateAddPaymentPassRequest"], "effect": ["corrupt": .string(kind)],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let request = try sandbox.passRequest(session, .visa, .visa)
            let answer = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
            #expect(answer.status == 200 && !answer.text.contains("random"))
            let entries = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array
            let body = entries?.first?["response"]?["body"]?.string ?? ""
            #expect(body.contains(#""ephemeralPublicKey":"<random 65 bytes>""#), "\(body)")
            #expect(body.contains(#""encryptedPassData":"<random "#))
            #expect(body.last == answer.text.last)
        }
    }

    /// The ECDSA signature in a certificate has 70 to 72 bytes by chance, which a journal of lengths would show.
    @Test func `every device's certificate has the same length`() async throws {
        try await withSandbox { sandbox in
            var lengths: Set<Int> = []
            for _ in 0..<12 {
                let session = try await sandbox.session(try await sandbox.device(), .visa, .visa)
                lengths.insert(try Base64.decode(session["certificates"].array?.first?.string ?? "").count)
            }
            #expect(lengths.count == 1)
        }
    }
}
