import Core
import SandboxTesting
import Testing
import Wire

/// Slips that a network lets pass in silence: each is a warning, and an error where exactness is wanted (CONTRACT,
/// section 8).
struct SilenceTests {
    private func strict(_ sandbox: TestSandbox) async throws {
        _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
    }

    private func generate(_ sandbox: TestSandbox, _ name: String, _ value: JSON) async throws -> TestReply {
        let session = try await sandbox.session(try await sandbox.device(), .visa, .visa)
        let request = try sandbox.passRequest(session, .visa, .visa).replacing(name, value)
        return try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
    }

    @Test(arguments: [("1112", "EXPIRY_ORDER"), ("1212", nil), ("1129", nil), ("1130", nil)] as [(String, String?)])
    func `an expiry that is over and may be written year first`(_ expiry: String, _ code: String?) async throws {
        try await withSandbox { sandbox in
            let card: JSON = [
                "issuerCardRefId": "test-visa", "fpan": "4111111111111111", "exp": .string(expiry),
                "cardHolderName": "ANA",
            ]
            let payload = try await sandbox.control("POST", "/v1/seal", ["card": card])["payload"]
            let reply = try await generate(sandbox, "encryptedPayload", payload)
            #expect((reply.status, reply.header("x-sandbox-notice")) == (200, code), "\(reply.summary)")
            try await strict(sandbox)
            let exact = try await generate(sandbox, "encryptedPayload", payload)
            #expect(exact.diagnosis.contains("EXPIRY_ORDER") == (code != nil), "\(exact.summary)")
            if code != nil { #expect((exact.status, exact["code"]) == (400, 166)) }
        }
    }

    @Test func `a FPAN id that no card of the issuer has`() async throws {
        try await withSandbox { sandbox in
            let code = "PRIMARY_ACCOUNT_IDENTIFIER_UNKNOWN"
            let reply = try await generate(sandbox, "primaryAccountIdentifier", "V-0000000000000000")
            #expect((reply.status, reply.header("x-sandbox-notice")) == (200, code))
            let change = ("primaryAccountIdentifier", JSON.string("V-0000000000000000"))
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, .visa, .visa, changes: [change])
            #expect((session.status, session.header("x-sandbox-notice")) == (201, code))
            try await strict(sandbox)
            let exact = try await sandbox.session(phone, .visa, .visa, changes: [change])
            #expect((exact.status, exact.diagnosis) == (400, [code]))
        }
        try await withSandbox { sandbox in
            try await strict(sandbox)
            let exact = try await generate(sandbox, "primaryAccountIdentifier", "V-0000000000000000")
            #expect(exact.diagnosis.contains("PRIMARY_ACCOUNT_IDENTIFIER_UNKNOWN") && exact["code"] == 112)
        }
    }

