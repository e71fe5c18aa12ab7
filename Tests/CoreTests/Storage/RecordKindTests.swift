import Core
import Foundation
import Testing

/// The list of kinds: an import can hold no kind that is not in it.
struct RecordKindTests {
    /// Every `kind` that a source of the package declares.
    private static func declared() throws -> [String] {
        let root = #filePath.components(separatedBy: "/Tests/")[0] + "/Sources"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file -> [String] in
            try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8).components(separatedBy: "\n")
                .compactMap { line in
                    let parts = line.components(separatedBy: "static let kind = \"")
                    return parts.count == 2 ? parts[1].components(separatedBy: "\"")[0] : nil
                }
        }
    }

    @Test func `every kind that is declared is in the list, once`() throws {
        let kinds = RecordKinds.all.map { $0.kind }
        #expect(kinds.sorted() == (try Self.declared()).sorted())
        #expect(Set(kinds).count == kinds.count)
    }

    @Test func `a kind is found by its name`() {
        #expect(RecordKinds.all.allSatisfy { RecordKinds.type(named: $0.kind) == $0 })
        #expect(RecordKinds.type(named: "thing") == nil)
        #expect(RecordKinds.credentials.allSatisfy { kind in RecordKinds.all.contains { $0 == kind } })
    }
}
