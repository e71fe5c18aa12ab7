import FoundationEssentials

/// Reading and writing of whole files: fixtures, keys, configuration. Small ones, at start only.
enum Files {
    /// - Throws: ``FileFault`` with the path and the reason.
    static func bytes(_ path: String) throws(FileFault) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw FileFault(path: path, reason: reason(path, error))
        }
    }

    static func text(_ path: String) throws(FileFault) -> String {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw FileFault(path: path, reason: "not UTF-8")
        }
        return text
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Why a file could not be made, as far as it can be told without making it; nil when nothing speaks against it.
    static func obstacle(toMaking path: String) -> String? {
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder { return "is a folder" }
            return manager.isWritableFile(atPath: path) ? nil : "permission denied"
        }
        // The folders on its way are made, too, from the first that is there.
        var folder = path.hasPrefix("/") ? path[...] : ("./" + path)[...]
        repeat {
            folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
        } while !folder.isEmpty && !manager.fileExists(atPath: String(folder), isDirectory: &isFolder)
        let place = folder.isEmpty ? "/" : String(folder)
        if !folder.isEmpty, !isFolder { return "\(place) is not a folder" }
        return manager.isWritableFile(atPath: place) ? nil : "\(place) cannot be written"
    }

    /// Writes a file whole, making the folders on its way.
    static func write(_ text: String, to path: String) throws(FileFault) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw FileFault(path: path, reason: reason(path, error))
        }
    }

    /// In words what the system says; its error numbers are not for a reader.
    private static func reason(_ path: String, _ error: any Error) -> String {
        if path.isEmpty { return "a file's name is wanted" }
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder { return "is a folder" }
        return switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile?, .fileNoSuchFile?: "no such file"
        case .fileReadNoPermission?, .fileWriteNoPermission?: "permission denied"
        case .fileWriteOutOfSpace?: "the disk is full"
        case .fileWriteVolumeReadOnly?: "the disk cannot be written"
        case .fileReadTooLarge?: "too large"
        case .fileReadInvalidFileName?, .fileWriteInvalidFileName?: "no name that a file can have"
        default: exists ? "cannot be used" : "no such file, or a part of its path is not a folder"
        }
    }
}

/// A file that could not be read or written.
package struct FileFault: Error, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String { "\(path): \(reason)" }
}
