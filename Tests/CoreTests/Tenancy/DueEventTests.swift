import Testing
import Wire

@testable import Core

/// How much one planned event may order, and how the plan is walked.
@Suite struct DueEventTests {
    @Test(arguments: [0, 3, 8, 9, 5_000])
    func `a plan has at most eight steps`(_ count: Int) {
        let document: JSON = [
            "at": 1, "order": 1, "action": "changeToken", "subject": "t", "reason": "",
            "events": .array(Array(repeating: "suspend", count: count)),
        ]
        let fault = RecordFault(kind: "due", member: "events")
        if count > 8 {
            #expect(throws: fault) { try DueEvent(document: document) }
        } else {
            #expect(throws: Never.self) { try DueEvent(document: document) }
        }
    }

    @Test func `a plan gives its events by time and order, whenever they were added`() {
        func event(_ time: Int64, _ order: Int64) -> DueEvent {
            DueEvent(at: Instant(milliseconds: time), order: order, action: .expireToken("t"))
        }
        var plan = DuePlan([event(5, 2), event(1, 3), event(5, 1)])
        #expect(plan.first == event(1, 3))
        plan.removeFirst()
        for added in [event(9, 8), event(2, 7), event(5, 6), event(4, 9)] { plan.add(added) }
        var orders: [Int64] = []
        while let next = plan.first {
            orders.append(next.order)
            plan.removeFirst()
        }
        #expect(orders == [7, 9, 1, 2, 6, 8])
    }
}
