import Core
import Networks
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

/// A decision that a fault ordered, from the exchange to the domain and back (CONTRACT, section 1, "Decision").
struct ForcedDecisionTests {
    /// How a card reaches Wallet.
    enum Way: String, CaseIterable, Sendable {
        case pass
        case manualEntry
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let decision: Decision
        let way: Way
        let isBlocked: Bool

        var testDescription: String { "\(decision) \(way.rawValue) \(isBlocked ? "blocked" : "open")" }
    }

    static let cases = Decision.allCases.flatMap { decision in
        Way.allCases.flatMap { way in
            [false, true].map { Case(decision: decision, way: way, isBlocked: $0) }
        }
    }

    /// The handlers are called with the order that a fault rule leaves in the exchange.
    @Test(arguments: cases)
    func `a forced decision speaks first, and keeps the reason of upstream in the journal only`(
        _ example: Case
    ) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            if example.isBlocked {
                _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "block"])
            }
            let call = try await Call(sandbox, example.way)
            var exchange = call.exchange
            exchange.orders.decision = ForcedDecision(example.decision, reason: "MDES 05 for 4111111111111111")
            if example.decision == .red {
                await #expect(throws: Refusal.self) { _ = try await call.run(&exchange) }
                #expect(exchange.failures.compactMap { $0.code?.name } == ["DECISION_FORCED_RED"])
                let answer = WalletFace().answer(to: exchange.failures, in: exchange).response
                #expect(answer.status == 422)
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("MDES"))
            } else {
                let answer = try await call.run(&exchange)
                let json = try JSON.parse(answer.body)
                #expect(json["decision"] == .string(example.decision.rawValue))
                #expect(exchange.failures == [])
            }
            #expect(exchange.orders.isDecisionUsed)
            let evidence = exchange.checks.first { $0.name == "decision" }?.evidence ?? ""
            #expect(evidence.hasPrefix("\(example.decision.rawValue): MDES 05 for"))
            #expect(!evidence.contains("4111111111111111"))
        }
    }

    @Test(arguments: Way.allCases)
    func `an order is used only when a decision was asked for`(_ way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            // Refused before: the device is gone.
            let gone = try await Call(sandbox, way)
            _ = try await sandbox.api("DELETE", "/wallet/apple/devices/\(gone.deviceID)")
            var early = gone.exchange
            early.orders.decision = ForcedDecision(.green)
            await #expect(throws: Refusal.self) { _ = try await gone.run(&early) }
            #expect(!early.orders.isDecisionUsed)

            // In lost mode no decision is asked for either.
            let lost = try await Call(sandbox, way)
            let path = "/wallet/apple/devices/\(lost.deviceID)/lost-mode"
            _ = try await sandbox.api("POST", path, ["on": true])
            var refused = lost.exchange
            refused.orders.decision = ForcedDecision(.green)
            await #expect(throws: Refusal.self) { _ = try await lost.run(&refused) }
            #expect(!refused.orders.isDecisionUsed)
            _ = try await sandbox.api("POST", path, ["on": false])

            // Without an order the decision was asked for too; with the card there it was not.
            var first = lost.exchange
            _ = try await lost.run(&first)
            #expect(first.orders.isDecisionUsed)
            let again = try await Call(sandbox, way, on: lost.deviceID)
            var present = again.exchange
            present.orders.decision = ForcedDecision(.red)
            #expect(try await again.run(&present).status == 200)
            #expect(!present.orders.isDecisionUsed)
        }
    }

    /// One call of a handler that makes tokens, right before it is made.
    private struct Call {
        let deviceID: String
        let exchange: Exchange
        private let operation: any RoutedEndpoint

        init(_ sandbox: TestSandbox, _ way: Way, on device: String? = nil) async throws {
            if let device { deviceID = device } else { deviceID = try await sandbox.device() }
            let body: JSON
            let parameters: PathParameters
            let name: String
            switch way {
            case .pass:
                let session = try await sandbox.session(deviceID, .visa, .visa)
                let request = try sandbox.passRequest(session, .visa, .visa)
                body = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request).json
                name = "wallet.createPass"
                parameters = PathParameters([("sessionId", session.text("sessionId"))])
            case .manualEntry:
                body = [
                    "pan": .string(TestCard.visa.pan), "expiration": "12/32", "name": "ANA PRUEBA", "cvv": "123",
                    "paymentNetwork": "Visa",
                ]
                name = "wallet.manualEntry"
                parameters = PathParameters([("deviceId", deviceID)])
            }
            operation = try #require(sandbox.application.api.endpoints.first { $0.route.name == name })
            exchange = Exchange(
                requestID: "call",
                tenant: .default,
                settings: Tenant.Settings(),
                face: "wallet",
                operation: name,
                request: HTTPRequest(method: .post, target: "/", body: body.bytes),
                parameters: parameters
            )
        }

        func run(_ exchange: inout Exchange) async throws -> HTTPResponse { try await operation.serve(&exchange) }
    }
}
