import Glibc

/// OpenSSL's command line as the other side.
enum OpenSSLCommand {
    /// False where the tool is not installed; tests that need it then say that they were skipped.
    static let isInstalled = access(path, X_OK) == 0
    private static let path = "/usr/bin/openssl"

    /// Runs `openssl` with words that need no quoting, in a folder of its own that holds `files`, and returns what it
    /// wrote and its exit status.
    static func run(_ arguments: String, files: [String: [UInt8]]) -> (output: [UInt8], status: Int32) {
        var template = Array("/tmp/crypto-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return ([], -1) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            for name in files.keys { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        for (name, bytes) in files {
            guard let file = fopen("\(folder)/\(name)", "w") else { return ([], -1) }
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
        guard let pipe = popen("cd \(folder) && \(path) \(arguments) 2>/dev/null", "r") else { return ([], -1) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            output += buffer.prefix(count)
        }
        return (output, pclose(pipe))
    }
}
