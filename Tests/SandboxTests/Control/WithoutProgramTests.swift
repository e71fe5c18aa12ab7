import Core
import SandboxTesting
import Testing
import Wire

/// What a person needs who has an HTTP client and not our program.
struct WithoutProgramTests {
    private func sign(_ sandbox: TestSandbox, _ what: String, _ body: JSON) async throws -> TestReply {
        try await sandbox.control("POST", "/v1/sign/\(what)", body)
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `a card is sealed, signed for and pushed`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let pans: [PaymentNetwork: String] = [
                .visa: "4111111111111111", .mastercard: "5555555555554444", .amex: "378282246310005",
                .discover: "6011111111111117",
            ]
            let card: JSON = [
                "issuerCardRefId": "my-card", "fpan": .optional(pans[network]), "exp": "1230",
                "cardHolderName": "ANA DEMO",
            ]
            let payload = try await sandbox.control("POST", "/v1/seal", ["card": card])
            let code = try await sign(sandbox, "authorization-code", ["issuerId": "DEMOBANK01", "sub": "my-card"])
            #expect((payload.status, code.status) == (200, 200), "\(payload.text) \(code.text)")
            let session = try await sandbox.api(
                "POST",
                "/wallet/apple/devices/\(phone)/provisioning-sessions",
                [
                    "paymentNetwork": .string(network.passKitName), "application": .string(TestSandbox.application),
                    "cardholderName": "ANA DEMO",
                    "primaryAccountSuffix": .string(String((pans[network] ?? "").suffix(4))),
                ]
            )
            let triple = try await sandbox.api(
                "POST",
                "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest",
                [
                    "scheme": .string(network.scheme), "encryptedPayload": payload["payload"],
                    "authorizationCode": code["token"], "certificateChain": session["certificates"],
                    "nonce": session["nonce"], "nonceSignature": session["nonceSignature"],
                ]
            )
            #expect(triple.status == 200, "\(triple.summary)")
            let path = "/wallet/apple/provisioning-sessions/\(session.text("sessionId"))/pass"
            let made = try await sandbox.api("POST", path, triple.json)
            #expect((made.status, made["decision"]) == (201, "green"), "\(made.summary)")
        }
    }

    @Test func `D1 goes to an active pass`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let hash = try await sandbox.bindingHash(phone)["bindingHash"]
            let token = try await sign(
                sandbox,
                "issuer-token",
                ["issuerId": "DEMOBANK01", "sub": "consumer-ana", "claims": ["cbp": hash]]
            )
            let login = try await sandbox.login(phone, [token.text("token")])
            #expect(login.status == 200, "\(login.summary)")
            let session = login.text("sessionToken")
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", session)["items"].array?.first)
            let made = try await sandbox.addThroughD1(phone, session, entry)
            #expect((made.status, made["decision"]) == (201, "green"), "\(made.summary)")

            let assertion = try await sign(sandbox, "d1-assertion", ["issuerId": "DEMOBANK01", "sub": "DEMOBANK01"])
            let form =
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion.text("token")
            let bearer = try await sandbox.api(
                "POST",
                "/authz/v1/oauth2/token",
                body: form,
                headers: [("content-type", "application/x-www-form-urlencoded")]
            )
            #expect(bearer.status == 200, "\(bearer.summary)")
        }
    }

    @Test func `activation data is ready for the wallet`() async throws {
        try await withSandbox { sandbox in
            let data = try await sign(
                sandbox,
                "tav",
                ["issuerId": "DEMOBANK01", "pan": "5555555555554444", "exp": "1230"]
            )
            let told = try await sandbox.control(
                "POST",
                "/v1/explain",
                [
                    "kind": "activation-data", "value": data["token"],
                    "context": [
                        "issuerId": "DEMOBANK01", "network": "mastercard", "pan": "5555555555554444", "exp": "1230",
                    ],
                ]
            )
            let failed = told["checks"].array?.filter { $0["passed"] == false }
            #expect(data.status == 200 && failed == [], "\(told.text)")
        }
    }

    @Test func `an issuer gets keys that are told once and stay`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/issuers/MYBANK0001"
            let bare = try await sandbox.control("PUT", path, ["name": "Mine"])
            #expect(bare.status == 201)
            let without = try await sign(sandbox, "authorization-code", ["issuerId": "MYBANK0001", "sub": "x"])
            #expect((without.status, without["code"]) == (409, "PRIVATE_KEY_NOT_HELD"))
            let made = try await sandbox.control("PUT", path, ["name": "Mine", "generateKeys": true])
            let keys = made["keys"].array ?? []
            #expect(Set(keys.compactMap { $0["use"]?.string }) == ["authorizationCode", "issuerToken", "d1Assertion"])
            for key in keys { #expect(key["privateKey"]?.string?.contains("PRIVATE KEY") == true) }
            #expect(made.header("cache-control") == "no-store")
            let read = try await sandbox.control("GET", path)
            #expect(!read.text.contains("PRIVATE KEY") && read["keys"].array?.count == 3)
            // They outlive a document without keys, and one that was read and put again.
            for body in [["name": "Other"] as JSON, read.json] {
                let again = try await sandbox.control("PUT", path, body)
                #expect(again.status == 200 && again["keys"].array?.count == 3 && !again.text.contains("PRIVATE KEY"))
                let code = try await sign(sandbox, "authorization-code", ["issuerId": "MYBANK0001", "sub": "my-card"])
                let told = try await sandbox.control(
                    "POST",
                    "/v1/explain",
                    ["kind": "jws", "value": code["token"], "context": ["issuerId": "MYBANK0001", "sub": "my-card"]]
                )
                #expect(told["checks"].array?.allSatisfy { $0["passed"] == true } == true, "\(told.text)")
            }
            // Asked for again there is nothing to make, and nothing to tell.
            let twice = try await sandbox.control("PUT", path, ["generateKeys": true])
            #expect(twice["keys"].array?.count == 3 && !twice.text.contains("PRIVATE KEY"))
        }
    }

    @Test func `every code has cause and cure`() async throws {
        try await withSandbox { sandbox in
            let one = try await sandbox.control("GET", "/v1/diagnoses/CMS_TRUNCATED")
            let all = try await sandbox.control("GET", "/v1/diagnoses")
            #expect(one.status == 200 && all["items"].array?.contains(one.json) == true)
            for item in all["items"].array ?? [] {
                for member in ["code", "kind", "cause", "cure", "section"] {
                    #expect(item[member]?.string?.isEmpty == false, "\(item)")
                }
            }
            let none = try await sandbox.control("GET", "/v1/diagnoses/CMS_TRUNCATE")
            #expect((none.status, none["code"]) == (404, "DIAGNOSIS_NOT_FOUND"))
            #expect(none.text("detail").contains("CMS_TRUNCATED"))
        }
    }

    @Test func `consumers are listed, put and removed`() async throws {
        try await withSandbox { sandbox in
            let all = "/v1/issuers/DEMOBANK01/consumers"
            let before = try await sandbox.control("GET", all)
            let names = before["items"].array?.compactMap { $0["consumerId"]?.string }
            #expect(names == ["consumer-ana", "consumer-beto"])
            #expect(try await sandbox.control("PUT", all + "/consumer-new", body: nil).status == 204)
            #expect(try await sandbox.control("PUT", all + "/consumer-ana", ["state": "inactive"]).status == 204)
            #expect(
                try await sandbox.control("GET", all + "/consumer-ana").json == [
                    "consumerId": "consumer-ana", "state": "inactive",
                ]
            )
            #expect(try await sandbox.control("GET", all + "/consumer-new")["state"] == "active")
            #expect(try await sandbox.control("DELETE", all + "/consumer-new").status == 204)
            #expect(try await sandbox.control("GET", all + "/consumer-new")["code"] == "CONSUMER_NOT_FOUND")
            #expect(
                try await sandbox.control("PUT", all + "/4111111111111111", body: nil)["code"] == "CONSUMER_ID_FORM"
            )
            let nobody = try await sandbox.control("GET", "/v1/issuers/NOBODY0000/consumers")
            #expect((nobody.status, nobody["code"]) == (404, "ISSUER_NOT_FOUND"))
        }
    }

    @Test func `an application is changed member by member`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/applications/\(TestSandbox.walletExtension)"
            let before = try await sandbox.control("GET", path).json
            let patched = try await sandbox.control("PATCH", path, ["entitled": false])
            #expect(patched.status == 200 && patched["entitled"] == false)
            #expect(patched["appGroupIDs"] == before["appGroupIDs"] && patched["kind"] == "extension")
            let bare = try await sandbox.control("PATCH", path, ["urlScheme": .null, "appGroupIDs": []])
            #expect(bare["urlScheme"].isNull && bare["appGroupIDs"] == [] && bare["entitled"] == false)
            let wrong = try await sandbox.control("PATCH", path, ["kind": "widget", "entitle": true])
            #expect((wrong.status, wrong["pointer"]) == (400, "/kind"))
            let odd = try await sandbox.control("PATCH", path, ["entitle": true])
            #expect(odd.status == 200 && odd.header("x-sandbox-warning")?.contains("/entitle") == true)
            let none = try await sandbox.control("PATCH", "/v1/applications/A1B2C3D4E5.x", ["entitled": true])
            #expect(none["code"] == "APPLICATION_NOT_FOUND")
        }
    }

    @Test func `the hint stands beside the code where a tenant wants it`() async throws {
        try await withSandbox { sandbox in
            let refused = { try await sandbox.api("POST", "/mg/tpc/NOBODY0000/getTokens", ["scheme": "VISA"]) }
            #expect(try await refused().header("x-sandbox-hint") == nil)
            let tenant = try await sandbox.control("PATCH", "/v1/tenants/default", ["hintHeader": true])
            #expect(tenant["hintHeader"] == true)
            #expect(try await refused().header("x-sandbox-hint") == "Register it: PUT /v1/issuers/{issuerId}.")
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            #expect(try await refused().header("x-sandbox-hint") == nil)
        }
    }
}

extension TestSandbox {
    /// Wallet's side of one entry of D1.
    fileprivate func addThroughD1(_ deviceID: String, _ session: String, _ entry: JSON) async throws -> TestReply {
        let wallet = try await api(
            "POST",
            "/wallet/apple/devices/\(deviceID)/provisioning-sessions",
            [
                "paymentNetwork": entry["paymentNetwork"] ?? .null, "cardholderName": entry["cardholderName"] ?? .null,
                "primaryAccountSuffix": entry["primaryAccountSuffix"] ?? .null,
                "application": .string(Self.walletExtension),
            ]
        )
        let triple = try await d1(
            "POST",
            "pass-entries/card-visa/add-payment-pass-request",
            session,
            [
                "certificateChain": wallet["certificates"], "nonce": wallet["nonce"],
                "nonceSignature": wallet["nonceSignature"],
            ]
        )
        return try await api(
            "POST",
            "/wallet/apple/provisioning-sessions/\(wallet.text("sessionId"))/pass",
            triple.json
        )
    }
}
