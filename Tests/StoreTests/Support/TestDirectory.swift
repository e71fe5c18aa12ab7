import Foundation

/// An empty directory that is removed with the object.
final class TestDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the directory.
    func file(_ name: String) -> String { path + "/" + name }

    /// The names of all files, in order.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// The bytes of a file; nil when there is none. Not read by Foundation, which leaks a page for an empty file.
    func bytes(_ name: String) -> [UInt8]? {
        guard let stream = fopen(file(name), "r") else { return nil }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, stream), count > 0 { bytes += block[..<count] }
        return bytes
    }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: file(name))) }

    func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(atPath: file(name), toPath: file(other))
    }

    /// The permission bits of a file or directory.
    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }

    /// Whether a text stands anywhere in any file.
    func holds(_ text: String) throws -> Bool {
        try names().contains { name in Data(bytes(name) ?? []).range(of: Data(text.utf8)) != nil }
    }
}
