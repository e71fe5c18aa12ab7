import Testing
import Wire

/// A reader as small as one can be.
private struct Members: MemberReader {
    struct Fault: Error, Equatable {
        let pointer: String
        let wanted: String?
    }

    let cursor: JSONCursor

    init(_ cursor: JSONCursor) { self.cursor = cursor }

    static func notObject(_ value: JSON, at pointer: String) -> Fault { Fault(pointer: pointer, wanted: "an object") }
    func missing(_ name: String) -> Fault { Fault(pointer: cursor.pointer(to: name), wanted: nil) }
    func invalid(_ name: String, _ wanted: String) -> Fault { Fault(pointer: cursor.pointer(to: name), wanted: wanted) }
}

@Suite struct MemberReaderTests {
    private enum Word: String, CaseIterable { case red, green }

    private static let document: JSON = [
        "text": "a", "empty": "", "null": nil, "flag": true, "number": 7, "word": "red",
        "texts": ["a", "b"], "mixed": ["a", 1], "object": ["text": "b", "inner": ["c/d": [["text": 1]]]],
        "objects": [["text": "c"], ["text": nil]], "bad": [[:], 1],
    ]

    @Test func `a member is read as its type, and null counts as absent`() throws {
        let members = try Members(Self.document)
        #expect(try members.string("text") == "a" && members.optionalString("null") == nil && !members.has("null"))
        #expect(try members.optionalString("text", "b") { $0 == "a" ? 1 : nil } == 1)
        #expect(try members.bool("flag", default: false) && members.bool("none", default: true))
        #expect(try members.integer("number", in: 1...7) == 7 && members.integer("none", in: 1...7) == nil)
        #expect(try members.requiredWord("word", Word.self) == .red && members.word("none", Word.self) == nil)
        #expect(try members.strings("texts") == ["a", "b"] && members.array("none").isEmpty)
        #expect(try members.fields("object")?.string("text") == "b" && members.fields("null") == nil)
        #expect(try members.list("objects").map { try $0.optionalString("text") } == ["c", nil])
    }

    private struct Wrong: Sendable {
        let pointer: String
        let wanted: String?
        let read: @Sendable (Members) throws -> Void

        init(_ pointer: String, _ wanted: String?, _ read: @escaping @Sendable (Members) throws -> Void) {
            (self.pointer, self.wanted, self.read) = (pointer, wanted, read)
        }
    }

    private static let wrongs = [
        Wrong("/none", nil) { _ = try $0.string("none") }, Wrong("/null", nil) { _ = try $0.string("null") },
        Wrong("/none", nil) { _ = try $0.requiredWord("none", Word.self) },
        Wrong("/empty", "a text of at least one character") { _ = try $0.string("empty") },
        Wrong("/number", "a text of at least one character") { _ = try $0.optionalString("number") },
        Wrong("/text", "b") { _ = try $0.optionalString("text", "b") { $0 == "b" ? 1 : nil } },
        Wrong("/text", "true or false") { _ = try $0.bool("text", default: true) },
        Wrong("/number", "a whole number from 1 to 6") { _ = try $0.integer("number", in: 1...6) },
        Wrong("/text", "one of red, green") { _ = try $0.word("text", Word.self) },
        Wrong("/object", "a list") { _ = try $0.array("object") },
        Wrong("/mixed/1", "a text") { _ = try $0.strings("mixed") },
        Wrong("/text", "an object") { _ = try $0.fields("text") },
        Wrong("/bad/1", "an object") { _ = try $0.list("bad") },
        Wrong("/objects/1/text", nil) { _ = try $0.list("objects")[1].string("text") },
        Wrong("/object/inner/c~1d/0/text", "a text of at least one character") {
            _ = try $0.fields("object")?.fields("inner")?.list("c/d")[0].string("text")
        },
    ]

    @Test func `the first mistake is thrown in the reader's words, with the pointer to where it is`() throws {
        let members = try Members(Self.document)
        for wrong in Self.wrongs {
            let fault = #expect(throws: Members.Fault.self) { try wrong.read(members) }
            #expect(fault == Members.Fault(pointer: wrong.pointer, wanted: wrong.wanted))
        }
        #expect(throws: Members.Fault(pointer: "/a", wanted: "an object")) { try Members("x", at: "/a") }
    }

    @Test func `a log learns what was read, declared or kept whole, inside too`() throws {
        let log = MemberLog()
        let members = try Members(
            ["a": 1, "b": 2, "in": ["c": 3, "d": 4], "all": ["x": 1], "id": "1", "other": "1"],
            log: log
        )
        members.expect("a", "in", "all")
        members.cursor.expect("id", again: "1")
        members.cursor.expect("other", again: "2")
        let inside = try #require(try members.fields("in"))
        _ = inside.value("c")
        #expect(try members.fields("all")?.cursor.whole.keys == ["x"])
        #expect(log.unknown(isRefused: false) == ["/b", "/other", "/in/d"])
        #expect(members.cursor.names(besides: ["a", "b", "in", "all", "id"]) == ["other"])
    }
}
