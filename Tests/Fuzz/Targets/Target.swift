import Glibc

/// One reader with the rules that hold for every input. A broken rule ends the process, and libFuzzer keeps the input.
struct Target: Sendable {
    let name: String
    let body: @Sendable (_ bytes: [UInt8], _ seeds: [[UInt8]]) -> Void

    init(_ name: String, _ body: @escaping @Sendable (_ bytes: [UInt8], _ seeds: [[UInt8]]) -> Void) {
        self.name = name
        self.body = body
    }

    static let all = wire + http + crypto + worlds

    /// The one that `TSP_FUZZ_TARGET` names.
    static let chosen: Target? = {
        guard let name = getenv("TSP_FUZZ_TARGET").map({ String(cString: $0) }) else { return nil }
        return all.first { $0.name == name }
    }()

    /// What is right, as it was made: the files of `TSP_FUZZ_SEEDS`.
    var seeds: [[UInt8]] { Self.chosenSeeds }

    private static let chosenSeeds: [[UInt8]] = {
        guard let folder = getenv("TSP_FUZZ_SEEDS").map({ String(cString: $0) }), let open = opendir(folder) else {
            return []
        }
        defer { closedir(open) }
        var found: [[UInt8]] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { found.append(file(folder + "/" + name)) }
        }
        return found
    }()

    func run(_ bytes: [UInt8]) { body(bytes, seeds) }
}

/// The bytes of a file. What is needed must be there.
func file(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { fatalError("there is no \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}

/// A file of the repository, as text.
func text(_ path: String) -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    return String(decoding: file(root + "/" + path), as: UTF8.self)
}

/// A rule that holds for every input.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds { fatalError("broken rule: \(rule())") }
}

/// A value that the repository's own files give.
func known<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch { fatalError("\(error)") }
}
