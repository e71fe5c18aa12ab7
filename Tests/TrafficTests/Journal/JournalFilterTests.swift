import Core
import Testing
import Traffic
import Wire

@Suite struct JournalFilterTests {
    @Test func `every parameter is read`() throws {
        let filter = try JournalFilter.parse([
            (name: "face", value: "tpc"), (name: "operation", value: "tpc.getTokens"), (name: "status", value: "400"),
            (name: "tokenId", value: "T1"), (name: "diagnosis", value: "JWT_EXPIRED"),
            (name: "since", value: "2026-01-01T01:00:00+01:00"), (name: "limit", value: "5"),
        ])
        let expected = JournalFilter(
            face: "tpc",
            operation: "tpc.getTokens",
            status: 400,
            tokenID: "T1",
            diagnosis: "JWT_EXPIRED",
            since: Instant(seconds: 1_767_225_600),
            limit: 5
        )
        #expect(filter == expected)
        #expect(try JournalFilter.parse([]) == JournalFilter())
        #expect(try JournalFilter.parse([(name: "count", value: "1")], others: ["count"]) == JournalFilter())
    }

    struct Fault: CustomTestStringConvertible {
        let query: [(name: String, value: String)]
        let reason: JournalFilterFault.Reason
        let message: String

        init(_ name: String, _ values: String..., reason: JournalFilterFault.Reason, message: String) {
            query = values.map { (name: name, value: $0) }
            self.reason = reason
            self.message = message
        }

        var testDescription: String { message }
    }

    @Test(arguments: [
        Fault(
            "stauts",
            "400",
            reason: .unknown,
            message: "The parameter `stauts` does not exist; there are face, operation, status, tokenId, diagnosis,"
                + " since, direction, requestId and limit."
        ),
        Fault(
            "status",
            "4xx",
            reason: .number,
            message: "The parameter `status` must be a whole number from 100 to 999."
        ),
        Fault("status", "", reason: .number, message: "The parameter `status` must be a whole number from 100 to 999."),
        Fault("limit", "0", reason: .number, message: "The parameter `limit` must be a whole number from 1 to 10000."),
        Fault("limit", "+5", reason: .number, message: "The parameter `limit` must be a whole number from 1 to 10000."),
        Fault(
            "since",
            "yesterday",
            reason: .time,
            message: "The parameter `since` must be an RFC 3339 time such as 2030-01-01T00:00:00Z, now, or 0."
        ),
        Fault("face", "a", "b", reason: .repeated, message: "The parameter `face` is given more than once."),
    ])
    func `a wrong parameter is named`(_ fault: Fault) throws {
        let error = #expect(throws: JournalFilterFault.self) { try JournalFilter.parse(fault.query) }
        #expect(error?.reason == fault.reason)
        #expect(error?.message == fault.message)
    }

    @Test func `each condition chooses`() async {
        let journal = JournalRing()
        let start = Instant(seconds: 1_767_225_600)
        for index in 0..<4 {
            let context = JournalSamples.context(
                "r\(index)",
                face: index < 2 ? "tpc" : "wallet",
                operation: "op\(index)",
                tokenID: index == 3 ? nil : "T\(index)",
                at: start.adding(seconds: Int64(index))
            )
            let codes = index == 2 ? ["A", "B"] : []
            await journal.append(JournalSamples.entry(context, status: 200 + index, diagnosis: codes))
        }
        let cases: [(JournalFilter, [String])] = [
            (JournalFilter(), ["r3", "r2", "r1", "r0"]),
            (JournalFilter(face: "tpc"), ["r1", "r0"]),
            (JournalFilter(operation: "op2"), ["r2"]),
            (JournalFilter(status: 203), ["r3"]),
            (JournalFilter(tokenID: "T1"), ["r1"]),
            (JournalFilter(diagnosis: "B"), ["r2"]),
            (JournalFilter(since: start.adding(seconds: 2)), ["r3", "r2"]),
            (JournalFilter(since: Instant(milliseconds: .min)), ["r3", "r2", "r1", "r0"]),
            (JournalFilter(face: "tpc", limit: 1), ["r1"]),
            (JournalFilter(face: "tpc", status: 203), []),
        ]
        for (filter, expected) in cases {
            let page = await journal.entries(of: .default, matching: filter)
            #expect(page.items.map(\.requestID) == expected, "\(filter)")
        }
    }
}
