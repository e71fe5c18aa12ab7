import Core
import Glibc
import Synchronization

/// Holds a lock beside the store's file and one on the file itself, so that a second server is refused, also one that
/// reaches the file by another name. Released with the object.
///
/// The lock file stays when the lock goes: removing it would let two servers lock two different files.
final class LockFile {
    private let descriptor: Int32
    private let database: DatabaseLock

    /// Creates the store's file when there is none.
    ///
    /// - Throws: ``StoreFault/Reason/inUse`` when another server, or another store of this process, has the lock.
    init(beside path: String) throws(StoreFault) {
        let lockPath = path + ".lock"
        let opened = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreFault(reason: .notWritable, systemCall: "open", lockPath) }
        do throws(StoreFault) {
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK
                    ? StoreFault(reason: .inUse, message: "Another server has \(path) open (it holds \(lockPath)).")
                    : StoreFault(reason: .failed, systemCall: "flock", lockPath)
            }
            database = try DatabaseLock(path)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}

/// The lock on the store's file itself: links to one file have lock files of their own, but share this one.
///
/// It is flock(2)'s, which SQLite's locks do not meet. Closing any descriptor of the file drops those of SQLite, so a
/// file that a store of this process has open is not even opened, and this one is closed after SQLite's.
private final class DatabaseLock {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private static let held = Mutex<Set<Identity>>([])
    private let descriptor: Int32
    private let identity: Identity

    init(_ path: String) throws(StoreFault) {
        let locked = Self.held.withLock { held in
            Result { () throws(StoreFault) in
                let locked = try Self.lock(path, held)
                held.insert(locked.identity)
                return locked
            }
        }
        (descriptor, identity) = try locked.get()
    }

    deinit {
        close(descriptor)
        _ = Self.held.withLock { held in held.remove(identity) }
    }

    private static func lock(
        _ path: String,
        _ held: Set<Identity>
    ) throws(StoreFault) -> (descriptor: Int32, identity: Identity) {
        let inUse = StoreFault(reason: .inUse, message: "Another server has the file of \(path) open by another name.")
        var status = stat()
        if stat(path, &status) == 0, held.contains(Identity(device: status.st_dev, inode: status.st_ino)) {
            throw inUse
        }
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreFault(reason: .notWritable, systemCall: "open", path) }
        guard fstat(opened, &status) == 0, flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let fault =
                errno == EWOULDBLOCK ? inUse : StoreFault(reason: .failed, systemCall: "flock", path)
            close(opened)
            throw fault
        }
        return (opened, Identity(device: status.st_dev, inode: status.st_ino))
    }
}
