import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// Two tenants with one seed draw the same for the same rules, whatever else was done in them.
struct FaultDrawTests {
    /// What is done before or between two rules that have no id of their own.
    enum Step: Sendable {
        case card
        case device
        case named(String)
        case refused
        case taken
        case removeFirst
        case removeAll
        case snapshot
        case transfer
        case reset
        case reseed
    }

    struct History: CustomTestStringConvertible, Sendable {
        var before: [Step] = []
        var between: [Step] = []
        var testDescription: String { "before: \(before), between: \(between)" }
    }

    static let histories = [
        History(before: [.card]), History(before: [.device, .card]), History(before: [.named("a")]),
        History(before: [.refused]), History(before: [.reset]), History(before: [.card, .reseed]),
        History(between: [.card]), History(between: [.device]), History(between: [.named("a")]),
        History(between: [.refused]), History(between: [.named("a"), .taken]), History(between: [.removeFirst]),
        History(between: [.removeAll]), History(between: [.snapshot]), History(between: [.transfer]),
        History(between: [.removeFirst, .card, .transfer, .snapshot]),
    ]

    private static let devices = "/wallet/apple/devices"
    private static let count = 24

    private static func put(_ sandbox: TestSandbox, _ name: String, _ rule: JSON) async throws -> TestReply {
        try await sandbox.control("POST", "/v1/faults", body: rule.text, headers: [("X-Sandbox-Tenant", name)])
    }

    private static let first: JSON = ["match": ["face": "tpc"], "effect": ["connection": "reset"]]
    private static let drawn: JSON = [
        "match": ["face": "wallet", "method": "GET"], "effect": ["respond": ["status": 418]],
        "trigger": ["probability": .number("0.5")],
    ]

    private static func control(
        _ sandbox: TestSandbox,
        _ name: String,
        _ method: String,
        _ path: String,
        _ body: String = ""
    ) async throws -> TestReply {
        let reply = try await sandbox.control(method, path, body: body, headers: [("X-Sandbox-Tenant", name)])
        #expect(reply.status < 300, "\(method) \(path): \(reply.summary)")
        return reply
    }

    private static func does(_ step: Step, _ name: String, _ sandbox: TestSandbox) async throws {
        switch step {
        case .card:
            let card: JSON = [
                "issuerId": "DEMOBANK01", "issuerCardRefId": "other", "pan": .string(TestCard.visa.pan),
                "exp": .string(TestCard.visa.exp), "cardHolderName": "ANA",
            ]
            _ = try await control(sandbox, name, "POST", "/v1/cards", card.text)
        case .device:
            let made = try await sandbox.api("POST", "/t/\(name)\(devices)", ["kind": "phone"])
            #expect(made.status == 201)
        case .named(let id): #expect(try await put(sandbox, name, first.adding("id", .string(id))).status == 201)
        case .refused: #expect(try await put(sandbox, name, ["effect": ["explode": 1]]).status == 400)
        case .taken: #expect(try await put(sandbox, name, first.adding("id", "a")).status == 409)
        case .removeFirst:
            let rules = try await control(sandbox, name, "GET", "/v1/faults")
            let id = rules["items"].array?.first?["id"]?.string ?? ""
            _ = try await control(sandbox, name, "DELETE", "/v1/faults/\(id)")
        case .removeAll: _ = try await control(sandbox, name, "DELETE", "/v1/faults")
        case .snapshot:
            let kept = try await control(sandbox, name, "POST", "/v1/snapshots")["id"].string ?? ""
            _ = try await control(sandbox, name, "POST", "/v1/snapshots/\(kept)/restore")
        case .transfer:
            let world = try await control(sandbox, name, "GET", "/v1/export")
            _ = try await control(sandbox, name, "POST", "/v1/import", world.text)
        case .reset:
            _ = try await put(sandbox, name, first)
            _ = try await control(sandbox, name, "POST", "/v1/tenants/\(name)/reset")
        case .reseed:
            _ = try await put(sandbox, name, first)
            _ = try await control(sandbox, name, "DELETE", "/v1/faults")
            _ = try await control(sandbox, name, "PATCH", "/v1/tenants/\(name)", #"{"seed":1}"#)
        }
    }

    /// Which of the next calls fail.
    private static func pattern(_ name: String, _ sandbox: TestSandbox, count: Int = count) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(try await sandbox.api("GET", "/t/\(name)\(devices)").status) }
        return statuses
    }

    private static func pattern(after history: History, _ name: String, _ sandbox: TestSandbox) async throws -> [Int] {
        for step in history.before { try await does(step, name, sandbox) }
        #expect(try await put(sandbox, name, first).status == 201)
        for step in history.between { try await does(step, name, sandbox) }
        #expect(try await put(sandbox, name, drawn).status == 201)
        return try await pattern(name, sandbox)
    }

    @Test(arguments: histories)
    func `the same rules draw the same`(_ history: History) async throws {
        try await withSandbox { sandbox in
            let plain = try await Self.pattern(after: History(), "plain", sandbox)
            #expect(Set(plain) == [200, 418])
            #expect(try await Self.pattern(after: history, "other", sandbox) == plain)
        }
    }

    /// An id that looks like one of the sandbox's own moves the ones to come, whether its rule is still there or not.
    @Test(arguments: [[], [Step.removeAll], [.card, .removeFirst]])
    func `a given id that looks like a number counts as that`(_ steps: [Step]) async throws {
        try await withSandbox { sandbox in
            let named = Step.named("fault-2")
            let kept = try await Self.pattern(after: History(before: [named]), "kept", sandbox)
            #expect(try await Self.pattern(after: History(before: [named] + steps), "other", sandbox) == kept)
            let ids = try await Self.control(sandbox, "other", "GET", "/v1/faults")["items"].array ?? []
            #expect(ids.suffix(2).compactMap { $0["id"]?.string } == ["fault-3", "fault-4"])
        }
    }

    @Test func `rules of one tenant draw apart from each other`() async throws {
        try await withSandbox { sandbox in
            let plain = try await Self.pattern(after: History(), "plain", sandbox)
            _ = try await Self.control(sandbox, "plain", "DELETE", "/v1/faults")
            #expect(try await Self.put(sandbox, "plain", Self.drawn).status == 201)
            #expect(try await Self.pattern("plain", sandbox) != plain)
        }
    }

    @Test func `a restart changes no draw`() async throws {
        try await withFolder { folder in
            let file = folder + "/store.sqlite"
            let (plain, before) = try await withSandbox(configure: { $0.store = .file(file) }) { sandbox in
                let plain = try await Self.pattern(after: History(), "plain", sandbox)
                #expect(try await Self.put(sandbox, "kept", Self.first).status == 201)
                return (plain, try await Self.control(sandbox, "kept", "GET", "/v1/export").text)
            }
            #expect(before.contains("faultNumber"))
            try await withSandbox(configure: { $0.store = .file(file) }) { (sandbox: TestSandbox) async throws in
                try await Self.does(.card, "kept", sandbox)
                #expect(try await Self.put(sandbox, "kept", Self.drawn).status == 201)
                #expect(try await Self.pattern("kept", sandbox) == plain)
            }
        }
    }
}
