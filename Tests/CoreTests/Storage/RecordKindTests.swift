import Core
import Foundation
import Testing

/// The list of the domain's kinds: an import can hold no kind that is not in it.
struct RecordKindTests {
    /// Every `kind` that a source of the package declares.
    private static func declared() throws -> [String] {
        let root = #filePath.components(separatedBy: "/Tests/")[0] + "/Sources/Core"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file -> [String] in
            try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8).components(separatedBy: "\n")
                .compactMap { line in
                    let parts = line.components(separatedBy: "static let kind = \"")
                    return parts.count == 2 ? parts[1].components(separatedBy: "\"")[0] : nil
                }
        }
    }

    @Test func `every kind that the domain declares is in the list, once`() throws {
        let kinds = RecordKinds.domain.map { $0.kind }
        #expect(kinds.sorted() == (try Self.declared()).sorted())
        #expect(Set(kinds).count == kinds.count)
    }
}
