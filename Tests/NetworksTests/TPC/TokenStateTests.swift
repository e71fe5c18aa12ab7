import Core
import SandboxTesting
import Testing
import Wire

/// `updateTokenState`: the SDK's four words on tokens of every network.
struct TokenStateTests {
    /// A step, who took it, and how the token stands after it; a number instead of a state is a refusal.
    struct Step: Sendable {
        let action: String
        let state: String
        var codes: [String] = []
        var number = 0
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `the issuer activates, suspends, resumes and deletes`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let token = try await sandbox.yellow(phone, network).tokenID
            let steps = [
                Step(action: "Suspend", state: "inactive", codes: ["TOKEN_REQUIRES_ACTIVATION"], number: 432),
                Step(action: "Resume", state: "inactive", codes: ["TOKEN_REQUIRES_ACTIVATION"], number: 432),
                Step(action: "Activate", state: "active"),
                Step(action: "Activate", state: "active", codes: ["ALREADY_IN_REQUESTED_STATE"], number: 432),
                Step(action: "Resume", state: "active", codes: ["ALREADY_IN_REQUESTED_STATE"], number: 432),
                Step(action: "Suspend", state: "suspended issuer"),
                Step(action: "Suspend", state: "suspended issuer", codes: ["ALREADY_IN_REQUESTED_STATE"], number: 432),
                Step(action: "Activate", state: "suspended issuer", codes: ["TOKEN_SUSPENDED"], number: 432),
                Step(action: "Resume", state: "active"),
                Step(action: "Delete", state: "deleted"),
                Step(action: "Delete", state: "deleted", codes: ["ALREADY_IN_REQUESTED_STATE"], number: 432),
                Step(action: "Activate", state: "deleted", codes: ["TOKEN_DELETED"], number: 432),
            ]
            for (index, step) in steps.enumerated() {
                let reply = try await sandbox.updateTokenState(token, network, step.action)
                let comment = Comment(rawValue: "step \(index), \(step.action)")
                if step.number == 0 {
                    let word = ["active": "ACTIVE", "suspended issuer": "SUSPENDED", "deleted": "DELETED"][step.state]
                    #expect(reply.text == "{\"success\":true,\"state\":\"\(word ?? "")\"}", comment)
                } else {
                    expect(reply, tpc: step.number, step.codes, comment)
                }
                #expect(try await sandbox.state(token) == step.state, comment)
            }
        }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var network = PaymentNetwork.visa
        let number: Int
        let codes: [String]
        let changes: [(String, JSON)]
    }

    static let wrong: [Change] = [
        Change(testDescription: "no token id", number: 111, codes: ["TOKEN_ID_MISSING"], changes: [("tokenId", .null)]),
        Change(testDescription: "empty token id", number: 111, codes: ["TOKEN_ID_EMPTY"], changes: [("tokenId", "")]),
        Change(testDescription: "no scheme", number: 111, codes: ["SCHEME_MISSING"], changes: [("scheme", .null)]),
        Change(
            testDescription: "no code",
            number: 111,
            codes: ["AUTHORIZATION_CODE_MISSING"],
            changes: [("authorizationCode", .null)]
        ),
        Change(testDescription: "no action", number: 111, codes: ["ACTION_MISSING"], changes: [("action", .null)]),
        Change(
            testDescription: "Visa without requestor",
            number: 111,
            codes: ["TOKEN_REQUESTOR_ID_REQUIRED"],
            changes: [("tokenRequestorId", .null)]
        ),
        Change(
            testDescription: "Visa with an empty requestor",
            number: 111,
            codes: ["TOKEN_REQUESTOR_ID_REQUIRED"],
            changes: [("tokenRequestorId", "")]
        ),
        Change(
            testDescription: "Visa with another requestor",
            number: 112,
            codes: ["TOKEN_REQUESTOR_ID_MISMATCH"],
            changes: [("tokenRequestorId", "40010075001")]
        ),
        Change(
            testDescription: "requestor is a number",
            number: 112,
            codes: ["TOKEN_REQUESTOR_ID_WRONG_TYPE"],
            changes: [("tokenRequestorId", 40_010_030_273)]
        ),
        Change(
            testDescription: "Mastercard with a requestor",
            network: .mastercard,
            number: 112,
            codes: ["TOKEN_REQUESTOR_ID_NOT_WANTED"],
            changes: [("tokenRequestorId", "50110030273")]
        ),
        Change(
            testDescription: "Amex with a requestor",
            network: .amex,
            number: 112,
            codes: ["TOKEN_REQUESTOR_ID_NOT_WANTED"],
            changes: [("tokenRequestorId", "30010030273")]
        ),
        Change(
            testDescription: "Discover with a requestor",
            network: .discover,
            number: 112,
            codes: ["TOKEN_REQUESTOR_ID_NOT_WANTED"],
            changes: [("tokenRequestorId", " ")]
        ),
        Change(
            testDescription: "unknown action",
            number: 112,
            codes: ["ACTION_UNKNOWN"],
            changes: [("action", "Block")]
        ),
        Change(
            testDescription: "action in another case",
            number: 112,
            codes: ["ACTION_UNKNOWN"],
            changes: [("action", "ACTIVATE")]
        ),
        Change(testDescription: "action a list", number: 112, codes: ["ACTION_WRONG_TYPE"], changes: [("action", [])]),
        Change(
            testDescription: "code is text",
            number: 112,
            codes: ["JWT_PARTS"],
            changes: [("authorizationCode", "code")]
        ),
        Change(
            testDescription: "token of another scheme",
            number: 119,
            codes: ["TOKEN_OF_OTHER_SCHEME"],
            changes: [("scheme", "AMEX"), ("tokenRequestorId", "")]
        ),
    ]

    @Test(arguments: wrong)
    func `each mistake has its number and its code`(_ example: Change) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let token = try await sandbox.yellow(phone, example.network).tokenID
            let reply = try await sandbox.updateTokenState(token, example.network, "Activate", changes: example.changes)
            expect(reply, tpc: example.number, example.codes)
            #expect(try await sandbox.state(token) == "inactive")
        }
    }

    @Test(arguments: [PaymentNetwork.mastercard, .amex, .discover])
    func `absent and empty requestor are the same for the others`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), network).tokenID
            let changes: [(String, JSON)] = [("tokenRequestorId", .null)]
            #expect(try await sandbox.updateTokenState(token, network, "Activate", changes: changes).status == 200)
        }
    }

    @Test func `the hint names the spelling of the SDK`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), .visa).tokenID
            let changes: [(String, JSON)] = [("action", "ACTIVATE"), ("scheme", "Visa")]
            let reply = try await sandbox.updateTokenState(token, .visa, "Activate", changes: changes)
            expect(reply, tpc: 112, ["SCHEME_UNKNOWN", "ACTION_UNKNOWN"])
            #expect(try await sandbox.told("ACTION_UNKNOWN") == "ACTIVATE | The SDK writes it Activate.")
            #expect(try await sandbox.told("SCHEME_UNKNOWN") == "Visa | The TPC SDK writes it VISA.")
        }
    }

    @Test func `a code for another token, a card, or an unknown token is refused`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let token = try await sandbox.yellow(phone, .visa).tokenID
            let other = try await sandbox.yellow(watch, .visa).tokenID
            let unknown = "DNITHE999999999999999999"
            let table: [(sub: String, token: String, number: Int, code: String)] = [
                (other, token, 401, "JWT_SUB_OTHER_TOKEN"), ("test-visa", token, 401, "JWT_SUB_IS_CARD_REF"),
                (unknown, unknown, 119, "TOKEN_UNKNOWN"),
            ]
            for (sub, token, number, code) in table {
                let changes: [(String, JSON)] = [("authorizationCode", .string(try issuer.code(sub: sub)))]
                let reply = try await sandbox.updateTokenState(token, .visa, "Activate", changes: changes)
                expect(reply, tpc: number, [code])
            }
        }
    }

    @Test func `a token of another issuer is unknown`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), .visa).tokenID
            let reply = try await sandbox.updateTokenState(token, .visa, "Activate", issuerID: "DEMOBANK02")
            expect(reply, tpc: 119, ["TOKEN_OF_OTHER_ISSUER"])
        }
    }

    @Test func `a repeat is success when the issuer's policy says so`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.changePolicies("DEMOBANK01", ["repeatIsSuccess": true])
            let token = try await sandbox.green(try await sandbox.device(), .visa).tokenID
            for _ in 0..<2 {
                let reply = try await sandbox.updateTokenState(token, .visa, "Suspend")
                #expect(reply.text == "{\"success\":true,\"state\":\"SUSPENDED\"}")
            }
            #expect(try await sandbox.journaled() == ["ALREADY_IN_REQUESTED_STATE"])
            #expect(try await sandbox.token(token)["history"].array?.count == 2)
            expect(try await sandbox.updateTokenState(token, .visa, "Activate"), tpc: 432, ["TOKEN_SUSPENDED"])
        }
    }

    @Test func `activating the phone's active token while the watch waits is told apart`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let active = try await sandbox.green(phone, .visa).tokenID
            let waiting = try await sandbox.yellow(watch, .visa).tokenID
            expect(try await sandbox.updateTokenState(active, .visa, "Activate"), tpc: 432, ["OTHER_DEVICE_PENDING"])
            #expect(try await sandbox.updateTokenState(waiting, .visa, "Activate").status == 200)
            let again = try await sandbox.updateTokenState(active, .visa, "Activate")
            expect(again, tpc: 432, ["ALREADY_IN_REQUESTED_STATE"])
        }
    }

    @Test func `the issuer lifts its own and the cardholder's suspension, not the requestor's`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (token, serial) = try await sandbox.green(phone, .mastercard)
            let path = "/wallet/apple/devices/\(phone)/passes/\(serial)"
            _ = try await sandbox.api("POST", path + "/suspend")
            _ = try await sandbox.updateTokenState(token, .mastercard, "Suspend")
            #expect(try await sandbox.state(token) == "suspended cardholder issuer")
            _ = try await sandbox.updateTokenState(token, .mastercard, "Resume")
            #expect(try await sandbox.state(token) == "active")
            _ = try await sandbox.tokenEvent(token, "suspend", by: "requestor")
            let reply = try await sandbox.updateTokenState(token, .mastercard, "Resume")
            expect(reply, tpc: 432, ["SUSPENDED_BY_OTHER"])
            _ = try await sandbox.updateTokenState(token, .mastercard, "Suspend")
            _ = try await sandbox.updateTokenState(token, .mastercard, "Resume")
            #expect(try await sandbox.state(token) == "suspended requestor")
        }
    }

    @Test func `a refused step says the code and the transition together`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.green(try await sandbox.device(), .visa).tokenID
            let code = try TestIssuer(sandbox).code(sub: token, changes: [("aud", "GOOGLE_PAY")])
            let changes: [(String, JSON)] = [("authorizationCode", .string(code)), ("tokenRequestorId", "1")]
            let reply = try await sandbox.updateTokenState(token, .visa, "Activate", changes: changes)
            expect(
                reply,
                tpc: 112,
                ["TOKEN_REQUESTOR_ID_MISMATCH", "JWT_AUD_MISMATCH", "ALREADY_IN_REQUESTED_STATE"]
            )
        }
    }
}
