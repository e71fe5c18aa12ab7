import Core
import SandboxTesting
import Testing
import Wire

/// Rows of `field-cases.md` about bending the sandbox: faults, delays, isolation.
struct TestControlFieldCases {
    private static let generate = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"

    /// Row 2: the broker answers with a page, and only the server knows why.
    @Test func `row 2, an unlisted Adam id is an HTML page with the cause in the journal`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = [
                "id": "unlisted-adam-id", "match": ["operation": "wallet.createPass"],
                "effect": ["networkError": "ADAM_ID_NOT_LISTED"],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let reply = try await sandbox.provision(try await sandbox.device(), .visa, .visa)
            #expect(reply.status == 500)
            #expect(reply.header("content-type")?.hasPrefix("text/html") == true)
            #expect(reply.json.isNull && reply.text.contains("<html>"))
            let id = try #require(reply.header("x-request-id"))
            let entry = try await sandbox.control("GET", "/v1/journal/\(id)")["items"].array?.first
            #expect(entry?["fault"] == "unlisted-adam-id")
            #expect(entry?["checks"]?.array?.last?["evidence"] == "unlisted-adam-id: networkError ADAM_ID_NOT_LISTED")
        }
    }

    /// Row 3: a refusal of the issuer or the network must not be lost behind the phone's error.
    @Test func `row 3, the reason of a refusal is kept under the correlation id`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = [
                "match": ["cardLast4": "1111"],
                "effect": ["decision": "red", "reason": "05 do not honor, host 7"],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let reply = try await sandbox.provision(try await sandbox.device(), .visa, .visa)
            #expect(reply.status == 422)
            #expect(reply["error"]["name"] == "systemCancelled" && reply["reason"] == "DECISION_FORCED_RED")
            #expect(!reply.text.contains("honor"))
            let id = try #require(reply.header("x-request-id"))
            let entry = try await sandbox.control("GET", "/v1/journal/\(id)")["items"].array?.first
            let decision = entry?["checks"]?.array?.first { $0["name"] == "decision" }
            #expect(decision?["evidence"]?.string?.contains("05 do not honor, host 7") == true)
        }
    }

    /// Row 15: PassKit gives up after 20 seconds; the server answers all the same.
    @Test(arguments: [19_000, 21_000] as [Int64])
    func `row 15, an answer around the limit of 20 seconds is right`(_ milliseconds: Int64) async throws {
        let sleeps = TestSleeps()
        try await withSandbox(configure: { _ in }, sleep: sleeps.sleep) { sandbox in
            let rule: JSON = [
                "match": ["operation": "tpc.generateAddPaymentPassRequest"],
                "effect": ["delay": ["fixedMs": .number(milliseconds)]],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let reply = try await sandbox.provision(try await sandbox.device(), .visa, .visa)
            #expect(reply.status == 201 && reply["decision"] == "green")
            #expect(sleeps.noted == [milliseconds])
        }
    }

    /// Row 61: the client library retries by itself, so that a fault for one request is used up unseen.
    @Test func `row 61, a fault can be about an attempt, and the journal counts attempts`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = [
                "match": ["operation": "wallet.listDevices", "attempt": 1], "effect": ["connection": "reset"],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            for id in ["first", "second"] {
                let headers = [("x-request-id", id)]
                await #expect(throws: TestDeliveryFault.reset) {
                    try await sandbox.api("GET", "/wallet/apple/devices", headers: headers)
                }
                #expect(try await sandbox.api("GET", "/wallet/apple/devices", headers: headers).status == 200)
                let items = try await sandbox.control("GET", "/v1/journal/\(id)")["items"].array ?? []
                #expect(items.compactMap { $0["attempt"]?.integer } == [2, 1])
                #expect(items.map { $0["fault"] != nil } == [false, true])
            }
        }
    }

    /// A client that retries keeps its id, so the second of these rules is for one request only.
    @Test func `row 61, failing once can be for one request id`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = [
                "match": ["operation": "wallet.listDevices", "headers": ["x-request-id": "second"]],
                "trigger": ["times": 1], "effect": ["connection": "reset"],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            func send(_ id: String) async throws -> Int {
                try await sandbox.api("GET", "/wallet/apple/devices", headers: [("x-request-id", id)]).status
            }
            #expect(try await send("first") == 200)
            await #expect(throws: TestDeliveryFault.reset) { try await send("second") }
            #expect(try await send("second") == 200)
            let items = try await sandbox.control("GET", "/v1/journal?operation=wallet.listDevices")["items"].array
            let seen = items?.map { "\($0["requestId"]?.string ?? "") \($0["attempt"]?.text ?? "")" }
            #expect(seen == ["second 2", "second 1", "first 1"])
        }
    }

    /// Row 62: a delay is one request's, and a reset ends it.
    @Test func `row 62, one delayed request holds up no other, and a reset ends the delay`() async throws {
        let sleeps = TestSleeps(areEndless: true)
        try await withSandbox(configure: { _ in }, sleep: sleeps.sleep) { sandbox in
            let rule: JSON = [
                "match": ["headers": ["x-slow": "yes"]], "effect": ["delay": ["fixedMs": 20_000]],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let slow = Task {
                try await sandbox.api("GET", "/wallet/apple/devices", headers: [("x-slow", "yes")]).status
            }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<9 {
                    group.addTask { try await sandbox.api("GET", "/wallet/apple/devices").status }
                }
                for try await status in group { #expect(status == 200) }
            }
            while sleeps.noted.isEmpty { await Task.yield() }
            #expect(try await sandbox.control("POST", "/v1/tenants/default/reset").status == 200)
            #expect(try await slow.value == 200)
            #expect(try await sandbox.control("GET", "/v1/faults")["items"].array?.isEmpty == true)
        }
    }

    /// Row 64: two suites in one server.
    @Test func `row 64, the same story in two tenants at once, and the reset of one`() async throws {
        try await withSandbox { sandbox in
            func story(_ tenant: String) async throws -> (device: String, tokenID: String?) {
                let headers = [("X-Sandbox-Tenant", tenant)]
                let made = try await sandbox.api(
                    "POST",
                    "/wallet/apple/devices",
                    body: #"{"kind":"phone"}"#,
                    headers: headers
                )
                let device = made["deviceId"].string ?? ""
                let body = #"{"issuerCardRefId":"card-visa","network":"visa","deviceId":"\#(device)","state":"active"}"#
                let token = try await sandbox.control("POST", "/v1/tokens", body: body, headers: headers)
                return (device, token["tokenId"].string)
            }
            async let first = story("suite-a")
            async let second = story("suite-b")
            let (one, other) = try await (first, second)
            // One seed, so the same ids; two worlds all the same.
            #expect(one.tokenID != nil && one.tokenID == other.tokenID && one.device == other.device)
            #expect(try await sandbox.control("POST", "/v1/tenants/suite-a/reset").status == 200)
            let path = "/v1/tokens/\(one.tokenID ?? "")"
            let gone = try await sandbox.control("GET", path, headers: [("X-Sandbox-Tenant", "suite-a")])
            let kept = try await sandbox.control("GET", path, headers: [("X-Sandbox-Tenant", "suite-b")])
            #expect(gone.status == 404 && kept.status == 200)
        }
    }

    /// Row 72: what is configured reaches the wire. (Raw bytes and curl's exit codes: TransportTests.)
    @Test(arguments: [
        ("reset", TestDeliveryFault.reset), ("empty", .empty), ("close", .cutShort(bodyBytes: 0)),
        ("garbage", .garbage),
    ])
    func `row 72, a broken connection is seen as what it is`(_ kind: String, _ fault: TestDeliveryFault) async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.device()
            let rule: JSON = ["match": ["face": "wallet"], "effect": ["connection": .string(kind)]]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            await #expect(throws: fault) { try await sandbox.api("GET", "/wallet/apple/devices") }
        }
    }
}
