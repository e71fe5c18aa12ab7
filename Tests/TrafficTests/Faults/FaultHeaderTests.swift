import Core
import Testing
import Traffic
import Web

struct FaultHeaderTests {
    @Test(
        arguments: [
            ("delay=500", .effect(.delay(.fixed(milliseconds: 500)))),
            ("status=503", .effect(.respond(FaultResponse(status: 503, headers: HTTPHeaders(), body: [])))),
            ("connection=reset", .effect(.connection(.reset))),
            ("networkError=PAN_INELIGIBLE", .effect(.networkError("PAN_INELIGIBLE"))),
            ("decision=yellow", .effect(.decision(ForcedDecision(.yellow)))), ("fault-7", .rule("fault-7")),
        ] as [(String, FaultHeader)]
    )
    func `each shorthand is read`(_ text: String, _ expected: FaultHeader) {
        #expect(FaultHeader(text) == expected)
    }

    @Test(arguments: [
        "", "delay=", "delay=-1", "delay=1.5", "delay=+5", "delay=600001", "delay=99999999999999999999", "status=100",
        "status=101", "status=199", "status=600", "status=5OO", "connection=explode", "networkError=", "decision=blue",
        "corrupt=json", "a b",
        "delay 500", "=", "4111111111111111",
    ])
    func `what is not a fault is not guessed`(_ text: String) {
        #expect(FaultHeader(text) == nil)
    }
}
