import Masking
import Testing
import Wire

@Suite struct EncodedMaskingTests {
    static let document = Array(#"{"pan":"4111111111111111","exp":"1229"}"#.utf8)
    static let base64 = Base64.encode(document)
    static let base64url = Base64.encode(document, .url)
    static let hex = Hex.encode(document)
    /// base64url of a text.
    static func spaced(_ text: String) -> String { Base64.encode(Array(text.utf8), .url) }

    static let jwtHeader = Base64.encode(Array(#"{"alg":"RS256","kid":"demobank01-auth-1"}"#.utf8), .url)
    static let claims = Base64.encode(Array(#"{"iss":"DEMOBANK01","sub":"card-visa","iat":1767225600}"#.utf8), .url)
    static let signature = String(repeating: "Ab3-_x", count: 57)

    static func mark(_ kind: String, _ text: String) -> String { "<masked \(kind) \(text.utf8.count) characters>" }

    static let masked: [MaskingCase] = [
        MaskingCase("base64", #"{"data":"\#(base64)"}"#, #"{"data":"\#(mark("base64", base64))"}"#),
        MaskingCase("base64 after an escaped slash", "x\\/\(base64)", mark("base64", "x/" + base64)),
        MaskingCase("base64url", base64url, mark("base64", base64url)),
        MaskingCase(
            "base64 of the digits alone",
            Base64.encode(Array("4111111111111111".utf8)),
            "<masked base64 24 characters>"
        ),
        MaskingCase(
            "base64 of groups",
            Base64.encode(Array("n=4111 1111 1111 1111".utf8), .url),
            "<masked base64 28 characters>"
        ),
        MaskingCase("base64 in a path", "/v1/cards/\(base64url)/state", "/v1/cards/\(mark("base64", base64url))/state"),
        MaskingCase(
            "base64 in a query, encoded",
            "/v1?data=\(Base64.encode(document.dropLast(), .url))%3D",
            "/v1?data=<masked base64 52 characters>"
        ),
        MaskingCase(
            "base64 of base64",
            Base64.encode(Array(base64.utf8), .url),
            mark("base64", Base64.encode(Array(base64.utf8), .url))
        ),
        MaskingCase(
            "base64 after other bytes",
            Base64.encode([0, 1, 2, 3, 200] + document, .url),
            mark("base64", Base64.encode([0, 1, 2, 3, 200] + document, .url))
        ),
        MaskingCase("glued to a word", "ref_\(base64url)", mark("base64", "ref_" + base64url)),
        MaskingCase("hexadecimal", hex, mark("hex", hex)),
        MaskingCase("hexadecimal, capitals", hex.uppercased(), mark("hex", hex)),
        MaskingCase(
            "hexadecimal of the digits",
            Hex.encode(Array("4111111111111111".utf8)),
            "<masked hex 32 characters>"
        ),
        MaskingCase(
            "hexadecimal from an odd place",
            "f" + Hex.encode(Array("5123456789012345".utf8)) + "e",
            "<masked hex 34 characters>"
        ),
        MaskingCase(
            "a security code in base64",
            Base64.encode(Array(#"{"cvv":"123","name":"Ana"}"#.utf8), .url),
            "<masked base64 35 characters>"
        ),
        MaskingCase("a JWT", "\(jwtHeader).\(claims).\(signature)", "\(jwtHeader).\(claims).<signature>"),
        MaskingCase(
            "a JWT in JSON",
            #"{"authorizationCode":"\#(jwtHeader).\#(claims).\#(signature)"}"#,
            #"{"authorizationCode":"\#(jwtHeader).\#(claims).<signature>"}"#
        ),
        MaskingCase(
            "a JWT with space around its objects",
            "\(spaced("\n{ \"alg\":\"RS256\"}")).\(spaced(" {\t\"sub\":\"a\"}")).\(signature)",
            "\(spaced("\n{ \"alg\":\"RS256\"}")).\(spaced(" {\t\"sub\":\"a\"}")).<signature>"
        ),
        MaskingCase("a name with dots", kept: "ewok-of-the-endor-moon.ewok.example"),
        MaskingCase("a detached JWS", "\(jwtHeader)..\(signature)", "\(jwtHeader)..<signature>"),
        MaskingCase(
            "a card number in a JWT",
            "\(jwtHeader).\(base64url).\(signature)",
            "\(jwtHeader).\(mark("base64", base64url)).<signature>"
        ),
    ]

    @Test(arguments: masked)
    func `a secret behind an encoding is masked`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
        #expect(Masking.text(example.masked) == example.masked)
    }

    static let kept: [MaskingCase] = [
        MaskingCase("base64 of harmless text", kept: Base64.encode(Array("the quick brown fox jumps 2026".utf8))),
        MaskingCase("a JWE", kept: "\(jwtHeader).QR1Owv2ug2WyPBnb.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT"),
        MaskingCase(
            "a certificate",
            kept: Base64.encode((0..<900).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 3) })
        ),
        MaskingCase("a hash", kept: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        MaskingCase("a long word", kept: "generateAddPaymentPassRequest"),
        MaskingCase("hexadecimal of text", kept: Hex.encode(Array("TSH-PAYLOAD-2048".utf8))),
        MaskingCase("version numbers", kept: "a.b.c eyJ.x.y 1.2.3"),
    ]

    @Test(arguments: kept)
    func `other encoded text stays`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
    }

    @Test func `a card number is found at every offset and in both alphabets`() {
        for offset in 0..<24 {
            for number in ["4111111111111111", "378282246310005", "5123 4567 8901 2345", "4222222222222"] {
                let bytes = Array(repeating: UInt8(ascii: "x"), count: offset) + Array("\"\(number)\"?>".utf8)
                for text in [Base64.encode(bytes), Base64.encode(bytes, .url), Hex.encode(bytes)] {
                    let masked = Masking.text("a=\"\(text)\"")
                    #expect(masked.hasPrefix("a=\"<masked "), "\(offset) \(number) \(text)")
                }
            }
        }
    }
}
