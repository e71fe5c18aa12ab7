import Core
import Glibc

/// Holds a lock beside the store's file, so that a second server is refused. Released with the object.
///
/// The file stays when the lock goes: removing it would let two servers lock two different files.
final class LockFile {
    private let descriptor: Int32

    /// - Throws: ``StoreFault/Reason/inUse`` when another server, or another store of this process, has the lock.
    init(beside path: String) throws(StoreFault) {
        let lockPath = path + ".lock"
        let opened = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreFault(reason: .notWritable, systemCall: "open", lockPath) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let fault =
                errno == EWOULDBLOCK
                ? StoreFault(reason: .inUse, message: "Another server has \(path) open (it holds \(lockPath)).")
                : StoreFault(reason: .failed, systemCall: "flock", lockPath)
            close(opened)
            throw fault
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
