import Testing
import Wire

/// `JSON.wholeNumber`: what JSON Schema calls an integer.
struct WholeNumberTests {
    @Test(
        arguments: [
            ("5", 5), ("-5", -5), ("5.0", 5), ("5e0", 5), ("1.5e1", 15), ("0.0", 0), ("-0", 0),
            ("9007199254740992", 1 << 53), ("9007199254740992.0", 1 << 53),
            ("5.5", nil), ("1e-1", nil), ("1e17", nil), ("1e400", nil),
        ] as [(String, Int64?)]
    )
    func `a number is whole by its value, not by its form`(text: String, expected: Int64?) {
        #expect(JSON.number(text).wholeNumber == expected)
    }

    @Test func `nothing else is a number`() {
        for value in [JSON.string("5"), .bool(true), .null, [5]] { #expect(value.wholeNumber == nil) }
    }
}
