import FoundationEssentials
import SandboxTesting
import Testing

/// Every row of the list of field cases is a test that names it, or waits for the face it is about.
struct FieldCaseTests {
    /// The list's numbers; it has gaps.
    private static let rows = [
        1, 2, 3, 4, 6, 7, 8, 10, 11, 13, 14, 15, 17, 19, 20, 21, 22, 25, 27, 28, 30, 31, 32, 34, 37, 38, 39, 40, 43, 46,
        48, 49, 51, 52, 54, 55, 56, 58, 60, 61, 62, 64, 65, 66, 69, 70, 72, 73, 74, 75, 77, 80, 81, 82, 84, 86, 88, 91,
        93, 94, 96, 99, 100, 101, 102, 105, 106, 108, 109, 110, 112, 113, 114, 115, 116, 117, 118, 120, 121, 122, 123,
        124,
        125,
    ]

    /// Rows about what is not served yet, or never will be.
    private static let later = [
        21: "Visa's request signing: the networks' own APIs", 22: "Mastercard's payload encryption: the same",
        55: "Mastercard's request signing: the same", 66: "idempotency keys: no face served now has one",
        80: "Google's wallet", 81: "Samsung's wallet", 82: "wallets beside Apple's",
        84: "addresses of key sets: an issuer's keys are put by the control API",
    ]

    /// Rows that only a whole process shows: a step of CI has their number.
    private static let steps = [124: ".ci/acceptance-net", 125: ".ci/smoke"]

    /// Numbers in the names of tests: `row 7:`, `row 15,`, `rows 43 and 77:`.
    private static func numbers() throws -> Set<Int> {
        var numbers: Set<Int> = []
        let root = packageRoot + "/Tests"
        // In two pieces, or this file would hold one more.
        let start = "func " + "`row"
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            for piece in text.split(separator: start).dropFirst() {
                let name = piece.prefix { $0 != ":" && $0 != "`" }
                let words = name.split { !$0.isNumber }
                // `row 15, an answer …` has one number, `rows 51, 52 and 91:` several.
                let count = name.hasPrefix("s") ? words.count : 1
                numbers.formUnion(words.prefix(count).compactMap { Int($0) })
            }
        }
        return numbers
    }

    @Test func `each row has a test by number, or a reason why not yet`() throws {
        let tested = try Self.numbers()
        let missing = Self.rows.filter { !tested.contains($0) && Self.later[$0] == nil && Self.steps[$0] == nil }
        #expect(missing == [])
        #expect(tested.subtracting(Self.rows) == [])
        for (number, step) in Self.steps {
            let text = try String(contentsOfFile: "\(packageRoot)/\(step)", encoding: .utf8)
            #expect(text.contains("row \(number): "), "\(step)")
        }
        #expect(Self.later.keys.filter { tested.contains($0) || !Self.rows.contains($0) } == [])
    }
}
