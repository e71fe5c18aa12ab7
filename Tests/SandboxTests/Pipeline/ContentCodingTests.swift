import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// Row 73 of the field cases: bodies in gzip are read, in other codings refused, and no answer is labelled.
struct ContentCodingTests {
    private static let devices = "/wallet/apple/devices"
    private static let phone = Array(#"{"kind":"phone","name":"4111 1111 1111 1111"}"#.utf8)
    private static let gzip = [("content-encoding", "gzip")]

    private func newest(_ sandbox: TestSandbox) async throws -> JSON? {
        try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
    }

    @Test func `row 73: gzip is read on both ports, and the journal has what was meant, masked`() async throws {
        try await withSandbox { sandbox in
            for coding in ["gzip", "GZIP", " x-gzip ", "identity, gzip", "gzip,"] {
                let headers = [("content-encoding", coding), ("accept-encoding", "gzip, br")]
                let reply = try await sandbox.send(.api, "POST", Self.devices, gzipped(Self.phone), headers)
                #expect(reply.status == 201, "\(coding): \(reply.summary)")
                #expect(reply.header("content-encoding") == nil && reply.text("kind") == "phone")
                let request = try await newest(sandbox)?["request"]
                #expect(request?["body"] == .string(#"{"kind":"phone","name":"************1111"}"#))
            }
            let card: JSON = [
                "issuerId": "DEMOBANK01", "issuerCardRefId": "in-gzip", "pan": "4242424242424242", "exp": "1231",
                "cardHolderName": "ANA",
            ]
            let made = try await sandbox.send(.control, "POST", "/v1/cards", gzipped(card.bytes), Self.gzip)
            #expect(made.status == 201, "\(made.summary)")
            #expect(try await sandbox.control("GET", "/v1/cards/in-gzip")["panSuffix"] == "4242")
            // Some clients send the header with every request.
            #expect(try await sandbox.send(.api, "GET", Self.devices, nil, Self.gzip).status == 200)
            #expect(try await sandbox.send(.api, "GET", Self.devices, nil, [("content-encoding", "br")]).status == 200)
        }
    }

    @Test func `row 73: another coding is 415 and says what is taken, and hides nothing in the journal`() async throws {
        try await withSandbox { sandbox in
            let table: [(coding: String, status: Int)] = [
                ("br", 415), ("deflate", 415), ("gzip, gzip", 415), ("br, gzip", 415), ("gzip;q=1", 415),
                ("g zip", 415),
                ("*", 415), ("identity", 201), ("Identity", 201), ("", 201),
            ]
            for (coding, status) in table {
                let headers = [("content-encoding", coding), ("accept-encoding", "gzip, br")]
                let reply = try await sandbox.send(.api, "POST", Self.devices, Self.phone, headers)
                #expect(reply.status == status, "\(coding): \(reply.summary)")
                #expect(reply.header("accept-encoding") == (status == 415 ? "gzip" : nil))
                #expect(reply.diagnosis == (status == 415 ? ["CONTENT_ENCODING_UNSUPPORTED"] : []))
                #expect(reply.header("content-encoding") == nil)
                guard status == 415 else { continue }
                let kept = try await newest(sandbox)?["request"]?["body"]?.string
                #expect(kept == "<\(Self.phone.count) coded bytes>")
            }
            // Two lines of the header are one list.
            let twice = try await sandbox.send(.api, "POST", Self.devices, Self.phone, Self.gzip + Self.gzip)
            #expect(twice.status == 415)
            let control = try await sandbox.send(
                .control,
                "POST",
                "/v1/cards",
                Self.phone,
                [("content-encoding", "br")]
            )
            #expect([String(control.status), control.header("accept-encoding")] == ["415", "gzip"])
            // A path that nobody serves does not decode.
            let lost = try await sandbox.send(.api, "POST", "/wallet/apple/none", gzipped(Self.phone), Self.gzip)
            #expect(lost.status == 404)
            let kept = try await newest(sandbox)?["request"]?["body"]?.string
            #expect(kept == "<\(gzipped(Self.phone).count) coded bytes>")
        }
    }

    @Test func `row 73: what is not a whole stream is 400 in the face's shape`() async throws {
        try await withSandbox { sandbox in
            let good = gzipped(Self.phone)
            let end = good.count
            let table: [(body: [UInt8], evidence: String)] = [
                (Self.phone, "incorrect header check, before byte 2"),
                (Array(good.dropLast(3)), "the stream does not end within the \(end - 3) bytes"),
                (
                    Array(good.dropLast(8)) + [0, 0, 0, 0] + good.suffix(4),
                    "incorrect data check, before byte \(end - 4)"
                ),
                (good + [0, 0], "incorrect header check, before byte \(end + 2)"),
            ]
            for (body, evidence) in table {
                let reply = try await sandbox.send(.api, "POST", Self.devices, body, Self.gzip)
                #expect(reply.status == 400 && reply.diagnosis == ["CONTENT_ENCODING_MALFORMED"], "\(reply.summary)")
                #expect(reply["reason"] == "CONTENT_ENCODING_MALFORMED" && reply["error"]["name"] != nil)
                let entry = try await newest(sandbox)
                #expect(entry?["checks"]?.array?.last?["evidence"] == .string(evidence))
                #expect(entry?["request"]?["body"]?.string == "<\(body.count) coded bytes>")
            }
            let tpc = "/mg/tpc/DEMOBANK01/getTokens"
            let reply = try await sandbox.send(.api, "POST", tpc, Self.phone, Self.gzip)
            #expect([String(reply.status), reply["code"].text] == ["400", "112"])
            let control = try await sandbox.send(.control, "POST", "/v1/cards", Self.phone, Self.gzip)
            #expect([String(control.status), control["code"].string] == ["400", "CONTENT_ENCODING_MALFORMED"])
            #expect(try await sandbox.api("GET", Self.devices)["items"].array?.isEmpty == true)
        }
    }

    @Test func `row 73: a body that becomes too large is 413, however small it came`() async throws {
        let limit = 1 << 20
        /// A document of so many bytes.
        func document(_ count: Int) -> [UInt8] {
            let space = [UInt8](repeating: 0x20, count: count - Self.phone.count)
            return Self.phone + space
        }
        // 100 MiB in 100 KiB.
        let bomb = gzipped([UInt8](repeating: 0, count: 100 << 20))
        #expect(bomb.count < 120_000)
        try await withSandbox { sandbox in
            let table: [(body: [UInt8], status: Int)] = [
                (gzipped(document(limit)), 201), (gzipped(document(limit + 1)), 413), (bomb, 413),
                (gzipped(document(limit)) + gzipped([0x20]), 413),
            ]
            for (body, status) in table {
                let reply = try await sandbox.send(.api, "POST", Self.devices, body, Self.gzip)
                #expect(
                    [String(reply.status), reply.diagnosis.first] == [
                        String(status), status == 413 ? "BODY_TOO_LARGE" : nil,
                    ]
                )
            }
            // An import may have more.
            let worlds = try await sandbox.send(.control, "POST", "/v1/import", gzipped(document(limit + 1)), Self.gzip)
            #expect(worlds.status != 413)
            #expect(try await sandbox.send(.control, "POST", "/v1/import", bomb, Self.gzip).status == 413)
        }
    }

    @Test func `row 73: a rule finds what it asks for in a compressed body`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = ["match": ["tokenId": "in-the-body"], "effect": ["respond": ["status": 418]]]
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            let body: JSON = ["tokenId": "in-the-body"]
            let path = "/mg/tpc/DEMOBANK01/getTokens"
            #expect(try await sandbox.send(.api, "POST", path, body.bytes, []).status == 418)
            #expect(try await sandbox.send(.api, "POST", path, gzipped(body.bytes), Self.gzip).status == 418)
        }
    }

    /// A client that waits for `100 Continue` need not send what is refused.
    @Test func `row 73: a head with another coding is refused before the body`() async throws {
        try await withSandbox { sandbox in
            func verdict(_ coding: String) async -> Int? {
                let headers = HTTPHeaders([(.contentLength, "16"), (.contentEncoding, coding)])
                let head = HTTPRequest(method: .post, target: Self.devices, headers: headers)
                return await sandbox.application.api.refusal(of: head)?.status
            }
            #expect(await verdict("br") == 415)
            #expect(await verdict("gzip") == nil)
        }
    }
}
