import Core
import Crypto
import FoundationEssentials
import Sandbox
import SandboxTesting
import Testing
import Wire

/// `explain`: the control API's explanation in a shell pipeline.
struct ExplainCommandTests {
    private func explain(_ arguments: String..., input: String) async -> TestTerminal.Outcome {
        await TestTerminal.run(["explain"] + arguments + TestTerminal.folders, input: input)
    }

    @Test func `what sign and seal made is explained as right`() async throws {
        let keys = ["--keys", packageRoot + "/keys"]
        let code = await TestTerminal.run(
            ["sign", "authorization-code", "--issuer", "DEMOBANK01", "--sub", "card-visa"] + keys
        )
        let good = await explain("jws", "--issuer", "DEMOBANK01", "--sub", "card-visa", input: code.output)
        #expect(good.exit == .success, "\(good)")
        #expect(good.lines.allSatisfy { $0.hasPrefix("ok ") } && good.lines.count > 8)
        #expect(good.lines.contains { $0.contains("authorizationCode.signature") && $0.contains("demobank01-auth-1") })

        let card =
            "{\"issuerCardRefId\":\"card-new\",\"fpan\":\"4111111111111111\",\"exp\":\"1232\",\"cardHolderName\":\"A\"}"
        let payload = await TestTerminal.run(["seal"] + keys, input: card)
        let sealed = await explain("pkcs7", "--issuer", "DEMOBANK01", "--network", "visa", input: payload.output)
        #expect(sealed.exit == .success, "\(sealed)")
        #expect(!sealed.output.contains("4111111111111111"))
    }

    @Test func `a failed check is exit 1, its line names code, evidence and hint, and --json prints the API's answer`()
        async throws
    {
        let keys = ["--keys", packageRoot + "/keys"]
        let code = await TestTerminal.run(
            ["sign", "authorization-code", "--issuer", "DEMOBANK01", "--sub", "x", "--aud", "GOOGLE_PAY"] + keys
        )
        let bad = await explain("jws", input: code.output)
        #expect(bad.exit == .failure && bad.errors.isEmpty)
        let line = bad.lines.first { $0.hasPrefix("FAILED") } ?? ""
        #expect(
            line.hasPrefix("FAILED authorizationCode.aud JWT_AUD_MISMATCH (aud is GOOGLE_PAY; wanted APPLE_PAY) – ")
        )
        let late = await explain("jws", "--now", "2030-01-01T01:00:00Z", "--json", input: code.output)
        #expect(late.exit == .failure)
        let json = try JSON.parse(late.output.trimmed)
        let codes = json["checks"]?.array?.compactMap { $0["code"]?.string } ?? []
        #expect(codes.contains("JWT_AUD_MISMATCH") && codes.contains("JWT_EXPIRED"))

