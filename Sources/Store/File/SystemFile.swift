import Core
import Glibc

/// System calls on the store's files. They block, so they run on the store thread.
enum SystemFile {
    /// Creates an empty file that only its owner may read. Does nothing when it exists.
    static func create(_ path: String) throws(StoreFault) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFault(reason: .notWritable, systemCall: "open", path) }
        close(descriptor)
    }

    /// Creates the directories above a file that are missing; only their owner may enter.
    static func createDirectory(of path: String) throws(StoreFault) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if access(directory, F_OK) == 0 { return }
        try createDirectory(of: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw StoreFault(reason: .notWritable, systemCall: "mkdir", directory)
        }
    }

    /// The first bytes of a file, fewer when it is shorter.
    ///
    /// Closing the descriptor drops the process's POSIX locks on the file, so nobody in it may have the file open: the
    /// caller holds the ``LockFile``.
    static func head(of path: String, count: Int) throws(StoreFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreFault(reason: .failed, systemCall: "open", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { buffer in Glibc.read(descriptor, buffer.baseAddress, count) }
        guard length >= 0 else { throw StoreFault(reason: .failed, systemCall: "read", path) }
        return Array(bytes[..<length])
    }

    /// At most 256 bytes from the kernel's generator, getrandom(2).
    static func randomBytes(_ count: Int) throws(StoreFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = bytes.withUnsafeMutableBytes { buffer in getentropy(buffer.baseAddress, count) }
        guard code == 0 else { throw StoreFault(reason: .failed, systemCall: "getentropy", "") }
        return bytes
    }
}

extension StoreFault {
    /// What a system call that failed just now left in `errno`.
    init(reason: Reason, systemCall name: String, _ path: String) {
        let code = errno
        let text = strerror(code).map { text in String(cString: text) } ?? "error \(code)"
        self.init(reason: reason, message: "\(name) \(path): \(text)")
    }
}
