import Core
import Crypto
import Networks
import Synchronization
import Traffic
import Web
import Wire

/// A face of the tests, to look at what the stages give one: what it sees of a request, what it asks and how often.
struct ProbeFace: Face {
    /// What the face's issuer answers, and how often it was asked and run.
    final class Log: Sendable {
        struct Counts: Equatable {
            var identified = 0
            var asked = 0
            var decided = 0
        }

        private let state = Mutex(Counts())
        let answer: Mutex<IssuerAnswer>

        init(_ answer: IssuerAnswer = IssuerAnswer(.green, check: .passed("decision"))) { self.answer = Mutex(answer) }

        var counts: Counts { state.withLock { $0 } }
        func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
    }

    enum Fault: String, DiagnosisSubject {
        case keyMissing = "PROBE_KEY_MISSING"
        case keyUsed = "PROBE_KEY_USED"

        var meaning: (kind: RefusalKind, cause: String, cure: String) { (.unauthenticated, "The key.", "Another.") }
    }

    let name = "probe"
    let basePaths = ["/probe"]
    var log = Log()
    let recordKinds: [any Record.Type] = [ProbeSecret.self]

    var networkErrors: [NetworkError] {
        [NetworkError("BROKEN", "broken") { _ in .json(["broken": true], status: 500) }]
    }

    func endpoints(_ services: Services) -> [any RoutedEndpoint] {
        let callers = Callers(services: services, log: log)
        return [
            Endpoint(Route("probe.see", .post, "/probe/see", .sandbox, isReading: true), handler: see),
            Endpoint(Route("probe.read", .post, "/probe/read", .sandbox, isReading: true), caller: callers) { _, _ in
                .json(["read": true])
            },
            Endpoint(Route("probe.issue", .post, "/probe/issue", .sandbox, decides: true), caller: callers) {
                exchange,
                key in
                try await issue(&exchange, key, services)
            },
        ]
    }

    func credentials(in request: HTTPRequest) -> [String] {
        request.headers[HTTPHeaderName("x-probe-credential")].map { [GivenSecret.recordID($0)] } ?? []
    }

    func answer(to failures: [Check], in exchange: Exchange) -> (response: HTTPResponse, deciding: Check) {
        let code = failures[0].code
        let status = (code?.subject as? HTTPFault)?.status ?? (code?.kind == .unauthenticated ? 401 : 400)
        return (.json(["refused": .optional(code?.name)], status: status), failures[0])
    }

    func seal(_ response: HTTPResponse, isRefusal: Bool, in exchange: Exchange) async -> HTTPResponse {
        var response = response
        response.headers[HTTPHeaderName("x-probe-seal")] = isRefusal ? "refusal" : "answer"
        return response
    }

    /// What a signature over the URL and the raw body would see, and what is read.
    private func see(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let received = exchange.received
        return .json([
            "urls": .strings(exchange.signedURLs.map(\.text)), "forms": .strings(exchange.signedURLs.map(\.form)),
            "target": .string(received.target), "raw": .string(Hex.encode(Hash.sha256.digest(received.body))),
            "read": .string(String(decoding: exchange.request.body, as: UTF8.self)),
            "path": .string(String(exchange.request.path)), "tenant": .string(exchange.tenant.text),
        ])
    }

    /// Verifies with the issuer, asks it, and makes a device when it says so.
    private func issue(_ exchange: inout Exchange, _ key: String, _ services: Services) async throws -> HTTPResponse {
        exchange.orders.isDecisionUsed = true
        let issuer = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, "DEMOBANK01") }
        let answer = await exchange.ask(IssuerAnswer.approval) {
            log.count { $0.asked += 1 }
            return log.answer.withLock { $0 }
        }
        let forced = exchange.orders.decision
        let decision = try await services.decide(&exchange, verifiedWith: [issuer]) {
            [log] world -> Checked<Decision> in
            log.count { $0.decided += 1 }
            let ruling = Ruling(forced: forced, scenario: nil, answer: answer) { (.yellow, .passed("decision")) }
            // Made before it is known that nothing failed: what is refused must leave nothing.
            try world.store.put(Consumer(issuerID: "DEMOBANK01", consumerID: "probe-\(key)"))
            return Checked(value: ruling.decision, checks: [ruling.check])
        }
        return .json(["decision": .string(decision.rawValue), "signature": "c2lnbmF0dXJl"])
    }

    /// A key of the head that must not come twice.
    private struct Callers: CallerStage {
        let services: Services
        let log: Log

        var looksAtHead: Bool { true }

        func identify(_ exchange: inout Exchange) async throws -> String {
            log.count { $0.identified += 1 }
            guard let key = exchange.received.headers[HTTPHeaderName("x-probe-key")] else {
                throw exchange.refusal(.failed("probe.key", Fault.keyMissing))
            }
            let now = try await services.worlds.read(exchange.tenant, \.now)
            exchange.singleUses.append(
                SingleUse(
                    scope: "probe/key",
                    value: key,
                    until: now.adding(seconds: 60),
                    used: .failed("probe.key", Fault.keyUsed)
                )
            )
            return key
        }
    }
}
