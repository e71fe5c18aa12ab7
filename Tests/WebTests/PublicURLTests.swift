import Testing
import Web

struct PublicURLTests {
    @Test(arguments: [
        ("https://a.test", "https a.test -"), ("HTTP://a.test:80/", "http a.test:80 -"),
        ("https://u:s@a.test/box/", "https a.test /box"), ("https://[::1]:8443/a/b//", "https [::1]:8443 /a/b"),
        ("https://a.test//", "https a.test -"), ("a.test", nil), ("ftp://a.test", nil), ("https://", nil),
        ("https://a.test?x", nil), ("https://a.test/#x", nil), ("https://a.test:0", nil), ("https://a b", nil),
    ])
    func `an address has scheme, authority and path`(_ text: String, _ parts: String?) {
        let url = PublicURL(text)
        #expect(url.map { "\($0.scheme) \($0.authority) \($0.path.isEmpty ? "-" : $0.path)" } == parts)
    }

    @Test(arguments: [
        ("/box/a?b", "/a?b"), ("/box", "/"), ("/box?x", "/?x"), ("/boxes/a", nil), ("/a/box", nil), ("/", nil),
    ])
    func `the rest of a target below the path begins with a slash`(_ target: String, _ rest: String?) {
        #expect(PublicURL("https://a.test/box")?.rest(of: target) == rest)
        #expect(PublicURL("https://a.test/")?.rest(of: target) == nil)
    }
}