        // The very answer of the control API, at the same time.
        let wire = try await withSandbox(seed: 0) { sandbox in
            let body: JSON = ["kind": "jws", "value": .string(code.output.trimmed)]
            return try await sandbox.control("POST", "/v1/explain", body).text
        }
        let same = await explain("jws", "--json", input: code.output)
        #expect(same.output.trimmed == wire)
    }

    @Test func `the context comes from a file, and options over it`() async throws {
        try await withFolder { folder in
            let context = folder + "/context.json"
            let text = "{\"network\":\"amex\",\"pan\":\"378282246310005\",\"exp\":\"1232\",\"issuerId\":\"DEMOBANK01\"}"
            try text.write(toFile: context, atomically: true, encoding: .utf8)
            let key = try Hex.decode("f696c76fad37259849f183d59173f506009a5e7200e67e980e8e3dbd656089f9")
            let mac = HMAC.sha256([1, 2, 3, 4] + Array("378282246310005".utf8), key: SecretBytes(key))
            let value = Base64.encode((["v": 1, "mac": .base64(mac)] as JSON).bytes)
            let bound = await explain("activation-data", "--context", context, "--nonce", "AQIDBA==", input: value)
            #expect(bound.exit == .success, "\(bound)")
            let unbound = await explain("activation-data", "--context", context, input: value)
            #expect(unbound.exit == .failure)
            let other = await explain(
                "activation-data",
                "--context",
                context,
                "--nonce",
                "AQIDBA==",
                "--issuer",
                "DEMOBANK02",
                input: value
            )
            #expect(other.output.contains("ACTIVATION_MAC_MISMATCH"))
            #expect(!other.output.contains("378282246310005"))
        }
    }

    @Test(
        arguments: [
            (["explain"], "explain what?"), (["explain", "jwt"], "there is no jwt"),
            (["explain", "jws", "--now", "noon"], "--now"), (["explain", "jws", "more"], "unexpected argument"),
            (["explain", "jws", "--json=yes"], "--json takes no value"),
            (["explain", "jws", "--context", "/nowhere.json"], "/nowhere.json"),
            (["explain", "jws", "--use", "code"], "/context/use"),
            (["explain", "oauth1"], "EXPLAIN_KIND_NOT_SERVED"),
            (["explain", "pkcs7", "--pan-policy", "all"], "--pan-policy"),
        ]
    )
    func `what cannot be understood is exit 2 with a word on what is wrong`(
        _ arguments: [String],
        _ words: String
    ) async {
        let outcome = await TestTerminal.run(arguments + TestTerminal.folders, input: "a.b.c\n")
        #expect(outcome.exit == .usage)
        #expect(outcome.errors.contains(words), "\(outcome.errors.prefix(200))")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        arguments: [
            (["jws"], "JWT_SEGMENT_LENGTH"), (["jws", "--key-id", "x"], "JWT_SEGMENT_LENGTH"),
            (["jws", "--use", "issuerToken"], "JWT_SEGMENT_LENGTH"), (["jwe"], "JWE_"), (["pkcs7"], "ENC_UNKNOWN"),
            (["activation-data", "--network", "mastercard"], "ACTIVATION_DATA_MALFORMED"),
            (["activation-data"], "ACTIVATION_DATA_MALFORMED"),
        ]
    )
    func `a value that is broken is a failed check, whatever is known besides`(
        _ arguments: [String],
        _ words: String
    )
        async
    {
        let outcome = await TestTerminal.run(["explain"] + arguments + TestTerminal.folders, input: "a.b.c\n")
        #expect(outcome.exit == .failure && outcome.errors.isEmpty, "\(outcome.errors.prefix(200))")
        #expect(outcome.output.contains(words), "\(outcome.output)")
    }

    @Test func `bytes and nothing are not values, and a folder without keys is a failure`() async {
        let bytes = await TestTerminal.run(["explain", "pkcs7"] + TestTerminal.folders, input: [0x30, 0x82, 0xFF])
        #expect((bytes.exit, bytes.errors.contains("hexadecimal or base64")) == (.failure, true))
        let nothing = await TestTerminal.run(["explain", "pkcs7"] + TestTerminal.folders, input: "\n")
        #expect((nothing.exit, nothing.errors.contains("is empty")) == (.failure, true))
        let lost = await TestTerminal.run(["explain", "pkcs7", "--keys", "/nowhere"], input: "00")
        #expect(lost.exit == .failure)
    }

    @Test func `a pass needs the sessions of a running server, and says that it knows none`() async {
        let body = "{\"encryptedPassData\":\"AAAA\",\"ephemeralPublicKey\":\"AAAA\"}"
        try? await withFolder { folder in
            let context = folder + "/context.json"
            try "{\"sessionId\":\"s-1\"}".write(toFile: context, atomically: true, encoding: .utf8)
            let outcome = await explain("pass", "--context", context, input: body)
            #expect(outcome.exit == .failure)
            #expect(outcome.output.contains("FAILED session SESSION_UNKNOWN"))
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(self.reversed().drop { $0.isNewline }.reversed()) }
}
