import Core
import SandboxTesting
import Testing
import Wire

/// `configure`, `binding-hash` and `extension-status`: app groups, contexts, entitlements.
struct ConfigurationTests {
    @Test func `never configured is 20009 in status and login`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            for reply in [
                try await sandbox.status(phone),
                try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: hash)]),
            ] {
                #expect((reply.status, reply["code"]) == (400, 20009))
                #expect(reply["name"] == "walletExtensionAppGroupIDNotFound")
                #expect(reply["cause"] == ["type": 2, "code": -25300])
                #expect(reply.diagnosis == ["D1_NOT_CONFIGURED"])
            }
        }
    }

    @Test func `never configured is told before what is wrong with the binding`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let reply = try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: "of another device")])
            #expect((reply.status, reply["code"]) == (400, 20009))
            #expect(reply.diagnosis.first == "D1_NOT_CONFIGURED" && reply.diagnosis.count == 2, "\(reply.summary)")
        }
    }

    @Test func `two tokens of one issuer are told before that nothing is configured`() async throws {
        try await withSandbox { sandbox in
            let token = try TestIssuer(sandbox).token(cbp: "x")
            let reply = try await sandbox.login(try await sandbox.device(), [token, token])
            #expect((reply.status, reply["code"]) == (400, 60002))
            #expect(reply.diagnosis.first == "D1_ISSUER_TOKEN_TWICE" && reply.diagnosis.contains("D1_NOT_CONFIGURED"))
        }
    }

    @Test func `the status warns of a pass that hides a card without last4`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            #expect(try await sandbox.configure(phone, [("card-visa", nil), ("card-amex", nil)]).status == 200)
            #expect(try await sandbox.status(phone)["passEntriesAvailable"] == true)
            #expect(try await sandbox.journaled() == [])
            _ = try await sandbox.green(phone, .discover)
            for _ in 0..<2 {
                #expect(try await sandbox.status(phone)["passEntriesAvailable"] == false)
                #expect(try await sandbox.journaled() == ["SHARED_DEVICE_WITHOUT_LAST4"])
            }
        }
    }

    @Test func `an extension in another app group does not find the configuration`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let other: JSON = [
                "issuerId": "DEMOBANK01", "kind": "extension", "entitled": true, "appGroupIDs": ["group.other"],
            ]
            let path = "/v1/applications/\(TestSandbox.walletExtension)"
            #expect(try await sandbox.control("PUT", path, other).status == 200)
            #expect(try await sandbox.configure(phone, [("card-visa", "2718")]).status == 200)
            let reply = try await sandbox.status(phone)
            #expect((reply.status, reply["code"]) == (400, 20009))
            #expect(reply.diagnosis == ["D1_APP_GROUP_DIFFERS"])
            // Its sibling shares the group, and the extension without UI is the one that Apple asks.
            let sibling = try await sandbox.status(phone, application: TestSandbox.walletExtensionUI)
            #expect((sibling.status, sibling.diagnosis) == (400, ["D1_APP_GROUP_DIFFERS"]))
        }
    }

    struct Refusal: CustomTestStringConvertible {
        let name: String
        let change: @Sendable (JSON) -> JSON
        let code: JSON
        let diagnosis: String
        var testDescription: String { name }

        static let all = [
            Refusal(
                name: "app group",
                change: { $0.replacing("appGroupID", "group.x") },
                code: 10011,
                diagnosis: "D1_APP_GROUP_INVALID"
            ),
            Refusal(
                name: "no consumer",
                change: { $0.replacing("consumerId", .null) },
                code: 20008,
                diagnosis: "D1_CONSUMER_ID_MISSING"
            ),
            Refusal(
                name: "application",
                change: { $0.replacing("application", "A1B2C3D4E5.x") },
                code: 60002,
                diagnosis: "D1_APPLICATION_UNKNOWN"
            ),
            Refusal(
                name: "device",
                change: { $0.replacing("deviceId", "dev-x") },
                code: 60002,
                diagnosis: "D1_DEVICE_UNKNOWN"
            ),
            Refusal(
                name: "issuer",
                change: { $0.replacing("issuerId", "NOBANK0000") },
                code: 60002,
                diagnosis: "D1_ISSUER_UNKNOWN"
            ),
            Refusal(
                name: "issuer id",
                change: { $0.replacing("issuerId", "x") },
                code: 60002,
                diagnosis: "D1_IDENTIFIER_FORM"
            ),
            Refusal(
                name: "no cards",
                change: { $0.replacing("cardParamsList", []) },
                code: 60002,
                diagnosis: "D1_CARD_PARAMS_EMPTY"
            ),
            Refusal(
                name: "card twice",
                change: { $0.replacing("cardParamsList", TestSandbox.cardParams([("a", nil), ("a", nil)])) },
                code: 60002,
                diagnosis: "D1_CARD_PARAMS_TWICE"
            ),
            Refusal(
                name: "last4",
                change: { $0.replacing("cardParamsList", TestSandbox.cardParams([("a", "27180")])) },
                code: 60002,
                diagnosis: "D1_LAST4_FORM"
            ),
        ]
    }

    @Test(arguments: Refusal.all)
    func `a configuration that cannot be used is refused`(_ refusal: Refusal) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let body: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.application),
                "appGroupID": .string(TestSandbox.appGroup), "issuerId": "DEMOBANK01", "consumerId": "consumer-ana",
                "cardParamsList": TestSandbox.cardParams([("card-visa", "2718")]),
            ]
            let reply = try await sandbox.api("POST", "/d1/client/v1/configure", refusal.change(body))
            #expect((reply.status, reply["code"]) == (400, refusal.code))
            #expect(reply.diagnosis.first == refusal.diagnosis)
            #expect(try await sandbox.status(phone)["code"] == 20009)
        }
    }

    @Test func `a context goes with a kind of application`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            for (application, context) in [
                (TestSandbox.application, "extension"), (TestSandbox.walletExtension, "app"),
                (TestSandbox.walletExtensionUI, "app"),
            ] {
                let bound = try await sandbox.bindingHash(phone, application: application, context: context)
                #expect((bound.status, bound["code"], bound.diagnosis) == (400, 60002, ["D1_CONTEXT_MISMATCH"]))
                let token = try TestIssuer(sandbox, "DEMOBANK02").token()
                let login = try await sandbox.login(phone, [token], application: application, context: context)
                #expect((login.status, login["code"], login.diagnosis) == (400, 60002, ["D1_CONTEXT_MISMATCH"]))
            }
        }
    }

    @Test func `a binding value of the client's own is taken, and only for its place`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let own = "AppAttest+/value="
            #expect(try await sandbox.bindingHash(phone, value: own)["bindingHash"] == .string(own))
            let app = try await sandbox.bindingHash(
                phone,
                application: TestSandbox.application,
                context: "app",
                value: own
            )
            #expect((app["code"], app.diagnosis) == (60002, ["D1_BINDING_VALUE_TAKEN"]))
            #expect(try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: own)]).status == 200)
            #expect(try await sandbox.bindingHash(phone, value: own).diagnosis == ["D1_BINDING_VALUE_TAKEN"])
            #expect(try await sandbox.bindingHash(phone, value: "a b").diagnosis == ["D1_BINDING_VALUE_FORM"])
        }
    }

    @Test func `status tells of the login, and is the same from memory`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let before = try await sandbox.status(phone)
            #expect(
                before.json == [
                    "passEntriesAvailable": true, "remotePassEntriesAvailable": false, "requiresAuthentication": true,
                ]
            )
            #expect(try await sandbox.status(phone).json == before.json)
            let session = try await sandbox.session(phone)
            #expect(try await sandbox.status(phone)["requiresAuthentication"] == false)
            #expect(try await sandbox.status(phone)["requiresAuthentication"] == false)
            // Time alone, without a change of the world, ends it.
            sandbox.clock.advance(seconds: 3_601)
            #expect(try await sandbox.status(phone)["requiresAuthentication"] == true)
            sandbox.clock.advance(seconds: -3_601)
            #expect(try await sandbox.status(phone)["requiresAuthentication"] == false)
            _ = try await sandbox.d1("POST", "logout", session)
            #expect(try await sandbox.status(phone)["requiresAuthentication"] == true)
        }
    }

    @Test func `the extension without UI is the one whose entitlement counts`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            _ = try await sandbox.registerApplication(TestSandbox.walletExtensionUI, "extension-ui", isEntitled: false)
            let told = try await sandbox.status(phone, application: TestSandbox.walletExtensionUI)
            #expect((told["passEntriesAvailable"], told.diagnosis) == (true, []))
            #expect(told.header("x-sandbox-notice") == "D1_APPLICATION_NOT_ENTITLED")
            #expect(try await sandbox.entryIDs(session) == ["card-visa"])

            _ = try await sandbox.registerApplication(TestSandbox.walletExtension, "extension", isEntitled: false)
            for application in [TestSandbox.walletExtensionUI, TestSandbox.walletExtension] {
                let status = try await sandbox.status(phone, application: application)
                #expect((status.status, status["passEntriesAvailable"]) == (200, false))
                #expect(status.diagnosis == ["D1_APPLICATION_NOT_ENTITLED"])
            }
            let entries = try await sandbox.d1("GET", "pass-entries", session)
            #expect((entries["code"], entries.diagnosis) == (10006, ["D1_APPLICATION_NOT_ENTITLED"]))
        }
    }
}
