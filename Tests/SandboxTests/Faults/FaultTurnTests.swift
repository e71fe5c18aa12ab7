import Core
import SandboxTesting
import Testing
import Wire

/// A rule that finds nothing to change gives everything back, and the next one has its turn.
struct FaultTurnTests {
    /// What is called; each asks for something that some effect cannot change.
    enum Call: String, Sendable {
        /// Its answer holds no signature.
        case passes = "wallet.listPasses"
        /// The same, and it makes something.
        case device = "wallet.createDevice"
        /// Its answer holds a signature.
        case session = "wallet.createProvisioningSession"
        /// Refused before anything is decided or stored.
        case refusedEntry = "wallet.manualEntry"
        /// Decided, then stored.
        case entry = "wallet.manualEntry "

        var operation: String { rawValue.last == " " ? String(rawValue.dropLast()) : rawValue }
        /// What it answers by itself.
        var status: Int {
            switch self {
            case .passes: 200
            case .device, .session, .entry: 201
            case .refusedEntry: 400
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let call: Call
        /// The rule that finds nothing to change.
        let first: String
        /// The one behind it, and what the client sees then: nil for no whole answer.
        let next: String
        let status: Int?
        /// Whether what the call makes is there afterwards.
        let isStored: Bool

        init(_ call: Call, _ first: String, _ next: String, _ status: Int?, isStored: Bool = false) {
            (self.call, self.first, self.next, self.status) = (call, first, next, status)
            self.isStored = isStored
        }

        var testDescription: String { "\(call): \(first), then \(next)" }
    }

    private static let signature = #"{"corrupt":"signature"}"#
    private static let lost = #"{"commitThen":{"connection":"reset"}}"#
    private static let red = #"{"decision":"red"}"#
    private static let teapot = #"{"respond":{"status":418}}"#

    static let cases: [Case] = [
        Case(.passes, signature, teapot, 418), Case(.passes, signature, #"{"networkError":"UNAVAILABLE"}"#, 503),
        Case(.passes, signature, #"{"connection":"reset"}"#, nil),
        Case(.passes, signature, #"{"connection":"close"}"#, nil),
        Case(.passes, signature, #"{"delay":{"fixedMs":5}}"#, 200),
        Case(.passes, signature, #"{"corrupt":"json"}"#, 200),
        Case(.passes, signature, #"{"dribble":{"bytes":64,"everyMs":1}}"#, 200),
        Case(.passes, signature, #"{"commitThen":{"respond":{"status":418}}}"#, 418),
        Case(.device, signature, teapot, 418), Case(.device, signature, #"{"connection":"reset"}"#, nil),
        Case(.device, signature, #"{"connection":"truncate"}"#, nil),
        Case(.device, signature, #"{"delay":{"fixedMs":5}}"#, 201, isStored: true),
        Case(.device, signature, #"{"corrupt":"contentType"}"#, 201, isStored: true),
        Case(.device, signature, lost, nil, isStored: true), Case(.refusedEntry, lost, teapot, 418),
        Case(.refusedEntry, lost, #"{"delay":{"fixedMs":5}}"#, 400), Case(.refusedEntry, red, teapot, 418),
        Case(.refusedEntry, red, #"{"networkError":"UNAVAILABLE"}"#, 503),
        Case(.refusedEntry, red, #"{"corrupt":"json"}"#, 400), Case(.entry, signature, teapot, 418),
        Case(.entry, signature, #"{"decision":"green"}"#, 201, isStored: true),
    ]

    private struct Scene {
        let sandbox: TestSandbox
        let device: String

        init(_ sandbox: TestSandbox) async throws {
            self.sandbox = sandbox
            let card = TestCard.visa
            let registered: JSON = [
                "issuerId": "DEMOBANK01", "issuerCardRefId": .string(card.reference), "pan": .string(card.pan),
                "exp": .string(card.exp), "cardHolderName": .string(card.name),
            ]
            #expect(try await sandbox.control("POST", "/v1/cards", registered).status == 201)
            device = try await sandbox.device()
        }

        func put(_ id: String, _ call: Call?, _ effect: String, _ trigger: JSON = [:]) async throws {
            let match: JSON = call.map { ["operation": .string($0.operation)] } ?? ["face": "wallet"]
            let rule: JSON = [
                "id": .string(id), "match": match, "effect": try JSON.parse(Array(effect.utf8)), "trigger": trigger,
            ]
            let made = try await sandbox.control("POST", "/v1/faults", rule)
            #expect(made.status == 201, "\(made.summary)")
        }

        func perform(_ call: Call) async throws -> TestReply {
            switch call {
            case .passes: return try await sandbox.passes(device)
            case .device: return try await sandbox.api("POST", "/wallet/apple/devices", ["kind": "phone"])
            case .session: return try await sandbox.session(device, .visa, .visa)
            // On a device of its own: where the card is already, no decision is asked for.
            case .entry: return try await sandbox.manualEntry(sandbox.device(), .visa, .visa)
            case .refusedEntry:
                let path = "/wallet/apple/devices/\(device)/manual-entries"
                return try await sandbox.api("POST", path, ["pan": "1"])
            }
        }

        /// The status of the answer; nil when the connection broke.
        func status(_ call: Call) async throws -> Int? {
            do {
                return try await perform(call).status
            } catch is TestDeliveryFault {
                return nil
            }
        }

        func counts(_ id: String) async throws -> [Int64?] {
            let rule = try await sandbox.control("GET", "/v1/faults/\(id)")
            return [rule["seen"].integer, rule["fired"].integer]
        }

        /// How many things there are that the call makes.
        func things(_ call: Call) async throws -> Int {
            let kind: JSON = call == .device ? "device" : "token"
            let export = try await sandbox.control("GET", "/v1/export")
            return (export["records"].array ?? []).count { $0["kind"] == kind }
        }

        /// The codes of rules in the newest entry, with the rule that each is about.
        func told(_ call: Call) async throws -> [String] {
            let path = "/v1/journal?operation=\(call.operation)&limit=1"
            let entry = try await sandbox.control("GET", path)["items"].array?.first
            return (entry?["checks"]?.array ?? []).compactMap { check in
                guard let code = check["code"]?.string, code.hasPrefix("FAULT_") else { return nil }
                return "\(code) \(check["evidence"]?.string?.prefix { $0 != ":" } ?? "")"
            }
        }
    }

    @Test(arguments: cases)
    func `the next rule has its turn`(_ item: Case) async throws {
        try await withSandbox(configure: { _ in }, sleep: TestSleeps().sleep) { sandbox in
            let scene = try await Scene(sandbox)
            try await scene.put("a", item.call, item.first)
            try await scene.put("b", item.call, item.next)
            try await scene.put("c", item.call, Self.teapot)
            let before = try await scene.things(item.call)
            #expect(try await scene.status(item.call) == item.status)
            #expect(try await scene.things(item.call) == before + (item.isStored ? 1 : 0))
            // The answer of a refused request can be corrupted all the same.
            #expect(try await scene.told(item.call) == ["FAULT_NOT_APPLIED a", "FAULT_INJECTED b"])
            #expect(try await scene.counts("a") == [0, 0])
            #expect(try await scene.counts("b") == [1, 1])
            #expect(try await scene.counts("c") == [0, 0])
        }
    }

    @Test(arguments: [
        (Call.passes, [signature, #"{"corrupt":"ciphertext"}"#]), (.device, [signature, #"{"corrupt":"ciphertext"}"#]),
        (.refusedEntry, [lost, red, signature]), (.passes, [signature]), (.device, [signature]), (.refusedEntry, [red]),
        (.refusedEntry, [lost]),
    ])
    func `when none applies the operation is run once`(_ call: Call, _ effects: [String]) async throws {
        try await withSandbox { sandbox in
            let scene = try await Scene(sandbox)
            for (number, effect) in effects.enumerated() { try await scene.put("r\(number)", call, effect) }
            let before = try await scene.things(call)
            #expect(try await scene.status(call) == call.status)
            #expect(try await scene.things(call) == before + (call == .device ? 1 : 0))
            #expect(try await scene.told(call) == effects.indices.map { "FAULT_NOT_APPLIED r\($0)" })
            for number in effects.indices { #expect(try await scene.counts("r\(number)") == [0, 0]) }
        }
    }

    @Test func `a rule that applies goes before the ones behind it`() async throws {
        try await withSandbox { sandbox in
            let scene = try await Scene(sandbox)
            try await scene.put("a", .entry, Self.red, ["times": 1])
            try await scene.put("b", .entry, Self.lost, ["times": 1])
            try await scene.put("c", .entry, Self.teapot)
            let before = try await scene.things(.entry)
            let declined = try await scene.perform(.entry)
            #expect(declined.header("x-sandbox-fault-applied") == "a" && declined.status >= 400)
            #expect(try await scene.things(.entry) == before)
            #expect(try await scene.status(.entry) == nil)
            #expect(try await scene.things(.entry) == before + 1)
            #expect(try await scene.status(.entry) == 418)
            for id in ["a", "b", "c"] { #expect(try await scene.counts(id) == [1, 1]) }
        }
    }

    struct Skipping: CustomTestStringConvertible, Sendable {
        let effect: String
        /// Without and with something that the effect can change.
        let calls: (without: Call, with: Call)
        /// Whether another rule waits behind it, which never fires.
        let isFollowed: Bool
        var testDescription: String { "\(effect), followed: \(isFollowed)" }
    }

    static let skippings = [false, true].flatMap { isFollowed in
        [
            Skipping(effect: signature, calls: (.passes, .session), isFollowed: isFollowed),
            Skipping(
                effect: #"{"commitThen":{"respond":{"status":418}}}"#,
                calls: (.refusedEntry, .entry),
                isFollowed: isFollowed
            ),
            Skipping(effect: red, calls: (.refusedEntry, .entry), isFollowed: isFollowed),
        ]
    }

    /// One of those that it could change is let through, then one is changed; those that it could not change do not count.
    @Test(arguments: skippings)
    func `what a rule cannot change uses up nothing`(_ item: Skipping) async throws {
        try await withSandbox { sandbox in
            let scene = try await Scene(sandbox)
            // A rule about all of the face where one operation has no two such calls.
            let call = item.calls.with == .entry ? Call.entry : nil
            try await scene.put("a", call, item.effect, ["skip": 1, "times": 1])
            if item.isFollowed { try await scene.put("b", call, Self.teapot, ["skip": 1_000]) }
            var fired: [Bool] = []
            for call in [item.calls.without, item.calls.without, item.calls.with] {
                fired.append(try await scene.perform(call).header("x-sandbox-fault-applied") == "a")
            }
            #expect(try await scene.counts("a") == [1, 0])
            for call in [item.calls.without, item.calls.with, item.calls.with] {
                fired.append(try await scene.perform(call).header("x-sandbox-fault-applied") == "a")
            }
            #expect(fired == [false, false, false, false, true, false])
            #expect(try await scene.counts("a") == [2, 1])
        }
    }

    /// The draws are those of the requests that the rule could change, however many others come between.
    @Test(arguments: [[Int](repeating: 1, count: 16), (0..<16).map { $0 % 3 }])
    func `a draw is given back`(_ others: [Int]) async throws {
        try await withSandbox { sandbox in
            func pattern(_ others: [Int]) async throws -> [Bool] {
                let scene = try await Scene(sandbox)
                try await scene.put("a", nil, Self.signature, ["probability": .number("0.5")])
                var fired: [Bool] = []
                for count in others {
                    for _ in 0..<count { _ = try await scene.perform(.passes) }
                    fired.append(try await scene.perform(.session).header("x-sandbox-fault-applied") != nil)
                }
                #expect(try await sandbox.control("POST", "/v1/tenants/default/reset").status == 200)
                return fired
            }
            let plain = try await pattern([Int](repeating: 0, count: 16))
            #expect(Set(plain) == [true, false])
            #expect(try await pattern(others) == plain)
        }
    }
}
