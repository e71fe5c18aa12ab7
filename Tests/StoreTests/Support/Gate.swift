import Core
import Dispatch
import Store

/// Holds the store's thread, so that a test decides what waits together.
struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Starts a read that does not end before the gate opens, and returns when the store's thread is inside it.
    func hold(_ store: SQLiteStore) async {
        await withCheckedContinuation { held in
            Task { @concurrent in
                try await store.read(.default) { _ in
                    held.resume()
                    semaphore.wait()
                }
            }
        }
    }

    /// Returns when so many calls wait.
    func wait(for count: Int, _ store: SQLiteStore) async {
        while store.waiting < count { await Task.yield() }
    }

    func open() { semaphore.signal() }
}
