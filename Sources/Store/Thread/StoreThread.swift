import Core
import Glibc

/// The one thread on which SQLite runs, so that the cooperative pool never blocks.
///
/// Opens the store, serves its queue until that is closed, then closes the store.
final class StoreThread {
    private let configuration: StoreConfiguration
    private let queue: JobQueue
    private let memo: ReadMemo
    private let opened: CheckedContinuation<Void, any Error>

    private init(
        _ configuration: StoreConfiguration,
        _ queue: JobQueue,
        _ memo: ReadMemo,
        _ opened: CheckedContinuation<Void, any Error>
    ) {
        self.configuration = configuration
        self.queue = queue
        self.memo = memo
        self.opened = opened
    }

    /// Starts the thread. It resumes `opened` when the store is open, or with the reason why not.
    static func start(
        _ configuration: StoreConfiguration,
        _ queue: JobQueue,
        _ memo: ReadMemo,
        _ opened: CheckedContinuation<Void, any Error>
    ) {
        let context = Unmanaged.passRetained(StoreThread(configuration, queue, memo, opened))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runStoreThread, context.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            let fault = StoreFault(reason: .failed, message: "The store's thread could not be started (\(code)).")
            opened.resume(throwing: fault)
        }
    }

    fileprivate func run() {
        serve()
        // The session is gone here, and with it the file's lock.
        queue.finish()
    }

    private func serve() {
        let session: Session
        do {
            session = try Session(configuration, memo)
        } catch {
            opened.resume(throwing: configuration.path.map { path in error.opening(path) } ?? error)
            return
        }
        opened.resume()
        while let jobs = queue.take() {
            session.perform(jobs.reads)
            session.perform(jobs.writes)
        }
        session.prepareToClose()
    }
}

/// The thread's function; owns the context from here. At file scope, so that it inherits no isolation.
private func runStoreThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<StoreThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
