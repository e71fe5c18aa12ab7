import Core
import SandboxTesting
import Testing
import Wire

/// `provisioning-sessions`: who gets one, how long it lives, how often it is good.
struct SessionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let codes: [String]
        let changes: [(String, JSON)]

        init(_ what: String, _ status: Int, _ codes: [String], _ changes: (String, JSON)...) {
            testDescription = what
            self.status = status
            self.codes = codes
            self.changes = changes
        }
    }

    static let cases: [Case] = [
        Case("no network", 400, ["PAYMENT_NETWORK_MISSING"], ("paymentNetwork", .null)),
        Case("empty network", 400, ["PAYMENT_NETWORK_EMPTY"], ("paymentNetwork", "")),
        Case("network of the TPC SDK", 400, ["PAYMENT_NETWORK_UNKNOWN"], ("paymentNetwork", "MASTERCARD")),
        Case("network is a list", 400, ["PAYMENT_NETWORK_WRONG_TYPE"], ("paymentNetwork", [])),
        Case("suffix of 3", 400, ["PRIMARY_ACCOUNT_SUFFIX_FORM"], ("primaryAccountSuffix", "111")),
        Case(
            "whole number as suffix",
            400,
            ["PRIMARY_ACCOUNT_SUFFIX_FORM"],
            ("primaryAccountSuffix", "4111111111111111")
        ),
        Case("no application", 400, ["APPLICATION_MISSING"], ("application", .null)),
        Case("RSA_V2", 400, ["ENCRYPTION_SCHEME_UNSUPPORTED"], ("encryptionScheme", "RSA_V2")),
        Case("application unknown", 403, ["APP_NOT_ENTITLED"], ("application", "A1B2C3D4E5.com.other")),
        Case(
            "form and application",
            400,
            ["PRIMARY_ACCOUNT_SUFFIX_FORM", "APP_NOT_ENTITLED"],
            ("application", "A1B2C3D4E5.com.other"),
            ("primaryAccountSuffix", "x")
        ),
    ]

    @Test(arguments: cases)
    func `each mistake has its status and its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let reply = try await sandbox.session(phone, .visa, .visa, changes: example.changes)
            expect(reply, wallet: example.status, example.codes)
        }
    }

    @Test func `a session has what PassKit's delegate is given`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let changes: [(String, JSON)] = [("encryptionScheme", "EV_ECC_v2"), ("primaryAccountIdentifier", "")]
            let session = try await sandbox.session(phone, .visa, .visa, changes: changes)
            #expect(session.status == 201)
            let keys = ["sessionId", "deviceId", "certificates", "nonce", "nonceSignature", "expiresAt"]
            #expect(session.json.object?.keys == keys)
            #expect(session["certificates"].array?.count == 2)
            #expect(session.text("expiresAt") == "2030-01-01T00:05:00Z")
            let other = try await sandbox.session(phone, .visa, .visa)
            #expect(other["nonce"] != session["nonce"])
            #expect(other["certificates"] == session["certificates"])
        }
    }

    @Test func `a spelling of the encryption scheme is taken with a warning`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, .visa, .visa, changes: [("encryptionScheme", "ECC_V2")])
            #expect(session.status == 201)
            #expect(try await sandbox.journaled() == ["ENCRYPTION_SCHEME_SPELLING"])
        }
    }

    @Test func `an application that is not entitled gets no session, one that is not listed is warned`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let path = "/v1/applications/A1B2C3D4E5.com.other"
            _ = try await sandbox.control("PUT", path, ["issuerId": "DEMOBANK01", "entitled": false])
            let changes: [(String, JSON)] = [("application", "A1B2C3D4E5.com.other")]
            let refused = try await sandbox.session(phone, .visa, .visa, changes: changes)
            expect(refused, wallet: 403, ["APP_NOT_ENTITLED"])
            _ = try await sandbox.control("PUT", path, ["issuerId": "DEMOBANK01", "entitled": true])
            #expect(try await sandbox.session(phone, .visa, .visa, changes: changes).status == 201)
            #expect(try await sandbox.journaled() == ["APP_NOT_LISTED_AT_NETWORK"])
        }
    }

    @Test func `an FPAN id that is on the device is refused with its pass, and free on another`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = (try await sandbox.device(), try await sandbox.device("watch"))
            let made = try await sandbox.provision(phone, .visa, .visa)
            let fpanID = made["pass"]["secureElementPass"]?["primaryAccountIdentifier"] ?? .null
            let changes = [("primaryAccountIdentifier", fpanID)]
            let reply = try await sandbox.session(phone, .visa, .visa, changes: changes)
            expect(reply, wallet: 409, ["ALREADY_PRESENT"])
            #expect(reply["pass"] == made["pass"])
            #expect(try await sandbox.session(watch, .visa, .visa, changes: changes).status == 201)
            _ = try await sandbox.updateTokenState(made.text("tokenId"), .visa, "Delete")
            #expect(try await sandbox.session(phone, .visa, .visa, changes: changes).status == 201)
        }
    }

    @Test func `an unknown device and an unknown session are 404`() async throws {
        try await withSandbox { sandbox in
            expect(try await sandbox.session("dev-none", .visa, .visa), wallet: 404, ["DEVICE_UNKNOWN"])
            let reply = try await sandbox.api("POST", "/wallet/apple/provisioning-sessions/ses-none/pass", [:])
            expect(reply, wallet: 404, ["SESSION_UNKNOWN"])
        }
    }

    /// Seconds after which the pass is asked for, and what comes of it.
    @Test(arguments: [
        (20, ""), (21, "SESSION_OVER_20_SECONDS"), (300, "SESSION_OVER_20_SECONDS"), (301, "SESSION_EXPIRED"),
    ])
    func `a session lives 300 seconds and is slow after 20`(_ seconds: Int, _ code: String) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let triple = try await begun.triple()
            sandbox.clock.advance(seconds: Int64(seconds))
            let reply = try await begun.post(triple)
            if seconds > 300 {
                expect(reply, wallet: 410, [code])
                #expect(try await sandbox.told(code).hasPrefix("301 s |"))
            } else {
                #expect(reply.status == 201)
                #expect(try await sandbox.journaled() == (code.isEmpty ? [] : [code]))
            }
        }
    }

    @Test func `a used session is 409 with the token it made, also once it is old`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let triple = try await begun.triple()
            let made = try await begun.post(triple)
            for seconds in [0, 400] {
                sandbox.clock.advance(seconds: Int64(seconds))
                let reply = try await begun.post(triple)
                expect(reply, wallet: 409, ["SESSION_USED"])
                #expect(reply["tokenId"] == made["tokenId"])
            }
        }
    }

    @Test func `of two passes asked for at once, one is made`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let triple = try await begun.triple()
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<6 { group.addTask { try await begun.post(triple).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 409, 409, 409, 409, 409])
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"].array?.count == 1)
        }
    }

    @Test func `the same card on the same device is 200 with the pass that is there, and spends the session`()
        async throws
    {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let begun = try await Provisioning.begin(sandbox, .visa, on: phone)
            let triple = try await begun.triple()
            let again = try await begun.post(triple)
            #expect(again.status == 200)
            #expect(again["pass"] == made["pass"])
            expect(try await begun.post(triple), wallet: 409, ["SESSION_USED"])
        }
    }

    @Test func `two sessions for one card at once end in one token`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { try await sandbox.provision(phone, .visa, .visa).status }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 200, 201])
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"].array?.count == 1)
        }
    }

    @Test func `refused terms end the session, as the sheet is gone`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let triple = try await begun.triple()
            expect(try await begun.post(triple.replacing("termsAccepted", false)), wallet: 422, ["TERMS_REFUSED"])
            expect(try await begun.post(triple.replacing("termsAccepted", true)), wallet: 409, ["SESSION_USED"])
        }
    }
}
