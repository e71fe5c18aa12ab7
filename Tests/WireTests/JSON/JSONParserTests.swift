import Testing
import Wire

@Suite struct JSONParserTests {
    struct Broken: CustomTestStringConvertible, Sendable {
        let bytes: [UInt8]
        let reason: JSONFault.Reason
        let offset: Int
        let pointer: String

        init(_ text: String, _ reason: JSONFault.Reason, _ offset: Int, _ pointer: String = "") {
            self.init(Array(text.utf8), reason, offset, pointer)
        }

        init(_ bytes: [UInt8], _ reason: JSONFault.Reason, _ offset: Int, _ pointer: String = "") {
            self.bytes = bytes
            self.reason = reason
            self.offset = offset
            self.pointer = pointer
        }

        var testDescription: String { "\(String(decoding: bytes.prefix(40), as: UTF8.self)) \(reason)" }
    }

    static let broken: [Broken] = [
        Broken("", .empty, 0),
        Broken(" \r\n\t", .empty, 4),
        Broken([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark, 0),
        Broken([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], .byteOrderMark, 0),
        Broken([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], .byteOrderMark, 0),
        Broken([0x7B, 0x00, 0x7D, 0x00], .syntax, 1),
        Broken("undefined", .syntax, 0),
        Broken("nul ", .syntax, 3),
        Broken("NaN", .syntax, 0),
        Broken("'a'", .syntax, 0),
        Broken("{a:1}", .syntax, 1),
        Broken("{\"a\" 1}", .syntax, 5, "/a"),
        Broken("{\"a\":1 \"b\":2}", .syntax, 7),
        Broken("{,}", .syntax, 1),
        Broken("[1 2]", .syntax, 3),
        Broken("[,1]", .syntax, 1, "/0"),
        Broken("{\"a\":}", .syntax, 5, "/a"),
        Broken("// x\n1", .syntax, 0),
        Broken([0x00], .syntax, 0),
        Broken([0x5B, 0xC3, 0x28, 0x5D], .syntax, 1, "/0"),
        Broken("{\"a\":1,\"b\":2,\"a\":3}", .duplicateKey, 13, "/a"),
        Broken("[{\"x\":{\"k\":1,\"\\u006b\":2}}]", .duplicateKey, 13, "/0/x/k"),
        Broken("[1,]", .trailingComma, 2),
        Broken("{\"a\":[{\"b\":1 , }]}", .trailingComma, 13, "/a/0"),
        Broken("{} {}", .trailingBytes, 3),
        Broken("1]", .trailingBytes, 1),
        Broken("null\0", .trailingBytes, 4),
        Broken([0x22, 0xC3, 0x28, 0x22], .invalidUTF8, 1),
        Broken([0x22, 0xC0, 0xAF, 0x22], .invalidUTF8, 1),
        Broken([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, 1),
        Broken([0x22, 0x5C, 0x6E, 0xFF, 0x22], .invalidUTF8, 3),
        Broken([0x22, 0x61, 0xC3, 0xA9, 0xC3, 0x22], .invalidUTF8, 4),
        Broken([0x22, 0xC3, 0x5C, 0x75, 0x30, 0x30, 0x61, 0x39, 0x22], .invalidUTF8, 1),
        Broken([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, 1),
        Broken(Array("{\"a\":\"é".utf8) + [0x80, 0x22, 0x7D], .invalidUTF8, 8, "/a"),
        Broken([0x7B, 0x22, 0xF5, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, 2),
        Broken("[\"\\ud800\"]", .loneSurrogate, 2, "/0"),
        Broken("\"\\udc00\"", .loneSurrogate, 1),
        Broken("\"a\\ud83d\\u0041\"", .loneSurrogate, 2),
        Broken("\"\\ud83dx\"", .loneSurrogate, 1),
        Broken("\"\\ud83d\\n\"", .loneSurrogate, 1),
        Broken("\"a\\q\"", .invalidEscape, 2),
        Broken("\"\\u12g4\"", .invalidEscape, 5),
        Broken("\"\\u12\"", .invalidEscape, 5),
        Broken("\"\\U0041\"", .invalidEscape, 1),
        Broken([0x22, 0x61, 0x00, 0x22], .controlCharacter, 2),
        Broken("{\"a\":\"x\ty\"}", .controlCharacter, 7, "/a"),
        Broken("\"\\n\n\"", .controlCharacter, 3),
        Broken("01", .numberFormat, 0),
        Broken("-01", .numberFormat, 0),
        Broken("+1", .numberFormat, 0),
        Broken(".5", .numberFormat, 0),
        Broken("[1.]", .numberFormat, 1, "/0"),
        Broken("1e", .numberFormat, 0),
        Broken("1e+", .numberFormat, 0),
        Broken("-", .numberFormat, 0),
        Broken("-a", .numberFormat, 0),
        Broken("{\"pan\":9007199254740993}", .numberRange, 7, "/pan"),
        Broken("-9007199254740993", .numberRange, 0),
        Broken("99999999999999999999999999", .numberRange, 0),
        Broken("1e400", .numberRange, 0),
        Broken("9007199254740993.0", .numberRange, 0),
        Broken("[-9.1e15]", .numberRange, 1, "/0"),
        Broken("{\"exp\":1e300}", .numberRange, 7, "/exp"),
        Broken("{\"pan\":6.3049600000000000e18}", .numberRange, 7, "/pan"),
        Broken(String(repeating: "[", count: 65), .depth, 64, String(repeating: "/0", count: 64)),
        Broken(String(repeating: "{\"a\":", count: 65), .depth, 320, String(repeating: "/a", count: 64)),
        Broken("{", .truncated, 1),
        Broken("{\"a\"", .truncated, 4, "/a"),
        Broken("{\"a\":", .truncated, 5, "/a"),
        Broken("{\"a\":1", .truncated, 6),
        Broken("{\"a\":1,", .truncated, 7),
        Broken("[1,", .truncated, 3, "/1"),
        Broken("tru", .truncated, 3),
        Broken("\"abc", .truncated, 4),
        Broken("\"a\\n", .truncated, 4),
        Broken("\"\\", .truncated, 2),
        Broken("\"\\u12", .truncated, 5),
        Broken("{\"a/b\":{\"c~d\":[0,tru]}}", .syntax, 20, "/a~1b/c~0d/1"),
    ]

    @Test(arguments: broken) func `a broken text is refused with reason, offset and pointer`(_ broken: Broken) {
        let expected = JSONFault(reason: broken.reason, offset: broken.offset, pointer: broken.pointer)
        #expect(throws: expected) { try JSON.parse(broken.bytes) }
    }

    @Test func `every reason is in the table of broken texts`() {
        #expect(Set(Self.broken.map(\.reason)) == Set(JSONFault.Reason.allCases))
    }

    @Test func `names that look alike and differ in their bytes are two members`() throws {
        let object = try #require(try JSON.parse("{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}").object)
        let found = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "k"].map { object[$0]?.integer }
        #expect(found == [1, 2, 3, 4, nil])
    }

    @Test func `texts are compared by their bytes`() throws {
        let pairs = try [("\"\u{E9}\"", "\"e\u{301}\""), ("{\"K\":1}", "{\"\u{212A}\":1}"), ("1.0", "1.00")]
            .map { (try JSON.parse($0), try JSON.parse($1)) }
        #expect(pairs.allSatisfy { $0 == $0 && $0 != $1 })
    }

    static let good: [(text: String, value: JSON)] = [
        ("null", nil), (" true ", true), ("false", false), ("\"\"", ""), ("{}", .object(JSONObject())),
        ("[]", .array([])), ("[ ]", .array([])), ("-0", .number("-0")), ("1.50", .number("1.50")),
        ("1E+2", .number("1E+2")), ("9007199254740991.0", .number("9007199254740991.0")),
        ("4.5e15", .number("4.5e15")), ("0.1e-7", .number("0.1e-7")), ("9007199254740992", 9_007_199_254_740_992),
        ("-9007199254740992", -9_007_199_254_740_992), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
        ("\"\\u0000\\u00e9\\uD83D\\ude00\\uFFFF\"", "\0\u{E9}\u{1F600}\u{FFFF}"),
        ("\"\u{7F}\u{2028}é\"", "\u{7F}\u{2028}é"),
        ("\r\n[1,\t{\"a\":[]} ]", [1, ["a": []]]),
        ("{\"b\":1,\"a\":{\"c\":null}}", ["b": 1, "a": ["c": nil]]),
    ]

    @Test func `what JSON allows is read`() {
        let wrong = Self.good.filter { (try? JSON.parse($0.text)) != $0.value }
        #expect(wrong.map(\.text) == [])
    }

    @Test func `sixty-four levels are read, and a caller may allow fewer`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        let fault = #expect(throws: JSONFault.self) { try JSON.parse(Array("[[1]]".utf8), maximumDepth: 1) }
        #expect(try JSON.parse(deep).text == deep && fault?.reason == .depth)
    }

    @Test func `random bytes never trap and never read as something else`() {
        var random = Generator(seed: 7)
        let alphabet = Array("{}[]\",:\\u0129eE+-. tfn\u{E9}".utf8) + [0x00, 0xFF]
        let wrong = (0..<4_000).compactMap { _ -> String? in
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            guard let value = try? JSON.parse(bytes) else { return nil }
            return (try? JSON.parse(value.bytes)) == value ? nil : Hex.encode(bytes)
        }
        #expect(wrong == [])
    }

    @Test(arguments: ["9007199254740993", "-9007199254740993", "18446744073709551616"])
    func `an integer beyond 2^53 is read where the sandbox wrote it itself`(_ text: String) throws {
        let document = Array(text.utf8)
        #expect(throws: JSONFault.self) { try JSON.parse(document) }
        #expect(try JSON.parse(document, integers: .any) == .number(text))
        #expect(throws: JSONFault.self) { try JSON.parse(document + [0x30, 0x2E], integers: .any) }
        let fraction = document + [0x2E, 0x30]
        #expect(try JSON.parse(fraction, integers: .any) == .number(text + ".0"))
    }
}
