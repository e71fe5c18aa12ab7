import Resources

/// Where keys or fixtures are read from: a folder that somebody named, which replaces the built-in ones as a whole, or what
/// is part of the program.
package enum FileSource: Sendable, Equatable {
    /// What the repository has below a folder of this name.
    case builtIn(String)
    case folder(String)

    /// The sandbox's keys.
    static func keys(_ folder: String?) -> FileSource { folder.map(FileSource.folder) ?? .builtIn("keys") }
    /// The base fixtures.
    static func fixtures(_ folder: String?) -> FileSource { folder.map(FileSource.folder) ?? .builtIn("fixtures") }

    /// The file as an error names it.
    func path(_ name: String) -> String {
        switch self {
        case .builtIn(let folder): "built-in \(folder)/\(name)"
        case .folder(let folder): "\(folder)/\(name)"
        }
    }

    /// For a log line.
    var description: String {
        switch self {
        case .builtIn: "built in"
        case .folder(let folder): folder
        }
    }

    func exists(_ name: String) -> Bool {
        switch self {
        case .builtIn(let folder): Resources.files["\(folder)/\(name)"] != nil
        case .folder: Files.exists(path(name))
        }
    }

    /// - Throws: ``FileFault`` with the path and the reason, and for a folder that is not there with the flag that named it.
    package func bytes(_ name: String) throws(FileFault) -> [UInt8] {
        switch self {
        case .builtIn(let folder):
            guard let bytes = Resources.files["\(folder)/\(name)"] else {
                throw FileFault(path: path(name), reason: "no such file")
            }
            return bytes
        case .folder(let folder):
            guard Files.exists(folder) else {
                throw FileFault(path: folder, reason: "no such folder; --keys and --fixtures name one")
            }
            return try Files.bytes(path(name))
        }
    }

    func text(_ name: String) throws(FileFault) -> String {
        guard let text = String(validating: try bytes(name), as: UTF8.self) else {
            throw FileFault(path: path(name), reason: "not UTF-8")
        }
        return text
    }
}
