internal import CThreads
internal import Glibc
internal import Synchronization

/// One thread of our own, for work that blocks. It ends when its work returns; whoever lets go of it leaves it running.
package final class Thread: Sendable {
    private let identifier: pthread_t
    /// The system may give the number to another thread from then on.
    private let isJoined = Mutex(false)

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
        self.identifier = identifier
    }

    deinit {
        if !isJoined.withLock({ $0 }) { pthread_detach(identifier) }
    }

    /// Blocks until the thread has ended, whoever else waits for it too. From the thread itself it does not wait.
    package func join() {
        if pthread_equal(identifier, pthread_self()) != 0 { return }
        isJoined.withLock { isJoined in
            if !isJoined { pthread_join(identifier, nil) }
            isJoined = true
        }
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
