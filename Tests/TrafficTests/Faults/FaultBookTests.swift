import Core
import Testing
import Traffic
import Web
import Wire

struct FaultBookTests {
    private static let now = Instant(seconds: 1_000)

    private static func book(_ matches: [(String, JSON)]) throws -> FaultBook {
        let book = FaultBook(seed: 1)
        for (order, (id, match)) in matches.enumerated() {
            let draft = try FaultRuleDraft(["match": match, "effect": ["connection": "reset"]])
            book.add(FaultRule(draft, id: id, order: Int64(order), createdAt: now))
        }
        return book
    }

    private static func find(
        _ book: FaultBook,
        _ method: HTTPMethod = .post,
        _ target: String = "/mg/tpc/DEMOBANK01/getTokens?x=1",
        headers: [(HTTPHeaderName, String)] = [],
        subject: FaultSubject = FaultSubject(),
        isFinal: Bool = true
    ) -> FaultBook.Finding {
        let request = HTTPRequest(method: method, target: target, headers: HTTPHeaders(headers))
        return book.find(
            request,
            face: "tpc",
            operation: "tpc.getTokens",
            subject: subject,
            isFinal: isFinal,
            at: now
        )
    }

    static let conditions: [(JSON, Bool)] = [
        ([:], true), (["face": "tpc"], true), (["face": "wallet"], false), (["operation": "tpc.getTokens"], true),
        (["operation": "tpc.activatePass"], false), (["method": "POST"], true), (["method": "GET"], false),
        (["path": "/mg/tpc/DEMOBANK01/getTokens"], true), (["path": "/mg/tpc/*/getTokens"], true),
        (["path": "/mg/tpc/DEMOBANK02/getTokens"], false), (["headers": ["X-Run": "7"]], true),
        (["headers": ["X-Run": "8"]], false), (["headers": ["x-run": "*", "accept": "a*"]], false),
        (["headers": ["x-absent": "*"]], false), (["tokenId": "T1"], true), (["tokenId": "T2"], false),
        (["cardLast4": "1111", "issuerId": "DEMOBANK01"], true),
        (["cardLast4": "1111", "issuerId": "DEMOBANK02"], false),
        (["direction": "callback"], false),
    ]

    @Test(arguments: conditions)
    func `every condition must hold`(_ match: JSON, _ expected: Bool) throws {
        var subject = FaultSubject()
        subject.take("tokenId", "T1")
        subject.take("issuerId", "DEMOBANK01")
        subject.take("primaryAccountSuffix", "41111")
        let found = Self.find(
            try Self.book([("r", match)]),
            headers: [(HTTPHeaderName("X-Run"), "7")],
            subject: subject
        )
        #expect(found.rules.map(\.id) == (expected ? ["r"] : []))
    }

    @Test(arguments: conditions)
    func `a request that no rule can be about is known at once`(_ match: JSON, _ expected: Bool) throws {
        let headers = HTTPHeaders([(HTTPHeaderName("X-Run"), "7")])
        let request = HTTPRequest(method: .post, target: "/mg/tpc/DEMOBANK01/getTokens?x=1", headers: headers)
        let reach = try Self.book([("r", match)]).reach(of: request, face: "tpc", operation: "tpc.getTokens")
        let isHandled = match["tokenId"] != nil || match["cardLast4"] != nil
        let isElsewhere =
            match["face"] == "wallet" || match["operation"] == "tpc.activatePass"
            || match["headers"]?["X-Run"] == "8" || match["direction"] != nil
            || match["path"] == "/mg/tpc/DEMOBANK02/getTokens"
        // What the subject decides is never known at once; what matches by the request alone is always asked.
        if isHandled { #expect(reach == .subject) }
        if expected, !isHandled { #expect(reach == .request) }
        if isElsewhere { #expect(reach == .none) }
    }

    @Test func `a rule about the request goes before what the subject may decide`() throws {
        let book = try Self.book([("token", ["tokenId": "T1"]), ("path", ["path": "/wallet/apple/devices"])])
        let targets: [(String, FaultBook.Reach)] = [
            ("/wallet/apple/devices", .request), ("/wallet/apple/devices?x=1", .request), ("/wallet/apple", .subject),
        ]
        for (target, expected) in targets {
            let request = HTTPRequest(method: .get, target: target)
            #expect(book.reach(of: request, face: "wallet", operation: "wallet.listDevices") == expected)
        }
    }

    @Test func `rules are asked in the order they were put, however they are found`() throws {
        let book = try Self.book([
            ("token", ["tokenId": "T1"]), ("any", [:]), ("path", ["path": "/mg/tpc/DEMOBANK01/getTokens"]),
            ("other", ["tokenId": "T2"]), ("header", ["headers": ["x-a": "b"]]),
        ])
        var subject = FaultSubject()
        subject.take("tokenId", "T1")
        let found = Self.find(book, headers: [(HTTPHeaderName("x-a"), "b")], subject: subject)
        #expect(found.rules.map(\.id) == ["token", "any", "path", "header"])
        book.remove("any")
        #expect(Self.find(book, subject: subject).rules.map(\.id) == ["token", "path"])
        book.removeAll()
        #expect(book.isEmpty && Self.find(book, subject: subject).rules.isEmpty)
    }

    @Test func `what the request is about may be open until the handler knows`() throws {
        let book = try Self.book([("token", ["tokenId": "T1"]), ("mixed", ["face": "tpc", "cardLast4": "1111"])])
        let early = Self.find(book, isFinal: false)
        #expect(early.isOpen && early.rules.isEmpty)
        var subject = FaultSubject()
        subject.take("tokenId", "T9")
        subject.take("last4", "2222")
        #expect(!Self.find(book, subject: subject, isFinal: false).isOpen)
        #expect(Self.find(book, isFinal: true).rules.isEmpty)
    }

    @Test func `a rule that is used up is not looked for`() throws {
        let draft = try FaultRuleDraft([
            "match": ["tokenId": "T1"], "effect": ["connection": "reset"], "trigger": ["times": 1],
        ])
        let book = FaultBook([FaultRule(draft, id: "r", order: 1, createdAt: Self.now)], seed: 1)
        #expect(Self.find(book, isFinal: false).isOpen)
        _ = book.claim("r", at: Self.now)
        #expect(!Self.find(book, isFinal: false).isOpen)
    }
}
