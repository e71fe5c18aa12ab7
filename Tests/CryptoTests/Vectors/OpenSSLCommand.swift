import Foundation

/// OpenSSL's command line as the other side.
enum OpenSSLCommand {
    /// False where the tool is not installed; tests that need it then say that they were skipped.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/openssl"

    /// Runs `openssl` in a folder of its own that holds `files`, and returns what it wrote and its exit status.
    static func run(_ arguments: [String], files: [String: [UInt8]]) throws -> (output: [UInt8], status: Int32) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "crypto-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (Array(bytes), process.terminationStatus)
    }
}
