import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

struct FaultControlTests {
    private static func rule(_ match: JSON, _ effect: JSON, _ trigger: JSON = [:], id: String? = nil) -> JSON {
        var rule: JSON = ["match": match, "effect": effect, "trigger": trigger]
        if let id { rule = rule.adding("id", .string(id)) }
        return rule
    }

    @Test func `rules are put, listed, looked at and removed`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.control(
                "POST",
                "/v1/faults",
                Self.rule(["face": "wallet"], ["respond": ["status": 503]], ["times": 2])
            )
            #expect(made.status == 201)
            let id = try #require(made["id"].string)
            #expect(id.hasPrefix("fault-"))
            #expect(try await sandbox.control("GET", "/v1/faults")["items"].array?.count == 1)
            _ = try await sandbox.api("GET", "/wallet/apple/devices")
            let looked = try await sandbox.control("GET", "/v1/faults/\(id)")
            #expect(looked["fired"] == 1 && looked["effect"]["respond"] == ["status": 503])
            #expect(try await sandbox.control("DELETE", "/v1/faults/\(id)").status == 204)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            #expect(try await sandbox.control("DELETE", "/v1/faults/\(id)").status == 404)
            #expect(try await sandbox.control("GET", "/v1/faults/\(id)")["code"] == "FAULT_RULE_NOT_FOUND")
            for _ in 0..<3 {
                _ = try await sandbox.control("POST", "/v1/faults", Self.rule([:], ["connection": "reset"]))
            }
            #expect(try await sandbox.control("DELETE", "/v1/faults").status == 204)
            #expect(try await sandbox.control("GET", "/v1/faults")["items"].array?.isEmpty == true)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pointer: String
        let status: Int
        let code: String
    }

    static let refused: [Refused] = [
        ("{\"effect\":{\"conection\":\"reset\"}}", "/effect/conection", 400, "FAULT_RULE_MEMBER_UNKNOWN"),
        (
            "{\"match\":{\"face\":\"walet\"},\"effect\":{\"connection\":\"reset\"}}", "/match/face", 400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"operation\":\"tpc.getToken\"},\"effect\":{\"connection\":\"reset\"}}", "/match/operation",
            400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"face\":\"tpc\",\"operation\":\"wallet.createPass\"},\"effect\":{\"connection\":\"reset\"}}",
            "/match/operation", 400, "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"face\":\"tpc\",\"method\":\"GET\"},\"effect\":{\"connection\":\"reset\"}}", "/match/method",
            400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"path\":\"/t/a/mg/tpc/**\"},\"effect\":{\"connection\":\"reset\"}}", "/match/path", 400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"path\":\"/wallet/apple/devices/a b\"},\"effect\":{\"connection\":\"reset\"}}", "/match/path",
            400, "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"path\":\"/**/pässe\"},\"effect\":{\"connection\":\"reset\"}}", "/match/path", 400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"path\":\"/wallet/apple/devices?limit=*\"},\"effect\":{\"connection\":\"reset\"}}",
            "/match/path", 400, "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"path\":\"/a\\tb\"},\"effect\":{\"callback\":\"drop\"}}", "/match/path", 400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"face\":\"tpc\"},\"effect\":{\"networkError\":\"PAN_INELIGIBLE\"}}", "/effect/networkError",
            400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        (
            "{\"match\":{\"face\":\"tpc\"},\"effect\":{\"decision\":\"red\"}}", "/effect/decision", 400,
            "FAULT_RULE_NEVER_MATCHES"
        ),
        ("{\"id\":\"taken\",\"effect\":{\"connection\":\"reset\"}}", "/id", 409, "FAULT_RULE_EXISTS"),
    ].map { Refused(testDescription: $0.0, pointer: $0.1, status: $0.2, code: $0.3) }

    @Test(arguments: refused)
    func `a rule that can never take effect is refused with a pointer`(_ item: Refused) async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/faults", Self.rule([:], ["connection": "reset"], id: "taken"))
            let reply = try await sandbox.control("POST", "/v1/faults", body: item.testDescription)
            #expect(reply.status == item.status && reply["code"].string == item.code)
            #expect(reply["pointer"].string == item.pointer)
            #expect(try await sandbox.control("GET", "/v1/faults")["items"].array?.count == 1)
        }
    }

    @Test func `a misspelt operation is answered with those of its face`() async throws {
        try await withSandbox { sandbox in
            let rule = Self.rule(["operation": "tpc.getToken"], ["connection": "reset"])
            let detail = try await sandbox.control("POST", "/v1/faults", rule)["detail"].string ?? ""
            let names =
                "tpc.activatePass, tpc.addCard, tpc.generateAddPaymentPassRequest, tpc.getCardDigitizationResult, "
                + "tpc.getEligibleTokenRequestors, tpc.getTokenRequestorAsset, tpc.getTokens, tpc.isCardDigitized, "
                + "tpc.schemePushProvision, tpc.updateTokenState"
            #expect(detail.contains("there is no such operation; there are \(names)."))
        }
    }

    @Test func `a rule for callbacks is kept and touches no request`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.control("POST", "/v1/faults", Self.rule(["face": "d1"], ["callback": "drop"]))
            #expect(made.status == 201)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
        }
    }

    @Test func `a tenant has at most 1,000 rules`() async throws {
        try await withSandbox { sandbox in
            for _ in 0..<1_000 {
                _ = try await sandbox.control("POST", "/v1/faults", Self.rule(["face": "tpc"], ["connection": "reset"]))
            }
            let more = try await sandbox.control("POST", "/v1/faults", Self.rule([:], ["connection": "reset"]))
            #expect(more.status == 409 && more["code"] == "FAULT_RULE_LIMIT")
        }
    }

    @Test func `faults of one tenant touch no other, and a reset removes them`() async throws {
        try await withSandbox { sandbox in
            let mine = [("X-Sandbox-Tenant", "mine")]
            let rule = Self.rule([:], ["respond": ["status": 503]]).text
            #expect(try await sandbox.control("POST", "/v1/faults", body: rule, headers: mine).status == 201)
            #expect(try await sandbox.api("GET", "/t/mine/wallet/apple/devices").status == 503)
            #expect(try await sandbox.api("GET", "/t/other/wallet/apple/devices").status == 200)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            _ = try await sandbox.control("POST", "/v1/tenants/mine/reset")
            #expect(try await sandbox.api("GET", "/t/mine/wallet/apple/devices").status == 200)
            #expect(try await sandbox.control("GET", "/v1/faults", headers: mine)["items"].array?.isEmpty == true)
        }
    }

    @Test func `rules go with their world`() async throws {
        try await withSandbox { sandbox in
            let rule = Self.rule(["face": "wallet"], ["respond": ["status": 503]], ["times": 3], id: "r")
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 503)
            let kept = try await sandbox.control("POST", "/v1/snapshots")
            #expect(try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": "copy"]).status == 201)
            _ = try await sandbox.control("DELETE", "/v1/faults")
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            let restored = try await sandbox.control("POST", "/v1/snapshots/\(kept["id"].string ?? "")/restore")
            #expect(restored.status == 204)
            // With the count of the snapshot: one of three was used.
            for (tenant, statuses) in [("default", [503, 503, 200]), ("copy", [503, 503, 200])] {
                for status in statuses {
                    #expect(try await sandbox.api("GET", "/t/\(tenant)/wallet/apple/devices").status == status)
                }
            }
        }
    }

    @Test func `counts outlive the server`() async throws {
        try await withFolder { folder in try await countsOutlive(folder + "/store.sqlite") }
    }

    private func countsOutlive(_ file: String) async throws {
        try await withSandbox(configure: { $0.store = .file(file) }) { (sandbox: TestSandbox) async throws in
            let rule = Self.rule(["face": "wallet"], ["respond": ["status": 503]], ["skip": 1, "times": 2], id: "r")
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 503)
        }
        try await withSandbox(configure: { $0.store = .file(file) }) { (sandbox: TestSandbox) async throws in
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 503)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            #expect(try await sandbox.control("GET", "/v1/faults/r")["fired"] == 2)
        }
    }

    @Test func `with the diagnosis header off nothing names the fault on the wire`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            let rule = Self.rule(["operation": "tpc.getTokens"], ["networkError": "CARD_IS_NOT_DIGITIZED"])
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let reply = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", [:])
            #expect(reply.status == 400 && reply["code"] == 116)
            #expect(reply["message"] == "116. Card is not digitized")
            #expect(reply.response.headers.fields.allSatisfy { !$0.name.text.hasPrefix("x-sandbox") })
        }
    }

    @Test func `rules that are over make room, and rules are bounded by their bytes`() async throws {
        try await withSandbox { sandbox in
            for _ in 0..<1_000 {
                let rule = Self.rule(["face": "tpc"], ["connection": "reset"], ["ttlSeconds": 1])
                _ = try await sandbox.control("POST", "/v1/faults", rule)
            }
            sandbox.clock.advance(seconds: 2)
            let large = Self.rule(
                ["face": "tpc"],
                ["respond": ["status": 200, "body": .string(String(repeating: "a", count: 60_000))]]
            )
            var statuses: [Int] = []
            for _ in 0..<70 { statuses.append(try await sandbox.control("POST", "/v1/faults", large).status) }
            #expect(statuses.count { $0 == 201 } == 69 && statuses.last == 409)
            #expect(try await sandbox.control("GET", "/v1/faults")["items"].array?.count == 69)
        }
    }

    @Test func `counts of rules that only let pass are kept with those of the rule that fires`() async throws {
        try await withSandbox { sandbox in
            let first = Self.rule(["face": "wallet"], ["connection": "reset"], ["skip": 5], id: "a")
            _ = try await sandbox.control("POST", "/v1/faults", first)
            _ = try await sandbox.control("POST", "/v1/faults", Self.rule([:], ["respond": ["status": 503]], id: "b"))
            for _ in 0..<3 { #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 503) }
            _ = try await sandbox.control("POST", "/v1/tenants/default/fork", ["as": "copy"])
            let copied = try await sandbox.control("GET", "/v1/faults/a", headers: [("X-Sandbox-Tenant", "copy")])
            #expect(copied["seen"] == 3)
        }
    }

    /// The answer to a client that waits for `100 Continue` comes from a rule, and never from the operation.
    @Test func `a head is answered by a rule, or its body is awaited`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control(
                "POST",
                "/v1/faults",
                Self.rule(["method": "POST"], ["respond": ["status": 418]])
            )
            func head(_ headers: [(HTTPHeaderName, String)] = []) -> HTTPRequest {
                let fields = HTTPHeaders([(.contentLength, "16"), (.contentType, "application/json")] + headers)
                return HTTPRequest(method: .post, target: "/wallet/apple/devices", headers: fields)
            }
            func inFlight() async throws -> Substring? {
                try await sandbox.control("GET", "/metrics").text.split(separator: "\n").first {
                    $0.hasPrefix("tsp_sandbox_requests_in_flight ")
                }
            }
            let before = try await inFlight()
            #expect(await sandbox.application.api.refusal(of: head())?.status == 418)
            #expect(try await inFlight() == before && before != nil)
            // What refuses the whole request goes before a rule.
            #expect(await sandbox.application.api.refusal(of: head([(.contentEncoding, "br")]))?.status == 415)
            #expect(await sandbox.application.api.refusal(of: head([(.contentEncoding, "gzip")]))?.status == 418)
            // Somebody's bearer may choose the tenant: its rules count, not these.
            #expect(await sandbox.application.api.refusal(of: head([(.authorization, "Bearer x")])) == nil)
            #expect(await sandbox.application.api.refusal(of: head([(.sandboxTenant, "other")])) == nil)
            _ = try await sandbox.control("DELETE", "/v1/faults")
            let counted = Self.rule([:], ["respond": ["status": 418]], ["times": 1])
            _ = try await sandbox.control("POST", "/v1/faults", counted)
            #expect(await sandbox.application.api.refusal(of: head()) == nil)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 418)
            let devices = try await sandbox.api("GET", "/wallet/apple/devices")
            #expect(devices["items"].array?.isEmpty == true)
        }
    }

    @Test func `attempts of a look-up that a rule asks about are counted once`() async throws {
        try await withSandbox { sandbox in
            let rule = Self.rule(["tokenId": "none", "attempt": 3], ["respond": ["status": 418]])
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            for _ in 0..<3 {
                _ = try await sandbox.api("GET", "/wallet/apple/devices", headers: [("x-request-id", "same")])
            }
            let items = try await sandbox.control("GET", "/v1/journal/same")["items"].array ?? []
            #expect(items.compactMap { $0["attempt"]?.integer } == [3, 2, 1])
        }
    }

    // MARK: X-Sandbox-Fault

    @Test(arguments: [
        ("status=418", 418), ("networkError=userCancelled", 422), ("networkError=unsupported", 403),
        ("networkError=ADAM_ID_NOT_LISTED", 500), ("shelf", 502), ("delay=0", 200), ("decision=red", 200),
        ("explode", 400), ("networkError=NO_SUCH", 400), ("delay=x", 400), ("of-tpc", 400), ("of-callbacks", 400),
    ])
    func `the header is for one request`(_ value: String, _ status: Int) async throws {
        try await withSandbox { sandbox in
            let shelf = Self.rule(["path": "/wallet/apple/devices/none"], ["respond": ["status": 502]], id: "shelf")
            _ = try await sandbox.control("POST", "/v1/faults", shelf)
            for rule in [
                Self.rule(["face": "tpc"], ["networkError": "WRONG_AUTHENTICATION"], id: "of-tpc"),
                Self.rule([:], ["callback": "drop"], id: "of-callbacks"),
            ] {
                #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            }
            let headers = [("X-Sandbox-Fault", value)]
            let reply = try await sandbox.api("GET", "/wallet/apple/devices", headers: headers)
            #expect(reply.status == status)
            if status == 400 { #expect(reply.diagnosis == ["FAULT_HEADER_INVALID"]) }
            let isApplied = status != 400 && value != "decision=red"
            #expect(reply.header("x-sandbox-fault-applied") == (isApplied ? value : nil))
            #expect(try await sandbox.api("GET", "/wallet/apple/devices").status == 200)
            #expect(try await sandbox.control("GET", "/v1/faults/shelf")["fired"] == 0)
        }
    }

    @Test func `two headers are not an order`() async throws {
        try await withSandbox { sandbox in
            let headers = [("X-Sandbox-Fault", "delay=1"), ("X-Sandbox-Fault", "status=503")]
            let reply = try await sandbox.api("GET", "/wallet/apple/devices", headers: headers)
            #expect(reply.status == 400)
        }
    }

    // MARK: What a request is about

    struct About: CustomTestStringConvertible, Sendable {
        let match: JSON
        let isHit: Bool
        var testDescription: String { match.text }
    }

    static let abouts: [About] = [
        About(match: ["cardLast4": "1111"], isHit: true), About(match: ["cardLast4": "2222"], isHit: false),
        About(match: ["issuerId": "DEMOBANK01"], isHit: true), About(match: ["issuerId": "DEMOBANK02"], isHit: false),
        About(match: ["issuerId": "DEMOBANK01", "cardLast4": "1111"], isHit: true),
        About(match: ["issuerId": "DEMOBANK02", "cardLast4": "1111"], isHit: false),
    ]

    /// The card is encrypted: which it is, only the handler finds out, and nothing may have happened by then.
    @Test(arguments: abouts)
    func `a rule can ask for what the payload holds`(_ item: About) async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let session = try await sandbox.session(device, .visa, .visa)
            let match = item.match.adding("operation", "tpc.generateAddPaymentPassRequest")
            _ = try await sandbox.control("POST", "/v1/faults", Self.rule(match, ["respond": ["status": 503]]))
            let request = try sandbox.passRequest(session, .visa, .visa)
            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            let reply = try await sandbox.api("POST", path, request)
            #expect(reply.status == (item.isHit ? 503 : 200))
            let cards = try await sandbox.control("GET", "/v1/cards/test-visa")
            #expect(cards.status == (item.isHit ? 404 : 200))
            // The code was not spent by what did not happen.
            _ = try await sandbox.control("DELETE", "/v1/faults")
            if item.isHit { #expect(try await sandbox.api("POST", path, request).status == 200) }
        }
    }

    @Test func `a rule can ask for a token, whichever way a request names it`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let made = try await sandbox.provision(device, .visa, .visa)
            let tokenID = try #require(made["tokenId"].string)
            let serial = try #require(made["pass"]["serialNumber"]?.string)
            let rule = Self.rule(["tokenId": .string(tokenID)], ["respond": ["status": 503]])
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            #expect(try await sandbox.updateTokenState(tokenID, .visa, "Suspend").status == 503)
            let path = "/wallet/apple/devices/\(device)/passes/\(serial)/suspend"
            #expect(try await sandbox.api("POST", path).status == 503)
            #expect(try await sandbox.token(tokenID)["state"] == "active")
            #expect(try await sandbox.passes(device).status == 200)
        }
    }

    @Test func `a look-up that finds out its token is met by the token's rule, and nothing of its own answer stays`()
        async throws
    {
        try await withSandbox { sandbox in
            // Without a launch URL, which refuses every one of the look-ups.
            let metadata: JSON = ["associatedApplicationIdentifiers": ["A1B2C3D4E5.com.demobank.app"]]
            _ = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", metadata)
            let device = try await sandbox.device()
            let made = try await sandbox.provision(device, .visa, .visa)
            let serial = try #require(made["pass"]["serialNumber"]?.string)
            let path = "/wallet/apple/devices/\(device)/passes/\(serial)/verification-url"
            let other = Self.rule(["tokenId": "none"], ["respond": ["status": 418]])
            let rule = Self.rule(
                ["tokenId": .string(made["tokenId"].string ?? "")],
                ["respond": ["status": 503]],
                ["times": 1],
                id: "r"
            )
            for rule in [other, rule] { _ = try await sandbox.control("POST", "/v1/faults", rule) }
            var seen: [[String]] = []
            for status in [503, 409, 409] {
                let reply = try await sandbox.api("GET", path)
                #expect(reply.status == status)
                let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
                seen.append(entry?["checks"]?.array?.compactMap { $0["code"]?.string } ?? [])
            }
            #expect(seen == [["FAULT_INJECTED"], ["NO_APP_LAUNCH_URL"], ["NO_APP_LAUNCH_URL"]])
        }
    }

    @Test func `a decision is ordered, and counted only when one was asked for`() async throws {
        try await withSandbox { sandbox in
            let rule = Self.rule(["face": "wallet"], ["decision": "green", "reason": "test"], ["times": 1], id: "r")
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let device = try await sandbox.device()
            // Refused before anybody decides: the device does not exist.
            _ = try await sandbox.manualEntry("none", .visa, .visa)
            #expect(try await sandbox.control("GET", "/v1/faults/r")["fired"] == 0)
            let card: JSON = [
                "issuerId": "DEMOBANK01", "issuerCardRefId": "c", "pan": .string(TestCard.visa.pan),
                "exp": .string(TestCard.visa.exp), "cardHolderName": "ANA",
            ]
            _ = try await sandbox.control("POST", "/v1/cards", card)
            let made = try await sandbox.manualEntry(device, .visa, .visa)
            #expect(made["decision"] == "green" && made.header("x-sandbox-fault-applied") == "r")
            #expect(try await sandbox.control("GET", "/v1/faults/r")["fired"] == 1)
        }
    }
}
