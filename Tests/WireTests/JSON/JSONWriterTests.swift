import Testing
import Wire

@Suite struct JSONWriterTests {
    static let written: [(value: JSON, text: String)] = [
        (nil, "null"), (true, "true"), (false, "false"), (-12, "-12"), (.number("1.50"), "1.50"),
        ("a/b", "\"a/b\""), ("\"\\", "\"\\\"\\\\\""), ("\n\r\t", "\"\\n\\r\\t\""),
        ("\0\u{8}\u{C}\u{1F}\u{7F}", "\"\\u0000\\u0008\\u000c\\u001f\u{7F}\""), ("é\u{2028}😀", "\"é\u{2028}😀\""),
        ([], "[]"), (.object(JSONObject()), "{}"), ([1, "x", nil], "[1,\"x\",null]"),
        (["b": 1, "a": ["z": [], "y": nil]], "{\"b\":1,\"a\":{\"z\":[],\"y\":null}}"),
        (["a\"\n": 1], "{\"a\\\"\\n\":1}"), (.strings(["a", "b"]), "[\"a\",\"b\"]"), (.optional(nil), "null"),
        (.optional("x"), "\"x\""), (.number(UInt8(7)), "7"),
    ]

    @Test func `values are written without spaces, members in order`() {
        #expect(Self.written.filter { $0.value.text != $0.text }.map(\.text) == [])
    }

    @Test func `what is written reads as the same value`() {
        var random = Generator(seed: 3)
        let values = (0..<300).map { _ in random.json(depth: 4) } + Self.written.map(\.value)
        #expect(values.filter { (try? JSON.parse($0.bytes)) != $0 }.map(\.text) == [])
    }

    @Test func `an object keeps its order when members change`() {
        var object = JSONObject([("a", 1), ("b", 2), ("c", 3)])
        object["b"] = 5
        object["a"] = nil
        object["d"] = 4
        object["e"] = nil
        #expect(JSON.object(object).text == "{\"b\":5,\"c\":3,\"d\":4}")
    }

    @Test func `values are looked at without conversion`() {
        let json: JSON = [
            "s": "1", "i": 1, "f": .number("1.0"), "e": .number("1e2"), "big": .number("9223372036854775808"),
            "b": true,
            "n": nil, "a": [2],
        ]
        let integers = ["s", "i", "f", "e", "big", "b", "n", "x"].map { json[$0]?.integer }
        let others = [
            json["s"]?.string == "1", json["i"]?.string == nil, json["b"]?.bool == true, json["s"]?.bool == nil,
            json["a"]?.array == [2], json["a"]?["a"] == nil, json["n"]?.isNull == true, json["x"] == nil,
            json.object?.keys.count == 8,
        ]
        let types = ["s", "i", "b", "n", "a"].map { json[$0]?.typeName } + [json.typeName]
        #expect(integers == [nil, 1, nil, nil, nil, nil, nil, nil] && others.allSatisfy { $0 })
        #expect(types == ["string", "number", "boolean", "null", "array", "object"])
    }

    @Test func `a pointer escapes tilde and slash, whatever follows them`() {
        let escaped = ["a", "a/b", "~1", "/~", "~\u{301}", ""].map(JSONPointer.escape)
        #expect(escaped.map { Array($0.utf8) } == ["a", "a~1b", "~01", "~1~0", "~0\u{301}", ""].map { Array($0.utf8) })
    }
}
