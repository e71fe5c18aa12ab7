import Core
import SandboxTesting
import Testing
import Wire

/// Every effect on three operations: one that reads, one that makes a token, one that changes one. What a client sees and
/// whether the change was stored are two questions.
struct FaultMatrixTests {
    enum Subject: String, CaseIterable, Sendable {
        /// `GET …/passes`
        case read = "wallet.listPasses"
        /// `POST …/manual-entries`, which asks for a decision.
        case make = "wallet.manualEntry"
        /// `POST …/updateTokenState`
        case change = "tpc.updateTokenState"

        var okStatus: Int { self == .make ? 201 : 200 }
    }

    /// What the client gets.
    enum Seen: Sendable, Equatable {
        case status(Int)
        case fault(TestDeliveryFault)
        /// The answer breaks off; how far depends on its length.
        case cut
        /// As if there were no fault.
        case ok
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let effect: String
        let seen: Seen
        let isStored: Bool
        /// False when there is nothing in these answers that the effect could change.
        var isApplied = true
        var testDescription: String { effect }
    }

    static let cases: [Case] = [
        Case(effect: #"{"delay":{"fixedMs":20000}}"#, seen: .ok, isStored: true),
        Case(effect: #"{"delay":{"uniformMs":[1,9]}}"#, seen: .ok, isStored: true),
        Case(effect: #"{"delay":{"lognormal":{"medianMs":5,"sigma":1}}}"#, seen: .ok, isStored: true),
        Case(effect: #"{"respond":{"status":502,"body":"<html>"}}"#, seen: .status(502), isStored: false),
        Case(effect: #"{"networkError":"UNAVAILABLE"}"#, seen: .status(503), isStored: false),
        Case(effect: #"{"connection":"reset"}"#, seen: .fault(.reset), isStored: false),
        Case(effect: #"{"connection":"close"}"#, seen: .fault(.cutShort(bodyBytes: 0)), isStored: false),
        Case(effect: #"{"connection":"empty"}"#, seen: .fault(.empty), isStored: false),
        Case(effect: #"{"connection":"truncate"}"#, seen: .cut, isStored: false),
        Case(effect: #"{"connection":"garbage"}"#, seen: .fault(.garbage), isStored: false),
        Case(effect: #"{"connection":"stall"}"#, seen: .fault(.stalled), isStored: false),
        Case(effect: #"{"dribble":{"bytes":64,"everyMs":1}}"#, seen: .ok, isStored: true),
        Case(effect: #"{"corrupt":"json"}"#, seen: .ok, isStored: true),
        Case(effect: #"{"corrupt":"contentType"}"#, seen: .ok, isStored: true),
        Case(effect: #"{"corrupt":"contentLength"}"#, seen: .cut, isStored: true),
        Case(effect: #"{"corrupt":"signature"}"#, seen: .ok, isStored: true, isApplied: false),
        Case(effect: #"{"corrupt":"ciphertext"}"#, seen: .ok, isStored: true, isApplied: false),
        Case(effect: #"{"commitThen":{"respond":{"status":500}}}"#, seen: .status(500), isStored: true),
        Case(effect: #"{"commitThen":{"delay":{"fixedMs":15000}}}"#, seen: .ok, isStored: true),
        Case(effect: #"{"commitThen":{"connection":"reset"}}"#, seen: .fault(.reset), isStored: true),
        Case(effect: #"{"commitThen":{"connection":"close"}}"#, seen: .fault(.cutShort(bodyBytes: 0)), isStored: true),
        Case(effect: #"{"commitThen":{"connection":"empty"}}"#, seen: .fault(.empty), isStored: true),
        Case(effect: #"{"commitThen":{"connection":"truncate"}}"#, seen: .cut, isStored: true),
        Case(effect: #"{"commitThen":{"connection":"garbage"}}"#, seen: .fault(.garbage), isStored: true),
        Case(effect: #"{"commitThen":{"connection":"stall"}}"#, seen: .fault(.stalled), isStored: true),
    ]

    /// The state that each operation needs, and the call.
    private struct Scene {
        let device: String
        /// Inactive, for `change`.
        let tokenID: String

        init(_ sandbox: TestSandbox) async throws {
            let card = TestCard.visa
            let registered: JSON = [
                "issuerId": "DEMOBANK01", "issuerCardRefId": .string(card.reference), "pan": .string(card.pan),
                "exp": .string(card.exp), "cardHolderName": .string(card.name),
            ]
            #expect(try await sandbox.control("POST", "/v1/cards", registered).status == 201)
            device = try await sandbox.device()
            let other = try await sandbox.device()
            let made = try await sandbox.manualEntry(other, .visa, .visa)
            tokenID = made["tokenId"].string ?? ""
        }

        func call(_ subject: Subject, _ sandbox: TestSandbox) async throws -> TestReply {
            switch subject {
            case .read: try await sandbox.passes(device)
            case .make: try await sandbox.manualEntry(device, .visa, .visa)
            case .change: try await sandbox.updateTokenState(tokenID, .visa, "Activate")
            }
        }

        func isStored(_ subject: Subject, _ sandbox: TestSandbox) async throws -> Bool {
            switch subject {
            case .read: return true
            case .make:
                let passes = try await sandbox.passes(device)
                return passes["localPasses"].array?.count == 1
            case .change: return try await sandbox.token(tokenID)["state"] == "active"
            }
        }
    }

    @Test(arguments: cases, Subject.allCases)
    func `each effect does what it says`(_ item: Case, _ subject: Subject) async throws {
        try await withSandbox(configure: { _ in }, sleep: TestSleeps().sleep) { original in
            var sandbox = original
            let scene = try await Scene(sandbox)
            let effect = try JSON.parse(Array(item.effect.utf8))
            let rule: JSON = [
                "id": "rule-1", "match": ["operation": .string(subject.rawValue)], "effect": effect,
                "trigger": ["times": 1],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            if item.seen == .fault(.stalled) { sandbox.patience = 0.3 }

            let (seen, isStored, isApplied) = (item.seen, item.isStored, item.isApplied)
            var reply: TestReply?
            do {
                reply = try await scene.call(subject, sandbox)
                switch seen {
                case .status(let status): #expect(reply?.status == status)
                case .ok: #expect(reply?.status == subject.okStatus)
                default: Issue.record("answered \(reply?.status ?? 0), wanted \(seen)")
                }
            } catch let fault as TestDeliveryFault {
                switch (seen, fault) {
                case (.fault(let wanted), _): #expect(fault == wanted)
                case (.cut, .cutShort(let count)): #expect(count > 0)
                default: Issue.record("saw \(fault), wanted \(seen)")
                }
            }
            sandbox.patience = 120
            if let reply { #expect(reply.header("x-sandbox-fault-applied") == (isApplied ? "rule-1" : nil)) }
            #expect(try await scene.isStored(subject, sandbox) == (isStored || subject == .read))

            // The journal names the rule, and the rule counts what it did.
            let entries = try await sandbox.control("GET", "/v1/journal?operation=\(subject.rawValue)")
            let entry = entries["items"].array?.last { $0["fault"] != nil }
            #expect(entry?["fault"]?.string == (isApplied ? "rule-1" : nil))
            let counted = try await sandbox.control("GET", "/v1/faults/rule-1")
            #expect(counted["fired"].integer == (isApplied ? 1 : 0))
            #expect(entries.text.contains(isApplied ? "FAULT_INJECTED" : "FAULT_NOT_APPLIED"))

            // It was for one request.
            if isApplied, subject == .read { #expect(try await scene.call(subject, sandbox).status == 200) }
        }
    }
}
