import Testing
import Web
import Wire

@Suite struct HTTPValueTests {
    @Test func `header names are compared without case, and fields keep their order`() {
        var headers = HTTPHeaders([(HTTPHeaderName("X-A"), "1"), (.host, "h"), (HTTPHeaderName("x-a"), "2")])
        let name = HTTPHeaderName("X-a")
        let before = (headers[name], headers.all(name), headers[.accept])
        headers.append(.accept, "a")
        headers[name] = "3"
        let set = headers.fields.map { "\($0.name.text): \($0.value)" }
        headers[name] = nil
        #expect(before == ("1", ["1", "2"], nil))
        #expect(set == ["host: h", "accept: a", "x-a: 3"] && headers.all(name) == [] && headers.fields.count == 2)
    }

    @Test func `header sets are equal when names, values and order are`() {
        let one = HTTPHeaders([(.host, "h"), (.accept, "a")])
        let others = [
            HTTPHeaders([(.accept, "a"), (.host, "h")]), HTTPHeaders([(.host, "h")]),
            HTTPHeaders([(.host, "h"), (.accept, "b")]), HTTPHeaders(),
        ]
        #expect(one == HTTPHeaders([(HTTPHeaderName("Host"), "h"), (.accept, "a")]) && !others.contains(one))
    }

    @Test func `escapes are decoded, broken ones are refused`() {
        let cases: [(text: String, plain: String?, form: String?)] = [
            ("abc", "abc", "abc"), ("a%20b", "a b", "a b"), ("a+b", "a+b", "a b"), ("%2b", "+", "+"),
            ("%2F%3f", "/?", "/?"), ("%C3%A9", "é", "é"), ("%25%32%30", "%20", "%20"), ("%00", "\0", "\0"),
            ("", "", ""),
            ("%", nil, nil), ("%4", nil, nil), ("%4g", nil, nil), ("%%41", nil, nil), ("%C3", nil, nil),
            ("%FF", nil, nil), ("%ED%A0%80", nil, nil), ("%C0%AF", nil, nil),
        ]
        let wrong = cases.filter {
            PercentEncoding.decode($0.text[...]) != $0.plain
                || PercentEncoding.decode($0.text[...], plusIsSpace: true) != $0.form
        }
        #expect(wrong.map(\.text) == [])
    }

    @Test func `encoding leaves the unreserved characters alone and comes back`() {
        let all = String((0..<128).map { Character(Unicode.Scalar($0)) }) + "é😀"
        #expect(PercentEncoding.encode("aZ09-._~ /+%é") == "aZ09-._~%20%2F%2B%25%C3%A9")
        #expect(PercentEncoding.decode(PercentEncoding.encode(all)[...], plusIsSpace: true) == all)
    }

    @Test func `target is split at the first question mark`() {
        let parts = ["/a?b=1?c", "/a", "/a?", "?x", "*"].map { target in
            let request = HTTPRequest(method: .get, target: target)
            return "\(request.path)|\(request.rawQuery)"
        }
        #expect(parts == ["/a|b=1?c", "/a|", "/a|", "|x", "*|"])
    }

    @Test func `a query is read in order, and what does not decode is left out`() {
        let cases: [(String, String)] = [
            ("a=1&b=2&a=3", "a=1 b=2 a=3"), ("a", "a="), ("a=", "a="), ("=1", "=1"), ("a=b=c", "a=b=c"),
            ("&&a=1&", "a=1"),
            ("a+b=c+d", "a b=c d"), ("%61=%26%3D", "a=&="), ("a=%zz&b=1", "b=1"), ("%zz=1&b=1", "b=1"), ("", ""),
        ]
        let found = cases.map { query, _ in
            HTTPRequest(method: .get, target: "/x?" + query).query.map { "\($0.name)=\($0.value)" }
                .joined(separator: " ")
        }
        let request = HTTPRequest(method: .get, target: "/x?a=1&a=2&b=")
        #expect(found == cases.map(\.1))
        #expect(["a", "b", "c"].map(request.queryValue) == ["1", "", nil])
    }

    @Test func `a JSON answer has its content type`() {
        let plain = HTTPResponse.json(["a": 1], status: 201)
        let problem = HTTPResponse.json([], contentType: "application/problem+json")
        let empty = HTTPResponse.empty(status: 204)
        #expect(plain.status == 201 && plain.body == Array("{\"a\":1}".utf8) && plain.delivery == .normal)
        #expect(
            [plain, problem, empty].map { $0.headers[.contentType] } == [
                "application/json", "application/problem+json", nil,
            ]
        )
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER a b", "a b"), ("Bearer", nil), ("Bearer ", nil),
            ("Bearer   abc", "abc"), ("Bearer   ", nil),
            ("Basic abc", nil), ("abc", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `a bearer is read whatever the case of its scheme`(_ header: String, _ token: String?) {
        let request = HTTPRequest(method: .get, target: "/", headers: HTTPHeaders([(.authorization, header)]))
        #expect(request.bearer == token)
        #expect(HTTPRequest(method: .get, target: "/").bearer == nil)
    }
}
