import FoundationEssentials
import Testing

/// A folder of its own for one test, removed after it.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tsp-sandbox-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        try await body(folder.path)
        try FileManager.default.removeItem(at: folder)
    } catch {
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}

/// The store's files as they are at this moment: what a process that was killed leaves behind.
func copyStore(_ path: String, to copy: String) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
}

func fileBytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
