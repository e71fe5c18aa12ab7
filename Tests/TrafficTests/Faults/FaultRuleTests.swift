import Core
import Testing
import Traffic
import Web
import Wire

struct FaultRuleTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pointer: String
        let reason: FaultCode

        init(_ text: String, _ pointer: String, _ reason: FaultCode = .value) {
            testDescription = text
            self.pointer = pointer
            self.reason = reason
        }
    }

    static let refused: [Refused] = [
        Refused(#"[]"#, ""),
        Refused(#"{}"#, "/effect", .memberMissing),
        Refused(#"{"effect":{"delay":{"fixedMs":1}},"note":"x"}"#, "/note", .memberUnknown),
        Refused(#"{"effect":{}}"#, "/effect"),
        Refused(#"{"effect":{"delay":{"fixedMs":1},"decision":"red"}}"#, "/effect"),
        Refused(#"{"effect":{"explode":true}}"#, "/effect/explode", .memberUnknown),
        Refused(#"{"effect":{"delay":{}}}"#, "/effect/delay"),
        Refused(#"{"effect":{"delay":{"fixedMs":-1}}}"#, "/effect/delay/fixedMs"),
        Refused(#"{"effect":{"delay":{"fixedMs":600001}}}"#, "/effect/delay/fixedMs"),
        Refused(#"{"effect":{"delay":{"fixedMs":1.5}}}"#, "/effect/delay/fixedMs"),
        Refused(#"{"effect":{"delay":{"fixedMs":1,"uniformMs":[1,2]}}}"#, "/effect/delay"),
        Refused(#"{"effect":{"delay":{"uniformMs":[2,1]}}}"#, "/effect/delay/uniformMs"),
        Refused(#"{"effect":{"delay":{"uniformMs":[1]}}}"#, "/effect/delay/uniformMs"),
        Refused(#"{"effect":{"delay":{"uniformMs":[1,"2"]}}}"#, "/effect/delay/uniformMs/1"),
        Refused(#"{"effect":{"delay":{"lognormal":{"medianMs":0,"sigma":1}}}}"#, "/effect/delay/lognormal/medianMs"),
        Refused(#"{"effect":{"delay":{"lognormal":{"medianMs":9,"sigma":-1}}}}"#, "/effect/delay/lognormal/sigma"),
        Refused(#"{"effect":{"respond":{}}}"#, "/effect/respond/status", .memberMissing),
        Refused(#"{"effect":{"respond":{"status":100}}}"#, "/effect/respond/status"),
        Refused(#"{"effect":{"respond":{"status":101}}}"#, "/effect/respond/status"),
        Refused(#"{"effect":{"respond":{"status":199}}}"#, "/effect/respond/status"),
        Refused(#"{"effect":{"commitThen":{"respond":{"status":103}}}}"#, "/effect/commitThen/respond/status"),
        Refused(#"{"effect":{"respond":{"status":200,"headers":{"a b":"c"}}}}"#, "/effect/respond/headers/a b"),
        Refused(
            #"{"effect":{"respond":{"status":200,"headers":{"Content-Length":"3"}}}}"#,
            "/effect/respond/headers/Content-Length"
        ),
        Refused(#"{"effect":{"respond":{"status":200,"headers":{"a":"b\r\nc: d"}}}}"#, "/effect/respond/headers/a"),
        Refused(#"{"effect":{"respond":{"status":204,"body":"x"}}}"#, "/effect/respond/body"),
        Refused(#"{"effect":{"connection":"explode"}}"#, "/effect/connection"),
        Refused(#"{"effect":{"dribble":{"bytes":0,"everyMs":1}}}"#, "/effect/dribble/bytes"),
        Refused(#"{"effect":{"dribble":{"bytes":1}}}"#, "/effect/dribble/everyMs", .memberMissing),
        Refused(#"{"effect":{"corrupt":"everything"}}"#, "/effect/corrupt"),
        Refused(#"{"effect":{"decision":"blue"}}"#, "/effect/decision"),
        Refused(#"{"effect":{"delay":{"fixedMs":1},"reason":"x"}}"#, "/effect/reason", .memberUnknown),
        Refused(#"{"effect":{"commitThen":{"decision":"red"}}}"#, "/effect/commitThen"),
        Refused(#"{"effect":{"callback":"shout"}}"#, "/effect/callback"),
        Refused(#"{"id":"a b","effect":{"connection":"reset"}}"#, "/id"),
        Refused(#"{"id":"4111111111111111","effect":{"connection":"reset"}}"#, "/id"),
        Refused(#"{"match":{"tenant":"x"},"effect":{"connection":"reset"}}"#, "/match/tenant", .memberUnknown),
        Refused(#"{"match":{"path":"v1"},"effect":{"connection":"reset"}}"#, "/match/path"),
        Refused(#"{"match":{"headers":{"a":1}},"effect":{"connection":"reset"}}"#, "/match/headers/a"),
        Refused(#"{"match":{"cardLast4":"12345"},"effect":{"connection":"reset"}}"#, "/match/cardLast4"),
        Refused(#"{"match":{"issuerId":"short"},"effect":{"connection":"reset"}}"#, "/match/issuerId"),
        Refused(#"{"match":{"tokenId":"4111111111111111"},"effect":{"connection":"reset"}}"#, "/match/tokenId"),
        Refused(#"{"match":{"attempt":0},"effect":{"connection":"reset"}}"#, "/match/attempt"),
        Refused(#"{"match":{"direction":"outward"},"effect":{"connection":"reset"}}"#, "/match/direction"),
        Refused(
            #"{"match":{"direction":"inbound"},"effect":{"callback":"drop"}}"#,
            "/match/direction",
            .neverMatches
        ),
        Refused(#"{"match":{"direction":"callback"},"effect":{"corrupt":"json"}}"#, "/match/direction", .neverMatches),
        Refused(#"{"trigger":{"times":0},"effect":{"connection":"reset"}}"#, "/trigger/times"),
        Refused(#"{"trigger":{"probability":0},"effect":{"connection":"reset"}}"#, "/trigger/probability"),
        Refused(#"{"trigger":{"probability":1.01},"effect":{"connection":"reset"}}"#, "/trigger/probability"),
        Refused(#"{"trigger":{"skip":-1},"effect":{"connection":"reset"}}"#, "/trigger/skip"),
        Refused(#"{"trigger":{"ttlSeconds":0},"effect":{"connection":"reset"}}"#, "/trigger/ttlSeconds"),
        Refused(#"{"trigger":{"every":3},"effect":{"connection":"reset"}}"#, "/trigger/every", .memberUnknown),
        Refused(
            #"{"match":{"path":"/\#(String(repeating: "*a", count: 33))"},"effect":{"connection":"reset"}}"#,
            "/match/path"
        ),
        Refused(
            #"{"match":{"headers":{"a":"\#(String(repeating: "a", count: 1_025))"}},"effect":{"connection":"reset"}}"#,
            "/match/headers/a"
        ),
        Refused(#"{"effect":{"respond":{"status":200,"body":"4111111111111111"}}}"#, ""),
        Refused(#"{"match":{"path":"/cards/4111111111111111"},"effect":{"connection":"reset"}}"#, ""),
        Refused(
            #"{"effect":{"respond":{"status":200,"body":"\#(String(repeating: "a", count: 65_536))"}}}"#,
            ""
        ),
    ]

    @Test(arguments: refused)
    func `a document that is not a rule is refused with a pointer`(_ item: Refused) throws {
        let json = try JSON.parse(Array(item.testDescription.utf8))
        let fault = #expect(throws: FaultRuleFault.self) { try FaultRuleDraft(json) }
        #expect(fault?.pointer == item.pointer)
        #expect(fault?.reason == item.reason)
        #expect(fault?.detail.isEmpty == false)
    }

    static let taken = [
        #"{"effect":{"delay":{"fixedMs":0}}}"#,
        #"{"effect":{"delay":{"uniformMs":[1,1]}}}"#,
        #"{"effect":{"delay":{"lognormal":{"medianMs":80.5,"sigma":0.4}}}}"#,
        #"{"effect":{"respond":{"status":500,"headers":{"X-A":"b"},"body":{"code":1}}}}"#,
        #"{"effect":{"networkError":"PAN_INELIGIBLE"}}"#,
        #"{"effect":{"decision":"red","reason":"lost"}}"#,
        #"{"effect":{"connection":"stall"}}"#,
        #"{"effect":{"dribble":{"bytes":1,"everyMs":1}}}"#,
        #"{"effect":{"corrupt":"contentLength"}}"#,
        #"{"effect":{"commitThen":{"connection":"reset"}}}"#,
        #"{"effect":{"callback":"reorder"}}"#,
        #"{"match":{"direction":"callback"},"effect":{"delay":{"fixedMs":5}}}"#,
        #"""
        {"match":{"face":"tpc","operation":"tpc.getTokens","method":"POST","path":"/mg/**","headers":{"x-a":"b*"},
        "tokenId":"DNITHE1","cardLast4":"1111","issuerId":"DEMOBANK01","attempt":2,"direction":"inbound"},
        "effect":{"connection":"reset"},"trigger":{"skip":1,"times":2,"probability":0.5,"ttlSeconds":60}}
        """#,
    ]

    @Test(arguments: taken)
    func `a rule is stored and read again as it was`(_ text: String) throws {
        var rule = FaultRule(
            try FaultRuleDraft(JSON.parse(Array(text.utf8))),
            id: "fault-1",
            order: 7,
            createdAt: Instant(seconds: 5)
        )
        rule.seen = 3
        rule.fired = 2
        #expect(try FaultRule(document: rule.document) == rule)
        #expect(rule.json["id"] == "fault-1")
        #expect(rule.json["effect"] == rule.given["effect"])
    }

    @Test(arguments: [("seen", -1), ("fired", -1), ("fired", 4), ("seen", 1 << 53), ("order", -1), ("createdAt", -1)])
    func `counters that no rule has do not make a rule`(_ member: String, _ value: Int64) throws {
        var rule = FaultRule(
            try FaultRuleDraft(["effect": ["connection": "reset"]]),
            id: "r",
            order: 1,
            createdAt: Instant(seconds: 5)
        )
        rule.seen = 3
        #expect(throws: RecordFault(kind: "fault", member: member)) {
            try FaultRule(document: rule.document.adding(member, .number(value)))
        }
    }

    @Test func `a callback effect is about callbacks by itself`() throws {
        let draft = try FaultRuleDraft(["effect": ["callback": "drop"]])
        #expect(draft.match.direction == .callback)
    }

    @Test func `what respond sends is what was put`() throws {
        let text = try FaultRuleDraft(["effect": ["respond": ["status": 500, "body": "<html>"]]])
        let object = try FaultRuleDraft(["effect": ["respond": ["status": 500, "body": ["a": 1]]]])
        guard case .respond(let plain) = text.effect, case .respond(let json) = object.effect else {
            Issue.record("no respond")
            return
        }
        #expect(plain.response.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(plain.response.body == Array("<html>".utf8))
        #expect(json.response.headers[.contentType] == "application/json")
        #expect(json.response.body == Array(#"{"a":1}"#.utf8))
    }
}
