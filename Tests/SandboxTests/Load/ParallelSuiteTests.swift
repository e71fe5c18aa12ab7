import Core
import SandboxTesting
import Testing
import Wire

/// Many suites at once on one sandbox, each with a tenant of its own that it resets itself.
struct ParallelSuiteTests {
    private static let count = 200

    @Test(.timeLimit(.minutes(15)))
    func `200 suites at once see nothing of each other, and draw the same with one seed`() async throws {
        try await withSandbox(seed: 5) { sandbox in
            let seen = try await withThrowingTaskGroup(of: ParallelSuite.Seen.self) { group in
                for number in 0..<Self.count {
                    group.addTask { try await ParallelSuite(sandbox, number).run() }
                }
                return try await group.reduce(into: [ParallelSuite.Seen]()) { $0.append($1) }
            }
            #expect(seen.count == Self.count)
            let (seeded, other) = (seen.filter { !$0.hasOwnSeed }, seen.filter(\.hasOwnSeed))
            #expect(seeded.count == Self.count / 2)
            // One seed: the same ids in a hundred worlds. A hundred seeds: no id twice.
            #expect(Set(seeded.map(\.ids)).count == 1)
            for index in seeded[0].ids.indices {
                #expect(Set(other.map { $0.ids[index] }).count == other.count, "\(index)")
            }
            // The default world was nobody's.
            #expect(try await sandbox.control("GET", "/v1/journal")["items"] == [])
            #expect(try await sandbox.api("GET", "/wallet/apple/devices")["items"] == [])
        }
    }
}

/// One suite: what it does, and that all it finds is its own. Two requests at once at most, so that 200 suites stay below
/// what one server takes at a time.
struct ParallelSuite: Sendable {
    /// What the suite's world drew.
    struct Seen: Sendable {
        let hasOwnSeed: Bool
        /// Device, token and serial number.
        let ids: [String]
    }

    private let sandbox: TestSandbox
    private let number: Int
    private let tenant: String

    init(_ sandbox: TestSandbox, _ number: Int) {
        self.sandbox = sandbox
        self.number = number
        tenant = "suite-\(number)"
    }

    private func send(_ port: TestPort, _ method: String, _ path: String, _ body: JSON? = nil) async throws -> TestReply
    {
        let reply = try await sandbox.send(port, method, path, body?.bytes, [("x-sandbox-tenant", tenant)])
        #expect(reply.header("x-sandbox-tenant") == tenant)
        return reply
    }

    private func items(_ port: TestPort, _ path: String) async throws -> [JSON] {
        try await send(port, "GET", path)["items"].array ?? []
    }

    func run() async throws -> Seen {
        let hasOwnSeed = number % 2 == 1
        if hasOwnSeed {
            let reply = try await send(.control, "PATCH", "/v1/tenants/\(tenant)", ["seed": .number(1_000 + number)])
            #expect(reply.status == 200)
        }
        try await reset()
        try await setClock()
        let (device, token, serial) = try await provision()
        try await suspend(token, device: device, serial: serial)
        try await fault()
        try await journal(token)
        try await checkClock()
        try await reset()
        #expect(try await items(.api, "/wallet/apple/devices") == [])
        #expect(try await items(.control, "/v1/tokens") == [])
        #expect(try await items(.control, "/v1/faults") == [])
        #expect(try await items(.control, "/v1/callbacks") == [])
        let endpoints = try await items(.control, "/v1/journal").compactMap { $0["operation"]?.string }
        #expect(endpoints == ["wallet.listDevices"])
        return Seen(hasOwnSeed: hasOwnSeed, ids: [device, token, serial])
    }

    private func reset() async throws {
        #expect(try await send(.control, "POST", "/v1/tenants/\(tenant)/reset").status == 200)
    }

    /// A time that is this suite's only.
    private var now: String { RFC3339.format(Instant(seconds: 1_900_000_000 + Int64(number) * 3_600)) }

    private func setClock() async throws {
        let reply = try await send(.control, "PUT", "/v1/clock", ["mode": "frozen", "now": .string(now)])
        #expect(reply.text("now") == now)
    }

