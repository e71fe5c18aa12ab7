import Masking
import Testing

@Suite struct HTTPMaskingTests {
    static let headers: [MaskingCase] = [
        MaskingCase("authorization", "Bearer abc.def", "Bearer ***"),
        MaskingCase("authorization", #"OAuth oauth_signature="x", oauth_nonce="4""#, "OAuth ***"),
        MaskingCase("authorization", "justatoken", "***"),
        MaskingCase("authorization", "4111111111111111 x", "***"),
        MaskingCase("proxy-authorization", "Basic dXNlcjpwYXNz", "Basic ***"),
        MaskingCase("x-pay-token", "xv2:1767225600:9f86d081", "xv2:***"),
        MaskingCase("cookie", "a=b; c=d", "***"),
        MaskingCase("x-request-id", "4111111111111111", "************1111"),
        MaskingCase("location", "/cards?pan=9999999999999&x=1", "/cards?pan=*********9999&x=1"),
        MaskingCase("content-type", kept: "application/json"),
        MaskingCase("date", kept: "Thu, 01 Jan 2026 00:00:00 GMT"),
    ]

    @Test(arguments: headers)
    func `credentials keep their scheme word`(_ example: MaskingCase) {
        #expect(Masking.header(example.name, example.text) == example.masked)
        #expect(Masking.header(example.name, example.masked) == example.masked)
    }

    @Test(arguments: [
        MaskingCase("a parameter", "/x?cvv=123&a=1", "/x?cvv=***&a=1"),
        MaskingCase("any card number", "/x?a=1&pan=99999999%2099999999", "/x?a=1&pan=************9999"),
        MaskingCase("a code", "/x?code=123456", "/x?code=***"),
        MaskingCase("a named code", kept: "/x?code=ABC&diagnosis=JWT_EXPIRED"),
        MaskingCase("the path", kept: "/key=1/cvv=2"),
    ])
    func `parameters are masked by name`(_ example: MaskingCase) {
        #expect(Masking.target(example.text) == example.masked)
        #expect(Masking.target(example.masked) == example.masked)
    }

    @Test func `a form is masked by name`() {
        let body = Array("cvv=123&name=Ana+Garcia&pan=4111+1111+1111+1111".utf8)
        let masked = Masking.body(body, contentType: "application/x-www-form-urlencoded; charset=utf-8")
        #expect(masked == "cvv=***&name=Ana+Garcia&pan=************1111")
    }

    @Test(arguments: [
        "access_token", "accessToken", "refresh_token", "refreshToken", "session_token", "sessionToken", "bindingHash",
    ])
    func `a bearer's secret in a form, a query and a document shows four characters`(_ name: String) {
        let secret = "q83vEjRWeJCrze8SNFZ4kA"
        let form = Masking.body(
            Array("a=1&\(name)=\(secret)&b=2".utf8),
            contentType: "application/x-www-form-urlencoded"
        )
        #expect(form == "a=1&\(name)=***Z4kA&b=2")
        #expect(Masking.target("/x?\(name)=\(secret)") == "/x?\(name)=***Z4kA")
        #expect(Masking.text(#"{"\#(name)":"\#(secret)"}"#) == #"{"\#(name)":"***Z4kA"}"#)
    }

    @Test(arguments: ["client_secret", "clientSecret", "shared_secret", "sharedSecret", "password"])
    func `a shared secret in a form shows nothing`(_ name: String) {
        let form = "\(name)=q83vEjRWeJCrze8SNFZ4kA&b=2"
        let masked = Masking.body(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        #expect(masked == "\(name)=***&b=2")
    }

    @Test func `a client assertion in a form loses its signature`() {
        let assertion = "\(EncodedMaskingTests.jwtHeader).\(EncodedMaskingTests.claims)."
        let form = "client_assertion=\(assertion)\(EncodedMaskingTests.signature)&assertion=\(assertion)AbCd"
        let masked = Masking.body(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        #expect(masked == "client_assertion=\(assertion)<signature>&assertion=\(assertion)<signature>")
    }

    @Test func `a long body is cut and says so`() {
        let body = Masking.body(Array(repeating: UInt8(ascii: "x"), count: 20_000))
        #expect(body.hasSuffix("x<cut, 3616 bytes>"))
        #expect(body.utf8.count == 16_384 + 17)
    }

    @Test func `a cut leaves no part of a secret`() {
        for place in 70...130 {
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: place)
            for secret in ["\"4111111111111111\"", #""cvv":"123""#, "\"" + EncodedMaskingTests.base64 + "\""] {
                let bytes = padding + Array(secret.utf8) + [UInt8](repeating: UInt8(ascii: "."), count: 5_000)
                let text = Masking.body(bytes, limit: 100).split(separator: "<cut")[0]
                #expect(!text.contains("41111") && !text.contains("12") && !text.contains("eyJwYW4iOiI"), "\(place)")
            }
        }
    }

    @Test func `a character at the cut is left out whole`() {
        #expect(Masking.body(Array("aé".utf8) + [0x62], limit: 2) == "a<cut, 2 bytes>")
    }

    @Test func `bytes that are not text become replacement characters`() {
        #expect(Masking.body([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(Masking.body([0xC3] + Array("4111111111111111".utf8) + [0x80]) == "\u{FFFD}************1111\u{FFFD}")
    }

    @Test func `a body is masked the same way each time, also between many others`() {
        let secret = Array(
            #"{"name":"somebody who pays","number":"4111111111111111","code":"a longer text of the body"}"#.utf8
        )
        let clean = Array(#"{"name":"somebody who pays","number":"none","code":"a longer text of the body, é"}"#.utf8)
        let plain = Array(#"{"name":"somebody who pays","number":"none","code":"a longer text of the body, e"}"#.utf8)
        for round in 0..<3 {
            #expect(
                Masking.body(secret)
                    == String(decoding: secret, as: UTF8.self).replacing("411111111111", with: "************")
            )
            #expect(Masking.body(clean) == String(decoding: clean, as: UTF8.self))
            #expect(Masking.body(plain) == String(decoding: plain, as: UTF8.self))
            // A form is searched in another way, whatever the same bytes were before.
            #expect(Masking.body(Array("pin=1234&".utf8) + plain).hasPrefix("pin=***&"))
            for number in 0..<600 {
                _ = Masking.body(Array("\(round) \(number) \(String(repeating: "x", count: 100))".utf8))
            }
        }
    }
}