    @Test func `a nonce in hexadecimal is warned, refused in strict, and taken as what it is in lenient`() async throws
    {
        try await withSandbox { sandbox in
            let bytes: [UInt8] = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC]
            func activate(_ nonce: String) async throws -> TestReply {
                let issuer = TestIssuer(sandbox)
                return try await sandbox.api(
                    "POST",
                    "/mg/tpc/DEMOBANK01/activatePass",
                    [
                        "scheme": "AMEX", "encryptedPayload": .string(try issuer.payload(.amex)),
                        "authorizationCode": .string(try issuer.code(sub: TestCard.amex.reference)),
                        "nonce": .string(nonce),
                    ]
                )
            }
            let right = try await activate(Base64.encode(bytes))["activationData"]
            let slip = try await activate(Hex.encode(bytes))
            #expect(
                (slip.status, slip.header("x-sandbox-notice")) == (200, "ENC_HEX_INSTEAD_OF_B64"),
                "\(slip.summary)"
            )
            #expect(slip["activationData"] != right)
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "lenient"])
            let taken = try await activate(Hex.encode(bytes))
            #expect(taken["activationData"] == right && taken.header("x-sandbox-notice") == "ENC_HEX_INSTEAD_OF_B64")
            try await strict(sandbox)
            let exact = try await activate(Hex.encode(bytes))
            #expect(exact.status == 400 && exact.diagnosis.contains("ENC_HEX_INSTEAD_OF_B64"), "\(exact.summary)")
        }
    }

    @Test func `metadata that leads nowhere is stored with a warning`() async throws {
        try await withSandbox { sandbox in
            let apps: JSON = ["A1B2C3D4E5.com.demobank.app"]
            let table: [(JSON, String?)] = [
                (["associatedApplicationIdentifiers": []], "ASSOCIATION_EMPTY"),
                (
                    [
                        "associatedApplicationIdentifiers": apps, "appLaunchURL": "otherbank://verify",
                        "associatedStoreIdentifiers": ["1234567890"],
                    ], "LAUNCH_URL_OF_NO_APPLICATION"
                ),
                (
                    [
                        "associatedApplicationIdentifiers": apps, "appLaunchURL": "DemoBank://verify",
                        "associatedStoreIdentifiers": ["1234567890", "99"],
                    ], "STORE_ID_OF_NO_APPLICATION"
                ),
                (
                    [
                        "associatedApplicationIdentifiers": apps, "appLaunchURL": "demobank://verify",
                        "associatedStoreIdentifiers": ["1234567890"],
                    ], nil
                ),
            ]
            for (metadata, code) in table {
                let path = "/v1/issuers/DEMOBANK01/pass-metadata/visa"
                let reply = try await sandbox.control("PUT", path, metadata)
                #expect((reply.status, reply.header("x-sandbox-notice")) == (200, code), "\(reply.summary)")
            }
        }
    }

    @Test func `a header that names another tenant than the path is told`() async throws {
        try await withSandbox { sandbox in
            for (header, notice) in [("other", "TENANT_PATH_AND_HEADER"), ("mine", nil)] {
                let reply = try await sandbox.send(
                    .api,
                    "GET",
                    "/t/mine/wallet/apple/devices",
                    nil,
                    [("x-sandbox-tenant", header)]
                )
                #expect((reply.status, reply.header("x-sandbox-tenant")) == (200, "mine"))
                #expect(reply.header("x-sandbox-notice") == notice)
            }
        }
    }

    @Test func `an id or a name that holds a card number is refused everywhere`() async throws {
        try await withSandbox { sandbox in
            let pan = "4111111111111111"
            let printed = "4111-1111-1111-1111"
            let phone = try await sandbox.device()
            let application: JSON = ["issuerId": "DEMOBANK01", "kind": "app"]
            let control: [(String, String, JSON)] = [
                ("PUT", "/v1/applications/A1B2C3D4E5.com.bank.app\(pan)", application),
                ("PUT", "/v1/issuers/DEMOBANK01/consumers/c-\(printed)", [:]),
                ("PUT", "/v1/issuers/MYBANK0001", ["name": "Bank of 4111 1111 1111 1111"]),
                (
                    "POST", "/v1/cards",
                    [
                        "issuerId": "DEMOBANK01", "issuerCardRefId": "new", "consumerId": .string("c\(pan)"),
                        "pan": "4242424242424242", "exp": "1232", "cardHolderName": "ANA",
                    ]
                ),
            ]
            for (method, path, body) in control {
                let reply = try await sandbox.control(method, path, body)
                #expect(reply.status == 400, "\(path) \(reply.summary)")
                #expect(!reply.text.contains(pan) && !reply.text.contains(printed))
            }
            let consumer = try await sandbox.configure(phone, [("card-visa", nil)], consumer: "c\(pan)")
            #expect((consumer.status, consumer["code"]) == (400, 60_002))
            let card = try await sandbox.configure(phone, [(pan, nil)])
            #expect((card.status, card.diagnosis.contains("CARD_REF_IS_PAN")) == (400, true), "\(card.summary)")
        }
    }

    @Test func `a member that the card has twice has its own name`() async throws {
        try await withSandbox { sandbox in
            let text =
                "{\"issuerCardRefId\":\"test-visa\",\"fpan\":\"4111111111111111\",\"exp\":\"1232\",\"exp\":\"1232\","
                + "\"cardHolderName\":\"ANA\"}"
            let payload = try TestIssuer(sandbox).payload(text: text)
            let reply = try await generate(sandbox, "encryptedPayload", .string(payload))
            #expect((reply["code"], reply.diagnosis.first) == (112, "PAYLOAD_MEMBER_TWICE"), "\(reply.summary)")
        }
    }
}
