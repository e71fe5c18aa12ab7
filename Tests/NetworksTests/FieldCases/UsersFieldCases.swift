import Core
import SandboxTesting
import Testing
import Wire

/// Rows of field-cases.md that users of five kinds ran into.
struct UsersFieldCases {
    private func generate(_ sandbox: TestSandbox, _ changes: [(String, JSON)]) async throws -> TestReply {
        let phone = try await sandbox.device()
        let session = try await sandbox.session(phone, .visa, .visa)
        var request = try sandbox.passRequest(session, .visa, .visa)
        for (name, value) in changes { request = request.replacing(name, value) }
        return try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
    }

    @Test(arguments: ["getEligibleTokenRequestors", "schemePushProvision", "getTokenRequestorAsset", "addCard"])
    func `row 123: an operation that is not built says so, and is not a mistyped path`(_ name: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/\(name)", ["scheme": "VISA"])
            #expect((reply.status, reply.diagnosis) == (501, ["OPERATION_NOT_BUILT"]))
            #expect(reply["code"].integer != nil && reply["message"].string != nil)
            let typo = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/\(name)s", ["scheme": "VISA"])
            #expect((typo.status, typo.diagnosis) == (404, ["PATH_UNKNOWN"]))
        }
    }

    @Test(
        arguments: [
            ("documented", ["APPLE_PAY"], 401, "JWT_CLAIM_TYPE"), ("lenient", ["APPLE_PAY"], 200, ""),
            ("lenient", ["APPLE_PAY", "GOOGLE_PAY"], 401, "JWT_CLAIM_TYPE"),
            ("strict", ["APPLE_PAY"], 401, "JWT_CLAIM_TYPE"),
        ] as [(String, JSON, Int, String)]
    )
    func `row 114: an audience in a list is named, and taken in lenient`(
        _ strictness: String,
        _ audience: JSON,
        _ status: Int,
        _ code: String
    ) async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": .string(strictness)])
            let token = try await sandbox.control(
                "POST",
                "/v1/sign/authorization-code",
                ["issuerId": "DEMOBANK01", "sub": "test-visa", "aud": audience]
            )
            let reply = try await generate(sandbox, [("authorizationCode", token["token"])])
            #expect(reply.status == status, "\(reply.summary)")
            #expect(
                code.isEmpty
                    ? reply.header("x-sandbox-notice")?.contains("JWT_CLAIM_TYPE") == true
                    : reply.diagnosis.contains(code)
            )
        }
    }

    @Test(
        arguments: [
            ("ANA DE LA SANTISIMA TRINIDAD", "CARDHOLDER_NAME_EMBOSSING"),
            ("ANA\u{7}DEMO", "CARDHOLDER_NAME_EMBOSSING"),
            ("ANA DE LA SANTISIMA TRINID", nil), ("ÁNA ŁÓDŹ 李", nil),
        ] as [(String, String?)]
    )
    func `row 121: a name that no card can bear is warned of, and refused in strict`(
        _ name: String,
        _ code: String?
    ) async throws {
        try await withSandbox { sandbox in
            let card: JSON = [
                "issuerCardRefId": "test-visa", "fpan": "4111111111111111", "exp": "1230",
                "cardHolderName": .string(name),
            ]
            let payload = try await sandbox.control("POST", "/v1/seal", ["card": card])["payload"]
            let reply = try await generate(sandbox, [("encryptedPayload", payload)])
            #expect((reply.status, reply.header("x-sandbox-notice")) == (200, code))
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
            let strict = try await generate(sandbox, [("encryptedPayload", payload)])
            #expect(strict.diagnosis.contains("CARDHOLDER_NAME_EMBOSSING") == (code != nil), "\(strict.summary)")
            if code != nil { #expect((strict.status, strict["code"]) == (400, 112)) }
        }
    }

    @Test func `row 110: an expired card tells the time that it was compared with`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            sandbox.clock.advance(seconds: 5 * 365 * 86_400)
            _ = try await sandbox.manualEntry(phone, TestCard("card-visa", pan: "4761732103612718"), .visa)
            let journal = try await sandbox.control("GET", "/v1/journal?operation=wallet.manualEntry&limit=1")
            let check = journal["items"].array?.first?["checks"]?.array?.first { $0["code"] == "CARD_EXPIRED" }
            #expect(check?["evidence"]?.string?.contains("it is 2034-12-31T00:00:00Z") == true, "\(check ?? .null)")
        }
    }

    @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "JavaScript:x"])
    func `a launch URL that opens no app is refused`(_ url: String) async throws {
        try await withSandbox { sandbox in
            let metadata: JSON = ["appLaunchURL": .string(url), "associatedStoreIdentifiers": ["1"]]
            let reply = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", metadata)
            #expect((reply.status, reply["pointer"]) == (400, "/appLaunchURL"))
        }
    }
}
