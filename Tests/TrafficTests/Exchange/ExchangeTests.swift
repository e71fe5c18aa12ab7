import Core
import Testing
import Traffic
import Web
import Wire

struct ExchangeTests {
    private enum Fault: String, DiagnosisSubject {
        case some = "SOME"

        var meaning: (kind: RefusalKind, cause: String, cure: String) { (.malformed, "Some.", "None.") }
    }

    @Test func `a restart takes back all that was noted since, also of checks before`() {
        var exchange = Exchange(
            requestID: "r",
            tenant: .default,
            settings: Tenant.Settings(),
            face: "tpc",
            operation: "tpc.getTokens",
            request: HTTPRequest(method: .get, target: "/"),
            checks: [.warning("first", Fault.some)]
        )
        exchange.orders.decision = ForcedDecision(.green)
        let mark = exchange.mark
        exchange.checks = [.failed("first", Fault.some), .failed("second", Fault.some)]
        exchange.tokenID = "t"
        exchange.subject.take("tokenId", "t")
        exchange.errorMembers["tokenId"] = "t"
        exchange.orders.isDecisionUsed = true
        exchange.orders.scenario = "SCENARIO_APPLIED:2041"
        exchange.restart(at: mark)
        #expect(exchange.checks.map(\.name) == ["first"] && exchange.failures.isEmpty)
        #expect(exchange.tokenID == nil && exchange.subject.isEmpty && exchange.errorMembers.members.isEmpty)
        // What was ordered of the request stays ordered.
        #expect(exchange.orders.decision == ForcedDecision(.green))
        #expect(!exchange.orders.isDecisionUsed && exchange.orders.scenario == nil)
    }
}
