import Testing
import Traffic

struct FaultPatternTests {
    @Test(arguments: [
        ("/a/b", "/a/b", true), ("/a/b", "/a/c", false), ("/a/*", "/a/b", true), ("/a/*", "/a/", true),
        ("/a/*", "/a/b/c", false), ("/a/**", "/a/b/c", true), ("/**/c", "/a/b/c", true), ("/a/*/c", "/a/b/c", true),
        ("/a/*/c", "/a/b/d/c", false), ("*", "/a", false), ("**", "/a/b", true), ("/a*b*c", "/aXbYc", true),
        ("/a*b*c", "/aXbY", false), ("/a***b", "/a/x/b", true),
        ("/*a*a*a*a*a*a*b", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ])
    func `an asterisk stays within a segment, two cross`(_ pattern: String, _ path: String, _ expected: Bool) {
        #expect(FaultPattern(pattern, hasSegments: true).matches(path) == expected)
    }

    @Test(arguments: [("Bearer *", "Bearer a/b", true), ("*", "", true), ("a*", "b", false), ("a", "a", true)])
    func `a header's value has no segments`(_ pattern: String, _ value: String, _ expected: Bool) {
        #expect(FaultPattern(pattern, hasSegments: false).matches(value) == expected)
    }

    @Test(arguments: [
        ("/a/*/b", true), ("/a/%20/~!$&'()*+,;=:@-._|{}[]\"<>\\^`#", true), ("/a b", false), ("/a?b", false),
        ("/a\u{7F}", false), ("/a\u{0}", false), ("/a\nb", false), ("/ä", false), ("**\t", false),
    ])
    func `a pattern is of characters that a target may have`(_ pattern: String, _ expected: Bool) {
        #expect(FaultPattern(pattern, hasSegments: true).canStandInTarget == expected)
    }

    @Test(arguments: [
        ("/mg/tpc/DEMOBANK01/getTokens", true), ("/mg/tpc/*/getTokens", true), ("/mg/**", true),
        ("/mg/tpc/DEMO*/get*", true), ("/mg/tpc//getTokens", false), ("/mg/tpc/a/b/getTokens", false),
        ("/mg/tpc/*/getToken", false), ("/t/my-suite/mg/tpc/*/getTokens", false), ("**Tokens", true),
        ("/mg/tpc/DEMOBANK01", false),
    ])
    func `a pattern that no path of a template fits is known`(_ pattern: String, _ expected: Bool) {
        let template = "/mg/tpc/{issuerId}/getTokens"
        #expect(FaultPattern(pattern, hasSegments: true).canMatch(template: template) == expected)
    }
}
