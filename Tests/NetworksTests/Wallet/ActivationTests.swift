import Core
import SandboxTesting
import Testing
import Wire

/// A yellow pass becomes active: by code, by activation data, by the issuer.
struct ActivationTests {
    /// A phone with a pass that waits.
    private struct Scene {
        let sandbox: TestSandbox
        let phone: String
        let tokenID: String
        let path: String

        func request(_ method: JSON) async throws -> TestReply {
            try await sandbox.api("POST", path + "/activation-code", ["method": method])
        }

        func type(_ code: String) async throws -> TestReply {
            try await sandbox.api("POST", path + "/activate", ["activationCode": .string(code)])
        }

        /// The code in the inbox.
        func code() async throws -> String {
            let inbox = try await sandbox.control("GET", "/v1/activation-codes?tokenId=\(tokenID)")
            return inbox["items"].array?.first?["code"]?.string ?? ""
        }

        /// A code that is not the one in the inbox.
        func wrongCode() async throws -> String { try await code() == "000000" ? "111111" : "000000" }
    }

    private func scene(_ sandbox: TestSandbox, _ network: PaymentNetwork = .visa) async throws -> Scene {
        let phone = try await sandbox.device()
        let (tokenID, serial) = try await sandbox.yellow(phone, network)
        let path = "/wallet/apple/devices/\(phone)/passes/\(serial)"
        return Scene(sandbox: sandbox, phone: phone, tokenID: tokenID, path: path)
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `a manual entry is yellow and lists its methods`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            try await sandbox.register(.of(network))
            let made = try await sandbox.manualEntry(phone, .of(network), network)
            #expect([String(made.status), made.text("decision")] == ["201", "yellow"])
            let pass = made["pass"]
            #expect(pass["secureElementPass"]?["passActivationState"] == "requiresActivation")
            let methods = pass["activationMethods"]?.array ?? []
            #expect(methods.compactMap { $0["id"]?.string } == ["SMS", "EMAIL", "CUSTOMER_SERVICE", "bank_app"])
            #expect(methods.allSatisfy { $0.object?.keys == ["id", "type", "value"] })
        }
    }

    @Test(arguments: ["SMS", "EMAIL"])
    func `a code from the inbox activates the pass`(_ method: String) async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            let sent = try await scene.request(.string(method))
            #expect([String(sent.status), sent.text("method")] == ["202", method])
            let item = try await sandbox.control("GET", "/v1/activation-codes?tokenId=\(scene.tokenID)")["items"]
            let code = try await scene.code()
            #expect(
                item == [
                    [
                        "tokenId": .string(scene.tokenID), "method": .string(method), "code": .string(code),
                        "expiresAt": "2030-01-01T00:30:00Z", "attemptsLeft": 3,
                    ]
                ]
            )
            #expect(code.count == 6 && code.allSatisfy(\.isNumber) && !sent.text.contains(code))
            let pass = try await scene.type(code)
            #expect(pass.status == 200, "\(pass.summary)")
            #expect(pass["secureElementPass"]["passActivationState"] == "activated")
            #expect(pass["activationMethods"] == [])
            expect(try await scene.type(code), wallet: 409, ["PASS_NOT_PENDING"])
            expect(try await scene.request("SMS"), wallet: 409, ["PASS_NOT_PENDING"])
        }
    }

    @Test func `three wrong codes lock the method; another method opens it`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            _ = try await scene.request("SMS")
            let wrong = try await scene.wrongCode()
            for left in ["2", "1", "0"] {
                expect(try await scene.type(wrong), wallet: 422, ["ACTIVATION_CODE_WRONG"])
                #expect(try await sandbox.told("ACTIVATION_CODE_WRONG").hasPrefix("\(left) attempts left"))
            }
            let right = try await scene.code()
            expect(try await scene.type(right), wallet: 422, ["ACTIVATION_METHOD_LOCKED"])
            expect(try await scene.request("SMS"), wallet: 422, ["ACTIVATION_METHOD_LOCKED"])
            #expect(try await scene.request("EMAIL").status == 202)
            #expect(try await scene.type(try await scene.code()).status == 200)
        }
    }

    @Test func `a new code by the same method gives no new attempts`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            for _ in 0..<2 {
                _ = try await scene.request("SMS")
                _ = try await scene.type(try await scene.wrongCode())
            }
            _ = try await scene.request("SMS")
            expect(try await scene.type(try await scene.wrongCode()), wallet: 422, ["ACTIVATION_CODE_WRONG"])
            expect(try await scene.request("SMS"), wallet: 422, ["ACTIVATION_METHOD_LOCKED"])
        }
    }

    @Test func `a control event opens a locked method`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            _ = try await scene.request("SMS")
            let wrong = try await scene.wrongCode()
            for _ in 0..<3 { _ = try await scene.type(wrong) }
            #expect(try await sandbox.tokenEvent(scene.tokenID, "unlock", by: "issuer").status == 200)
            #expect(try await scene.request("SMS").status == 202)
            #expect(try await scene.type(try await scene.code()).status == 200)
        }
    }

    @Test(arguments: [(1_800, ""), (1_801, "ACTIVATION_CODE_EXPIRED")])
    func `a code lives thirty minutes`(_ seconds: Int, _ code: String) async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            _ = try await scene.request("SMS")
            let right = try await scene.code()
            sandbox.clock.advance(seconds: Int64(seconds))
            let reply = try await scene.type(right)
            if code.isEmpty {
                #expect(reply.status == 200)
            } else {
                expect(reply, wallet: 422, [code])
                #expect(try await sandbox.told(code).contains("now 2030-01-01T00:30:01Z"))
            }
        }
    }

    @Test func `a new code replaces the old one`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            _ = try await scene.request("SMS")
            let old = try await scene.code()
            _ = try await scene.request("EMAIL")
            expect(try await scene.type(old), wallet: 422, ["ACTIVATION_CODE_WRONG"])
        }
    }

    @Test func `what is wrong with a request has its status`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            expect(try await scene.type("123456"), wallet: 422, ["ACTIVATION_CODE_NOT_REQUESTED"])
            let methods: [(JSON, String)] = [
                (.null, "METHOD_MISSING"), ("", "METHOD_EMPTY"), (1, "METHOD_WRONG_TYPE"),
                ("sms", "ACTIVATION_METHOD_UNKNOWN"), ("CUSTOMER_SERVICE", "ACTIVATION_METHOD_HAS_NO_CODE"),
                ("bank_app", "ACTIVATION_METHOD_HAS_NO_CODE"),
            ]
            for (method, code) in methods { expect(try await scene.request(method), wallet: 400, [code]) }
            let empty = try await sandbox.api("POST", scene.path + "/activate", [:])
            expect(empty, wallet: 400, ["ACTIVATION_CODE_OR_DATA_MISSING"])
            let other = "/wallet/apple/devices/\(scene.phone)/passes/none"
            for path in ["/activation-code", "/activate"] {
                let body: JSON = ["method": "SMS", "activationCode": "1"]
                expect(try await sandbox.api("POST", other + path, body), wallet: 404, ["PASS_UNKNOWN"])
            }
        }
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `activation data of another card does not activate`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox, network)
            let codes: [PaymentNetwork: String] = [
                .visa: "ACTIVATION_VISA_FORM", .mastercard: "ACTIVATION_VERSION", .amex: "ACTIVATION_VERSION",
                .discover: "ACTIVATION_VERSION",
            ]
            let body: JSON = ["activationData": "e30="]
            let reply = try await sandbox.api("POST", scene.path + "/activate", body)
            expect(reply, wallet: 422, [codes[network] ?? ""])
            #expect(try await sandbox.state(scene.tokenID) == "inactive")
        }
    }

    @Test func `the issuer's app activates by token id, and the wallet shows it`() async throws {
        try await withSandbox { sandbox in
            let scene = try await scene(sandbox)
            #expect(try await sandbox.updateTokenState(scene.tokenID, .visa, "Activate").status == 200)
            let pass = try await sandbox.passes(scene.phone)["localPasses"].array?.first
            #expect(pass?["secureElementPass"]?["passActivationState"] == "activated")
        }
    }

    @Test func `the wallet shows activating for as long as the tenant says`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["walletPropagationMs": 2_000])
            let scene = try await scene(sandbox)
            _ = try await sandbox.updateTokenState(scene.tokenID, .visa, "Activate")
            func shown() async throws -> String {
                let pass = try await sandbox.passes(scene.phone)["localPasses"].array?.first
                return pass?["secureElementPass"]?["passActivationState"]?.string ?? ""
            }
            var seen = [try await shown()]
            sandbox.clock.advance(seconds: 1)
            seen.append(try await shown())
            sandbox.clock.advance(seconds: 1)
            seen.append(try await shown())
            #expect(seen == ["activating", "activating", "activated"])
            #expect(try await sandbox.state(scene.tokenID) == "active")
        }
    }
}
