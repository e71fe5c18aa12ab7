internal import CThreads
internal import Glibc
internal import Synchronization

/// One thread of our own, for work that blocks. It ends when its work returns; whoever lets go of it leaves it running.
package final class Thread: Sendable {
    /// Nil once it was joined or left to itself: the system may give the number to another thread.
    private let identifier: Mutex<pthread_t?>

    /// Starts a thread, which has the priority of whoever makes it. `work` is kept alive until it returns.
    ///
    /// - Parameter name: What debuggers and `/proc` call it: the first 15 bytes.
    /// - Throws: When the system has no room for one more.
    package init(_ name: String, _ work: @escaping @Sendable () -> Void) throws(ThreadFault) {
        var identifier = pthread_t()
        let start = Unmanaged.passRetained(ThreadStart(name, work))
        let code = pthread_create(&identifier, nil, threadMain, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw ThreadFault(code: code)
        }
        self.identifier = Mutex(identifier)
    }

    deinit {
        if let left = identifier.withLock({ $0 }) { pthread_detach(left) }
    }

    /// Blocks until the thread has ended, the first time; returns at once afterwards. From the thread itself it does not
    /// wait.
    package func join() {
        let taken = identifier.withLock { identifier in
            defer { identifier = nil }
            return identifier
        }
        guard let taken else { return }
        if pthread_equal(taken, pthread_self()) != 0 { pthread_detach(taken) } else { pthread_join(taken, nil) }
    }
}

/// Why a thread could not be started.
package struct ThreadFault: Error {
    /// The system's error number.
    package let code: Int32
}

/// What a new thread is given, carried through C.
private final class ThreadStart: Sendable {
    private let name: String
    private let work: @Sendable () -> Void

    init(_ name: String, _ work: @escaping @Sendable () -> Void) {
        self.name = name
        self.work = work
    }

    func run() {
        shim_name_thread(name)
        work()
    }
}

/// The thread's function; owns what it is given. At file scope, so that it inherits no isolation.
private func threadMain(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start { Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run() }
    return nil
}
