import FoundationEssentials
import SandboxTesting
import Testing

/// Files that the tests compare with what the code makes. `UPDATE_GOLDENS=1` writes them instead.
enum Golden {
    private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1"

    /// Compares a file of the package with the text it must have.
    static func check(_ path: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: packageRoot + "/" + path)
        if isUpdating {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return
        }
        let found = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let difference = difference(found, text)
        let comment = Comment(rawValue: "\(path): UPDATE_GOLDENS=1 writes it. \(difference ?? "")")
        #expect(difference == nil, comment, sourceLocation: sourceLocation)
    }

    /// The first line that differs.
    private static func difference(_ found: String?, _ wanted: String) -> String? {
        guard let found else { return "there is no such file" }
        guard found != wanted else { return nil }
        let lines = (
            found.split(separator: "\n", omittingEmptySubsequences: false),
            wanted.split(separator: "\n", omittingEmptySubsequences: false)
        )
        for (index, pair) in zip(lines.0, lines.1).enumerated() where pair.0 != pair.1 {
            return "line \(index + 1) is \(pair.0), wanted \(pair.1)"
        }
        return "\(lines.0.count) lines, wanted \(lines.1.count)"
    }
}
