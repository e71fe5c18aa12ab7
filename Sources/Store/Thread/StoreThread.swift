import Core
import Threads

/// The one thread on which SQLite runs, so that the cooperative pool never blocks.
///
/// Opens the store, serves its queue until that is closed, then closes the store.
final class StoreThread: Sendable {
    private let configuration: StoreConfiguration
    private let queue: JobQueue
    private let opened: CheckedContinuation<Void, any Error>

    private init(
        _ configuration: StoreConfiguration,
        _ queue: JobQueue,
        _ opened: CheckedContinuation<Void, any Error>
    ) {
        self.configuration = configuration
        self.queue = queue
        self.opened = opened
    }

    /// Starts the thread. It resumes `opened` when the store is open, or with the reason why not.
    static func start(
        _ configuration: StoreConfiguration,
        _ queue: JobQueue,
        _ opened: CheckedContinuation<Void, any Error>
    ) {
        let store = StoreThread(configuration, queue, opened)
        do throws(ThreadFault) {
            _ = try Thread("store") { store.run() }
        } catch {
            let fault = StoreFault(reason: .failed, message: "The store's thread could not be started (\(error.code)).")
            opened.resume(throwing: fault)
        }
    }

    private func run() {
        serve()
        // The session is gone here, and with it the file's lock.
        queue.finish()
    }

    private func serve() {
        let session: Session
        do {
            session = try Session(configuration)
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
