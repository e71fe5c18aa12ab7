import Core
import Crypto
import SandboxTesting
import Testing
import Web
import Wire

/// Strict rules: whoever may ask again and again learns from no answer what a payload decrypts to.
struct UniformAnswerTests {
    /// All that is on the wire but the request's own id and the time.
    private struct Seen: Hashable {
        let status: Int
        let headers: [String]
        let body: [UInt8]

        init(_ reply: TestReply) {
            status = reply.status
            headers = reply.response.headers.fields.map { "\($0.name.text): \($0.value)" }.filter { field in
                !["x-request-id:", "date:"].contains { field.lowercased().hasPrefix($0) }
            }
            body = reply.response.body
        }
    }

    /// Payloads of one length, well declared and for a key of the sandbox, none of which opens into a card.
    private func shut(_ sandbox: TestSandbox) throws -> [(name: String, bytes: [UInt8])] {
        let certificate = try Certificate(pem: try sandbox.keyFile("tsh/payload-2048.cert.pem"))
        let card = TestCard.visa.json.bytes
        let good = try EnvelopedDataSealer.seal(card, to: certificate)
        let key = try #require(good.indices.first { good[$0...].starts(with: [0x04, 0x82, 0x01, 0x00]) }) + 4
        func bent(_ offset: Int) -> [UInt8] {
            var bytes = good
            bytes[offset] ^= 1
            return bytes
        }
        let signedBytes = { (content: [UInt8]) in
            DER.sequence(DER.oid(OID(1, 2, 840, 113549, 1, 7, 2)), DER.context(0, DER.sequence(content)))
        }
        let rest = card.count - signedBytes([]).count - 2
        let signed = signedBytes(DER.octetString([UInt8](repeating: 7, count: rest)))
        try #require(signed.count == card.count)
        let noise = [UInt8](repeating: 0xFF, count: card.count)
        let list = Array("[\(String(repeating: " ", count: card.count - 2))]".utf8)
        return [
            ("key, first byte", bent(key + 1)), ("key, last byte", bent(key + 255)), ("padding", bent(good.count - 17)),
            ("last block", bent(good.count - 1)), ("first block", bent(good.count - card.count)),
            ("noise", try EnvelopedDataSealer.seal(noise, to: certificate)),
            ("a list", try EnvelopedDataSealer.seal(list, to: certificate)),
            ("signed", try EnvelopedDataSealer.seal(signed, to: certificate)),
        ]
    }

    private func answers(_ sandbox: TestSandbox, _ strictness: String) async throws -> [String: Seen] {
        try await sandbox.strictness(strictness)
        let begun = try await Provisioning.begin(sandbox)
        let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
        var seen: [String: Seen] = [:]
        for (name, bytes) in try shut(sandbox) {
            let changed = body.replacing("encryptedPayload", .string(Hex.encode(bytes)))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", changed)
            if strictness == "strict" { expect(reply, tpc: 112, ["CMS_NOT_OPENED"], Comment(rawValue: name)) }
            seen[name] = Seen(reply)
        }
        return seen
    }

    @Test func `under strict rules every failure to decrypt is the same bytes on the wire`() async throws {
        try await withSandbox { sandbox in
            let seen = try await answers(sandbox, "strict")
            #expect(seen.count == 8)
            #expect(Set(seen.values).count == 1)
        }
    }

    @Test func `other rules tell them apart in the diagnosis`() async throws {
        try await withSandbox { sandbox in
            let seen = try await answers(sandbox, "documented")
            #expect(Set(seen.values).count >= 4)
        }
    }

    @Test func `who asks why is told the reason under strict rules too`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.strictness("strict")
            var codes: [String: [String]] = [:]
            for (name, bytes) in try shut(sandbox) {
                codes[name] = try await sandbox.explain("pkcs7", .string(Hex.encode(bytes))).codes
            }
            #expect(codes["key, first byte"] == ["CMS_KEY_NOT_OPENED"])
            #expect(codes["padding"] == ["CMS_CONTENT_NOT_OPENED"])
            #expect(codes["noise"] == ["PAYLOAD_NOT_JSON"])
            #expect(codes["a list"] == ["PAYLOAD_NOT_OBJECT"])
            #expect(codes["signed"] == ["CMS_SIGNED_CONTENT"])
        }
    }
}
