import Core
import SandboxTesting
import Testing
import Wire

/// Adding a card to the watch, from the phone; pairing seen from both sides; what ends a session.
struct WatchSessionTests {
    private func begin(_ sandbox: TestSandbox, _ device: String, _ identifier: String?) async throws -> TestReply {
        var body: JSON = ["paymentNetwork": "Visa", "application": .string(TestSandbox.application)]
        if let identifier { body = body.adding("primaryAccountIdentifier", .string(identifier)) }
        return try await sandbox.api("POST", "/wallet/apple/devices/\(device)/provisioning-sessions", body)
    }

    private func give(_ sandbox: TestSandbox, to device: String) async throws -> String {
        let body: JSON = [
            "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(device),
            "application": .string(TestSandbox.application), "state": "active",
        ]
        let made = try await sandbox.control("POST", "/v1/tokens", body)
        #expect(made.status == 201, "\(made.text)")
        let passes = try await sandbox.api("GET", "/wallet/apple/devices/\(device)/passes")
        return passes["localPasses"].array?.first?["secureElementPass"]?["primaryAccountIdentifier"]?.string ?? ""
    }

    @Test func `a session is for the device that lacks the card`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let identifier = try await give(sandbox, to: phone)
            let alone = try await begin(sandbox, phone, identifier)
            #expect(alone.status == 409 && alone.diagnosis == ["ALREADY_PRESENT"])
            #expect(alone["passes"].array?.count == 1 && alone["pass"] == alone["passes"].array?.first)

            let first = try await sandbox.device("watch", pairedWith: phone)
            let second = try await sandbox.device("watch", pairedWith: phone)
            let own = try await begin(sandbox, first, nil)
            let session = try await begin(sandbox, phone, identifier)
            #expect(session.status == 201 && session.text("deviceId") == first)
            // The leaf is the watch's.
            #expect(session["certificates"] == own["certificates"])
            _ = try await give(sandbox, to: first)
            #expect(try await begin(sandbox, phone, identifier).text("deviceId") == second)
            _ = try await give(sandbox, to: second)
            let full = try await begin(sandbox, phone, identifier)
            #expect(full.status == 409 && full["passes"].array?.count == 3)
            #expect(full["passes"].array?.map { $0["isRemotePass"] } == [false, true, true])
        }
    }

    @Test func `an identifier that no card has is a warning`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await begin(sandbox, phone, "V-of-another-world")
            #expect((session.status, session.text("deviceId")) == (201, phone))
            #expect(session.header("x-sandbox-notice") == "PRIMARY_ACCOUNT_IDENTIFIER_UNKNOWN")
        }
    }

    @Test func `a device shows its pairing from both sides`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let watch = try await sandbox.device("watch", pairedWith: phone)
            let shown = { (id: String) in try await sandbox.api("GET", "/wallet/apple/devices/\(id)").json }
            #expect(try await shown(phone)["pairedDevices"] == [.string(watch)])
            #expect(try await shown(watch)["pairedWith"] == .string(phone))
            // The phone may have named the watch.
            let other = try await sandbox.device("watch")
            let path = "/wallet/apple/devices/\(phone)"
            #expect(try await sandbox.api("PATCH", path, ["pairedWith": .string(other)]).status == 200)
            #expect(try await shown(other)["pairedWith"] == .string(phone))
        }
    }

    @Test func `refused terms end the session`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let session = try await sandbox.session(phone, .visa, .visa)
            let request = try sandbox.passRequest(session, .visa, .visa)
            let triple = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
            let path = "/wallet/apple/provisioning-sessions/\(session.text("sessionId"))/pass"
            let refused = try await sandbox.api("POST", path, triple.json.adding("termsAccepted", false))
            #expect((refused.status, refused["error"]["name"]) == (422, "userCancelled"))
            let again = try await sandbox.api("POST", path, triple.json)
            #expect((again.status, again.diagnosis) == (409, ["SESSION_USED"]))
        }
    }

    @Test(arguments: [
        ("missing-serial", "serialNumber="), ("empty-serial", "serialNumber=&"),
        ("missing-pass-type", "passTypeIdentifier="),
        ("missing-action", "action="), ("no-query", "?"),
    ])
    func `a wrong link lacks what its name says`(_ variant: String, _ part: String) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await give(sandbox, to: phone)
            let passes = try await sandbox.api("GET", "/wallet/apple/devices/\(phone)/passes")
            let serial = passes["localPasses"].array?.first?["serialNumber"]?.string ?? ""
            let path = "/wallet/apple/devices/\(phone)/passes/\(serial)/verification-url"
            let reply = try await sandbox.api("GET", path + "?variant=" + variant)
            #expect(reply.status == 200)
            #expect(reply.text("url").contains(part) == (variant == "empty-serial"), "\(reply.text)")
            // An active pass needs no verification.
            #expect(reply.header("x-sandbox-notice") == "VERIFICATION_OF_ACTIVE_PASS")
        }
    }

    @Test func `the bank's app is a method only where it can be opened`() async throws {
        try await withSandbox { sandbox in
            for (metadata, offers) in [
                (["bank_app": "Demo"] as JSON, false),
                (["bank_app": "Demo", "appLaunchURL": "demobank://v", "associatedStoreIdentifiers": ["1"]], true),
            ] {
                _ = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", metadata)
                let made = try await sandbox.manualEntry(
                    try await sandbox.device(),
                    TestCard("card-visa", pan: "4761732103612718"),
                    .visa
                )
                #expect(made["decision"] == "yellow", "\(made.summary)")
                let methods = made["pass"]["activationMethods"]?.array?.compactMap { $0["id"]?.string } ?? []
                #expect(methods.contains("bank_app") == offers && methods.contains("SMS"), "\(methods)")
            }
        }
    }

    @Test func `a long list is answered in parts`() async throws {
        try await withSandbox { sandbox in
            var made: [String] = []
            for _ in 0..<3 { made.append(try await sandbox.device()) }
            let first = try await sandbox.api("GET", "/wallet/apple/devices?limit=2")
            #expect(first["items"].array?.compactMap { $0["deviceId"]?.string } == Array(made.prefix(2)))
            let rest = try await sandbox.api("GET", "/wallet/apple/devices?limit=2&after=\(first.text("next"))")
            #expect(rest["items"].array?.compactMap { $0["deviceId"]?.string } == [made[2]] && rest["next"].isNull)
            let wrong = try await sandbox.api("GET", "/wallet/apple/devices?limit=10001")
            #expect(wrong.status == 400 && wrong.diagnosis == ["LIST_LIMIT"])
            for path in ["cards", "tokens", "callbacks"] {
                let list = try await sandbox.control("GET", "/v1/\(path)?limit=1")
                #expect(list.status == 200 && (list["items"].array?.count ?? 9) <= 1)
                #expect(try await sandbox.control("GET", "/v1/\(path)?limit=0")["code"] == "LIST_LIMIT")
            }
            let cards = try await sandbox.control("GET", "/v1/cards?limit=1")
            let next = try await sandbox.control("GET", "/v1/cards?limit=1&after=\(cards.text("next"))")
            #expect(next["items"].array?.count == 1 && next["items"] != cards["items"])
        }
    }
}
