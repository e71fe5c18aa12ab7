import Testing
import Web

@Suite struct RouterTests {
    private static let router = Router<String>([
        (.get, RoutePattern("/"), "root"),
        (.get, RoutePattern("/v1/cards"), "list"), (.post, RoutePattern("/v1/cards"), "add"),
        (.get, RoutePattern("/v1/cards/{id}"), "card"), (.get, RoutePattern("/v1/cards/own"), "own"),
        (.delete, RoutePattern("/v1/cards/{id}"), "remove"),
        (.post, RoutePattern("/v1/cards/{id}/events"), "event"), (.put, RoutePattern("/v1/{kind}/{name}/x"), "two"),
        (.post, RoutePattern("/mg/tpc/{issuerId}/getTokens"), "tokens"),
    ])

    struct Case: CustomTestStringConvertible, Sendable {
        let method: HTTPMethod
        let path: String
        let expected: String

        init(_ method: HTTPMethod, _ path: String, _ expected: String) {
            self.method = method
            self.path = path
            self.expected = expected
        }

        var testDescription: String { "\(method.rawValue) \(path)" }
    }

    /// What a match says, in one line.
    private static func outcome(_ method: HTTPMethod, _ path: String) -> String {
        switch router.match(method, path[...]) {
        case .found(let value, let parameters):
            let names = ["id", "kind", "name", "issuerId"].filter { !parameters[$0].isEmpty }
            return ([value] + names.map { "\($0)=\(parameters[$0])" }).joined(separator: " ")
        case .wrongMethod(let allowed): return "405 " + allowed.map(\.rawValue).joined(separator: ",")
        case .trailingSlash: return "slash"
        case .notFound: return "404"
        }
    }

    @Test(arguments: [
        Case(.get, "/", "root"), Case(.get, "/v1/cards", "list"), Case(.post, "/v1/cards", "add"),
        Case(.get, "/v1/cards/c1", "card id=c1"), Case(.delete, "/v1/cards/c1", "remove id=c1"),
        Case(.get, "/v1/cards/own", "own"), Case(.get, "/v1/cards/owner", "card id=owner"),
        Case(.post, "/v1/cards/own/events", "event id=own"), Case(.put, "/v1/cards/own/x", "two kind=cards name=own"),
        Case(.put, "/v1/a/b/x", "two kind=a name=b"),
        Case(.post, "/mg/tpc/DEMOBANK01/getTokens", "tokens issuerId=DEMOBANK01"),
        Case(.get, "/v1/cards/a%20b", "card id=a b"), Case(.get, "/v1/cards/a%2Fb", "card id=a/b"),
        Case(.get, "/v1/cards/%6Fwn", "card id=own"), Case(.get, "/v1/cards/a+b", "card id=a+b"),
        Case(.get, "/v1/cards/%C3%A9", "card id=é"), Case(.get, "/v1/cards/%2e%2e", "card id=.."),
        Case(.get, "/v1/cards/%", "404"), Case(.get, "/v1/cards/%C3", "404"), Case(.get, "/v1/cards/%zz", "404"),
        Case(.head, "/v1/cards", "list"), Case(.head, "/v1/cards/c1", "card id=c1"),
        Case(.head, "/v1/cards/c1/events", "405 POST,OPTIONS"), Case(.post, "/", "405 GET,HEAD,OPTIONS"),
        Case(.put, "/v1/cards", "405 GET,POST,HEAD,OPTIONS"),
        Case(.post, "/v1/cards/c1", "405 DELETE,GET,HEAD,OPTIONS"),
        Case(.options, "/v1/cards/c1/events", "405 POST,OPTIONS"), Case(.get, "/v1/cards/", "slash"),
        Case(.post, "/v1/cards/c1/events/", "slash"), Case(.put, "/v1/cards/", "slash"),
        Case(.get, "/v1/cards/c1/", "slash"), Case(.get, "/v1/", "404"), Case(.get, "/v1", "404"),
        Case(.get, "/v1//cards", "404"), Case(.get, "//v1/cards", "404"), Case(.get, "/v1/cards//", "404"),
        Case(.get, "/v1/cards//events", "404"), Case(.get, "/V1/cards", "404"), Case(.get, "/v1/cards/c1/other", "404"),
        Case(.get, "v1/cards", "404"), Case(.options, "*", "404"), Case(.get, "/v1/./cards", "404"),
        Case(.get, "/v1/c%61rds", "404"),
    ])
    func `a path leads to one outcome`(_ route: Case) {
        #expect(Self.outcome(route.method, route.path) == route.expected)
    }

    @Test func `a pattern is read from its template`() {
        let pattern = RoutePattern("/mg/tpc/{issuerId}/getTokens")
        #expect(pattern.segments == [.literal("mg"), .literal("tpc"), .parameter("issuerId"), .literal("getTokens")])
        #expect(pattern.text == "/mg/tpc/{issuerId}/getTokens")
    }

    @Test func `a parameter that the pattern does not have is empty`() {
        let parameters = PathParameters([("a", "1"), ("b", "2")])
        #expect(["a", "b", "c"].map { parameters[$0] } == ["1", "2", ""])
    }

    @Test func `two names for one parameter are a mistake of the programmer`() async {
        await #expect(processExitsWith: .failure) {
            _ = Router<Int>([(.get, RoutePattern("/a/{x}"), 1), (.put, RoutePattern("/a/{y}"), 2)])
        }
    }
}
