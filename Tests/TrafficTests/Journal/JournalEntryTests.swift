import Core
import Testing
import Traffic
import Web
import Wire

@Suite struct JournalEntryTests {
    static let checks: [Check] = [
        .passed("payload.decrypts", evidence: "key TSH-PAYLOAD-2048"),
        .warning("payload.encoding", JSONFault.Reason.trailingBytes, evidence: "4111 1111 1111 1111", hint: "h"),
        .failed("body.json", JSONFault.Reason.syntax, evidence: "at 4111111111111111", hint: "see cvv=1"),
        .failed("body.again", JSONFault.Reason.syntax, hint: "x"),
    ]

    @Test func `the tree has the contract's names in the contract's order`() throws {
        var context = JournalSamples.context(tokenID: "DNITHE302291744095994002")
        context.attempt = 2
        context.fault = "rule-1"
        context.scenario = "SCENARIO_APPLIED:2043"
        context.clientLeft = true
        let entry = JournalEntry(
            context,
            request: HTTPRequest(
                method: .post,
                target: "/mg/tpc/DEMOBANK01/getTokens?pan=4111111111111111",
                headers: HTTPHeaders([
                    (.authorization, "Bearer x"), (HTTPHeaderName("X-A"), "1"), (HTTPHeaderName("x-a"), "2"),
                ]),
                body: Array(#"{"pan":"4111111111111111"}"#.utf8)
            ),
            response: .json(["code": 112, "message": "112. \u{22}4111111111111111\u{22}"], status: 400),
            checks: Self.checks
        )
        let expected =
            #"{"requestId":"r1","at":"2026-01-01T00:00:00Z","tenant":"default","direction":"inbound","face":"tpc","#
            + #""operation":"tpc.getTokens","method":"POST","#
            + #""path":"/mg/tpc/DEMOBANK01/getTokens?pan=************1111","status":400,"durationMs":1.25,"attempt":2,"#
            + #""diagnosis":["JSON_SYNTAX","JSON_TRAILING_BYTES"],"checks":["#
            + #"{"name":"payload.decrypts","passed":true,"evidence":"key TSH-PAYLOAD-2048"},"#
            + #"{"name":"payload.encoding","passed":true,"code":"JSON_TRAILING_BYTES","evidence":"************1111","#
            + #""hint":"h"},"#
            + #"{"name":"body.json","passed":false,"code":"JSON_SYNTAX","evidence":"at ************1111","#
            + #""hint":"see cvv=1"},"#
            + #"{"name":"body.again","passed":false,"code":"JSON_SYNTAX","hint":"x"}],"#
            + #""fault":"rule-1","scenario":"SCENARIO_APPLIED:2043","tokenId":"DNITHE302291744095994002","#
            + #""clientLeft":true,"#
            + #""request":{"headers":{"authorization":"Bearer ***","x-a":"1, 2"},"#
            + #""body":"{\"pan\":\"************1111\"}"},"#
            + #""response":{"headers":{"content-type":"application/json"},"#
            + #""body":"{\"code\":112,\"message\":\"112. \\\"************1111\\\"\"}"}}"#
        #expect(entry.json.text == expected)
    }

    @Test func `what is not known is absent`() {
        let json = JournalSamples.entry().json
        #expect(
            json.object?.keys == [
                "requestId", "at", "tenant", "direction", "face", "operation", "method", "path", "status", "durationMs",
                "attempt", "diagnosis", "checks", "request", "response",
            ]
        )
        #expect(json["attempt"]?.integer == 1)
    }

    @Test(arguments: [(0, "0"), (999, "0.999"), (1_000, "1"), (1_050, "1.05"), (12_300_000, "12300"), (-5, "0")])
    func `durations are milliseconds`(_ microseconds: Int64, _ text: String) {
        var entry = JournalSamples.entry()
        entry.durationMicroseconds = microseconds
        #expect(entry.json["durationMs"] == .number(text))
    }

    @Test func `a card number in any place of an exchange leaves no trace`() {
        let number = "4111111111111111"
        let hidden = Base64.encode(Array(#"{"n":"\#(number)"}"#.utf8))
        var context = JournalSamples.context(number, tokenID: number)
        context.fault = number
        context.scenario = number
        let headers = HTTPHeaders([(HTTPHeaderName("x-n"), number), (HTTPHeaderName("x-b"), hidden)])
        let entry = JournalEntry(
            context,
            request: HTTPRequest(
                method: HTTPMethod(rawValue: number),
                target: "/\(number)/4111%201111%201111%201111?b=\(hidden)",
                headers: headers,
                body: Array("4111 1111 1111 1111 \(hidden)".utf8)
            ),
            response: HTTPResponse(status: 200, headers: headers, body: Array(#"{"a":"{\"n\":\"\#(number)\"}"}"#.utf8)),
            checks: [.failed(number, JSONFault.Reason.syntax, evidence: number, hint: hidden)]
        )
        let text = entry.json.text
        for trace in ["41111", "4111 1", "4111%20", hidden] { #expect(!text.contains(trace), "\(trace)") }
    }
}
