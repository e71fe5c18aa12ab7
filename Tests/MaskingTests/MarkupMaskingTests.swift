import Masking
import Testing
import Wire

/// Secrets in forms that no operation takes, and a client sends all the same.
@Suite struct MarkupMaskingTests {
    static let cases: [MaskingCase] = [
        MaskingCase("an element", "<c><cvv>123</cvv><a>1</a></c>", "<c><cvv>***</cvv><a>1</a></c>"),
        MaskingCase("a prefix", "<n:c><n:otp>12 34</n:otp></n:c>", "<n:c><n:otp>***</n:otp></n:c>"),
        MaskingCase(
            "attributes of its own",
            "<pan a='1'> 9999999999999999 </pan>",
            "<pan a='1'> ************9999 </pan>"
        ),
        MaskingCase("CDATA", "<password><![CDATA[a b]]></password>", "<password>***</password>"),
        MaskingCase("cut in the value", "<privateKey>MIIE", "<privateKey>***"),
        MaskingCase("an attribute", #"<card cvv="123" a="1"/>"#, #"<card cvv="***" a="1"/>"#),
        MaskingCase("an attribute in single quotes", "<card otp='123456'/>", "<card otp='***'/>"),
        MaskingCase(
            "markup in JSON",
            #"{"x":"<cvv>1<\/cvv> <c pin=\"12\">"}"#,
            #"{"x":"<cvv>***<\/cvv> <c pin=\"***\">"}"#
        ),
        MaskingCase("an empty element", kept: "<cvv/><cvv></cvv>"),
        MaskingCase("another element", kept: "<cvvResult>M</cvvResult>"),
        MaskingCase("what a signature leaves", kept: #"{"a":"x.<signature>","b":"y.<signature>"}"#),
        MaskingCase("a signature", "<signature>abc</signature>", "<signature>***</signature>"),
        MaskingCase(
            "a part of a form",
            "--b\r\nContent-Disposition: form-data; name=\"cvv\"\r\n\r\n123\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"cvv\"\r\n\r\n***\r\n--b--"
        ),
        MaskingCase(
            "a code in a part",
            "--b\r\nContent-Disposition: form-data; name=\"code\"\r\n\r\n123456\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"code\"\r\n\r\n***\r\n--b--"
        ),
        MaskingCase(
            "longer than a code",
            kept: "--b\r\nContent-Disposition: form-data; name=\"code\"\r\n\r\n12345678901234567\r\n--b--"
        ),
        MaskingCase(
            "a part with a type",
            "--b\nContent-Disposition: form-data; name=\"otp\"; a=1\nContent-Type: text/plain\n\n1-2\n--b--",
            "--b\nContent-Disposition: form-data; name=\"otp\"; a=1\nContent-Type: text/plain\n\n***\n--b--"
        ),
        MaskingCase(
            "parameters in a URL in JSON",
            #"{"url":"https://a.example/x?a=1&cvv=123&otp=99#top"}"#,
            #"{"url":"https://a.example/x?a=1&cvv=***&otp=***#top"}"#
        ),
        MaskingCase("parameters after an entity", "x?a=1&amp;password=p%20q", "x?a=1&amp;password=***"),
        MaskingCase("words", kept: "the code=123456 of key = value"),
    ]

    @Test(arguments: cases)
    func `secrets are masked by the name that stands beside them`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
        #expect(Masking.text(example.masked) == example.masked)
    }

    @Test(arguments: [nil, "application/json", "text/plain", "application/x-www-form-urlencoded"])
    func `a form is one whatever it is called`(_ type: String?) {
        let masked = Masking.body(Array("cvv=123&client_secret=a%26b&x=1".utf8), contentType: type)
        #expect(masked == "cvv=***&client_secret=***&x=1")
    }

    static let headers: [MaskingCase] = [
        MaskingCase("x-session-token", "q83vEjRWeJCrze8S", "***"), MaskingCase("x-auth-token", "a", "***"),
        MaskingCase("x-client-secret", "s3", "***"), MaskingCase("client-secret", "s3", "***"),
        MaskingCase("x-otp", "123456", "***"), MaskingCase("x-cvv", "123", "***"),
        MaskingCase("x-activation-code", "12", "***"), MaskingCase("x-forwarded-authorization", "Bearer a", "***"),
        MaskingCase("access-token", "q83vEjRWeJCrze8S", "***"),
        MaskingCase("x-pan", "9999999999999999", "************9999"),
        MaskingCase("x-anything", "Bearer q83vEjRWeJCrze8S", "Bearer ***"),
        MaskingCase("x-sandbox-tenant", kept: "suite-1"), MaskingCase("idempotency-key", kept: "abc"),
        MaskingCase("x-request-id", kept: "id-1"), MaskingCase("x-sandbox-fault", kept: "delay=5"),
    ]

    @Test(arguments: headers)
    func `a header is a credential by its name`(_ example: MaskingCase) {
        #expect(Masking.header(example.name, example.text) == example.masked)
        #expect(Masking.header(example.name, example.masked) == example.masked)
    }

    private static func der(_ head: [UInt8]) -> [UInt8] {
        head + (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    }

    static let keys: [(name: String, bytes: [UInt8])] = [
        ("PKCS #8", der([0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00, 0x30, 0x0D])),
        ("PKCS #8 of a curve", der([0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13])),
        ("PKCS #1", der([0x30, 0x82, 0x04, 0xA3, 0x02, 0x01, 0x00, 0x02, 0x82, 0x01, 0x01])),
        ("RFC 5915", der([0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20])),
    ]

    @Test(arguments: keys.map(\.name))
    func `a private key without its PEM lines is masked`(_ name: String) throws {
        let bytes = try #require(Self.keys.first { $0.name == name }).bytes
        for text in [Base64.encode(bytes), Base64.encode(bytes, .url), Hex.encode(bytes)] {
            #expect(Masking.text(#"{"x":"\#(text)"}"#) == #"{"x":"<masked private key>"}"#)
            #expect(Masking.text("/v1/issuers/\(text.prefix(120))") == "/v1/issuers/<masked private key>")
        }
    }

    @Test(arguments: [
        [0x30, 0x82, 0x02, 0x0A, 0x02, 0x82, 0x02, 0x01], [0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09],
        [0x30, 0x45, 0x02, 0x21, 0x00, 0xA1, 0x02, 0x03], [0x30, 0x82, 0x02, 0x14, 0x06, 0x09, 0x2A, 0x86],
    ])
    func `public keys, certificates, signatures and payloads stay`(_ head: [UInt8]) {
        let text = Base64.encode(Self.der(head))
        #expect(Masking.text(text) == text)
    }

    @Test func `a JWT's signature is taken out when something is glued to its header`() {
        let (header, claims) = (EncodedMaskingTests.jwtHeader, EncodedMaskingTests.claims)
        let signature = EncodedMaskingTests.signature
        #expect(Masking.text("x\(header).\(claims).\(signature)") == "x\(header).\(claims).<signature>")
        let twice = "/a/\(header).\(claims).\(signature)/b/\(header).\(claims).\(signature)"
        #expect(!Masking.text(twice).contains("Ab3-_x"))
    }

    @Test func `what authenticates a card shows four characters at most`() {
        let tav = Base64.encode(Array(#"{"version":"3","signature":"q83vEjRWeJCrze8S"}"#.utf8))
        #expect(Masking.text(#"{"activationData":"\#(tav)"}"#) == #"{"activationData":"***\#(tav.suffix(4))"}"#)
        #expect(Masking.text("see \(tav)") == "see <masked base64 \(tav.utf8.count) characters>")
        #expect(Masking.text(#"{"cryptogram":"AgAAAA=="}"#) == #"{"cryptogram":"***"}"#)
        // What the journal writes for a value that no seed decides.
        let random = #"{"activationData":"<random 535 bytes>"}"#
        #expect(Masking.text(random) == random)
    }
}
