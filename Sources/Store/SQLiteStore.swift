package import Core

/// Keeps tenants' worlds in one SQLite file, or in memory.
///
/// Each call waits in a queue for the store's own thread, which runs reads at once and writes in groups: one commit
/// for all that wait, a savepoint for each. A write is answered after the commit, so it is seen by every read that is
/// asked later and survives the end of the process.
package final class SQLiteStore: Store {
    private let queue: JobQueue

    private init(_ queue: JobQueue) { self.queue = queue }

    /// An owner that forgets to close the store does not keep its file locked.
    deinit { queue.beginClosing() }

    /// Opens the store, creates it when there is none, and migrates an older one after a backup.
    ///
    /// - Throws: ``StoreFault`` when the file is in use, newer, damaged, no store at all, or cannot be written.
    package static func open(_ configuration: StoreConfiguration) async throws -> SQLiteStore {
        let queue = JobQueue()
        try await withCheckedThrowingContinuation { opened in StoreThread.start(configuration, queue, opened) }
        return SQLiteStore(queue)
    }

    /// How many calls wait for the store's thread, for metrics.
    package var waiting: Int { queue.count }

    package func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = ReadJob { session in
                let transaction = ReadTransaction(session, tenant)
                let result = Result { try body(transaction) }
                transaction.invalidate()
                return { continuation.resume(with: result) }
            }
            if !queue.submit(job) { continuation.resume(throwing: StoreFault.closed) }
        }
    }

    package func write<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = WriteJob(tenant, continuation, body)
            if !queue.submit(job) { job.refuse(.closed) }
        }
    }

    /// The file is locked, and memory is nobody else's.
    package func isOnlyWriter(of tenant: TenantName) -> Bool { true }

    package func close() async {
        queue.beginClosing()
        await withCheckedContinuation { closer in queue.whenFinished(closer) }
    }
}

extension StoreFault {
    fileprivate static let closed = StoreFault(reason: .closed, message: "The store was closed.")
}