    private func checkClock() async throws {
        #expect(try await send(.control, "GET", "/v1/clock").text("now") == now)
    }

    /// A device, a card and a token, each found alone.
    private func provision() async throws -> (device: String, token: String, serial: String) {
        let name = "phone of \(tenant)"
        let phone: JSON = ["kind": "phone", "name": .string(name)]
        let device = try await send(.api, "POST", "/wallet/apple/devices", phone).text("deviceId")
        #expect(try await items(.api, "/wallet/apple/devices").map { $0["name"] } == [.string(name)])
        let card: JSON = [
            "issuerId": "DEMOBANK01", "issuerCardRefId": .string("card-of-\(tenant)"), "pan": "4111111111111111",
            "exp": "1232", "cardHolderName": "ANA PRUEBA", "consumerId": "consumer-ana",
        ]
        #expect(try await send(.control, "POST", "/v1/cards", card).status == 201)
        let wanted: JSON = [
            "issuerCardRefId": .string("card-of-\(tenant)"), "network": "visa", "deviceId": .string(device),
            "application": .string(TestSandbox.application), "state": "active",
        ]
        let made = try await send(.control, "POST", "/v1/tokens", wanted)
        #expect(made.status == 201, "\(made.text)")
        return (device, made.text("tokenId"), made.text("serialNumber"))
    }

    private func suspend(_ token: String, device: String, serial: String) async throws {
        let event: JSON = ["event": "suspend", "by": "issuer"]
        #expect(try await send(.control, "POST", "/v1/tokens/\(token)/events", event).text("state") == "suspended")
        let passes = try await send(
            .api,
            "GET",
            "/wallet/apple/devices/\(device)/passes?application=\(TestSandbox.application)"
        )
        #expect(passes["localPasses"].array?.map { $0["serialNumber"] } == [.string(serial)])
        let tokens = try await items(.control, "/v1/tokens")
        #expect(tokens.map { $0["issuerCardRefId"] } == [.string("card-of-\(tenant)")])
        let callbacks = try await items(.control, "/v1/callbacks")
        #expect(callbacks.allSatisfy { $0["tokenId"] == .string(token) })
        #expect(callbacks.count == 2, "\(callbacks.map { $0["operation"]?.text ?? "" })")
    }

    /// A rule that answers with this suite's name, once.
    private func fault() async throws {
        let rule: JSON = [
            "id": .string("rule-of-\(tenant)"), "match": ["operation": "wallet.listDevices"],
            "effect": ["respond": ["status": 418, "body": .string(tenant)]], "trigger": ["times": 1],
        ]
        #expect(try await send(.control, "POST", "/v1/faults", rule).status == 201)
        #expect(try await items(.control, "/v1/faults").map { $0["id"] } == [.string("rule-of-\(tenant)")])
        let answer = try await send(.api, "GET", "/wallet/apple/devices")
        #expect((answer.status, answer.text) == (418, tenant))
        #expect(try await send(.api, "GET", "/wallet/apple/devices").status == 200)
    }

    /// The journal holds this suite's four calls and no other, and a long poll returns with the one it waits for.
    private func journal(_ token: String) async throws {
        let mine = ["wallet.createDevice", "wallet.listDevices", "wallet.listPasses"]
        let wait = "/v1/journal/wait?operation=wallet.getDevice&count=1&timeout=60"
        let event = "/wallet/apple/devices/none"
        let waited: TestReply
        if number % 4 == 0 {
            async let poll = send(.control, "GET", wait + "&since=0")
            _ = try await send(.api, "GET", event)
            waited = try await poll
        } else {
            _ = try await send(.api, "GET", event)
            waited = try await send(.control, "GET", wait + "&since=0")
        }
        #expect(waited["complete"] == true && waited["items"].array?.count == 1)
        let entries = try await items(.control, "/v1/journal")
        #expect(entries.allSatisfy { $0["tenant"] == .string(tenant) && $0["at"] == .string(now) })
        #expect(entries.count == 6)
        #expect(Set(entries.compactMap { $0["operation"]?.string }) == Set(mine + ["wallet.getDevice"]))
        #expect(entries.compactMap { $0["fault"]?.string } == ["rule-of-\(tenant)"])
    }
}
