package import Core

/// Keeps tenants' worlds in one SQLite file, or in memory.
///
/// Each call waits in a queue for the store's own thread, which runs reads at once and writes in groups: one commit
/// for all that wait, a savepoint for each. A write is answered after the commit, so it is seen by every read that is
/// asked later and survives the end of the process. A read of what was read since the last write waits for nobody.
package final class SQLiteStore: Store {
    private let queue: JobQueue
    private let memo: ReadMemo

    private init(_ queue: JobQueue, _ memo: ReadMemo) {
        self.queue = queue
        self.memo = memo
    }

    /// An owner that forgets to close the store does not keep its file locked.
    deinit { queue.beginClosing() }

    /// Opens the store, creates it when there is none, and migrates an older one after a backup.
    ///
    /// - Throws: ``StoreFault`` when the file is in use, newer, damaged, no store at all, or cannot be written.
    package static func open(_ configuration: StoreConfiguration) async throws -> SQLiteStore {
        let (queue, memo) = (JobQueue(), ReadMemo())
        try await withCheckedThrowingContinuation { opened in StoreThread.start(configuration, queue, memo, opened) }
        return SQLiteStore(queue, memo)
    }

    /// How many calls wait for the store's thread, for metrics.
    package var waiting: Int { queue.count }

    package func read<Value: Sendable>(
        _ tenant: TenantName,
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        if let turn = memo.turn {
            let reader = MemoReader(memo, tenant, turn: turn)
            let result = Result { try body(reader) }
            reader.invalidate()
            if !reader.hasMissed { return try result.get() }
        }
        return try await run { session in
            let transaction = ReadTransaction(session, tenant)
            defer { transaction.invalidate() }
            return try body(transaction)
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

    package func tenants() async throws -> [TenantName] {
        try await run { session in
            try session.statements.tenants.all { row in row.text(0) }.compactMap { name in TenantName(name) }.sorted()
        }
    }

    package func tenants(holdingCredential digest: String) async throws -> [TenantName] {
        try await run { session in
            try session.statements.credentialHolders.all(digest) { row in row.text(0) }
                .compactMap { name in TenantName(name) }
        }
    }

    package func close() async {
        queue.beginClosing()
        await withCheckedContinuation { closer in queue.whenFinished(closer) }
    }

    /// Runs `body` on the store thread, between groups of writes.
    private func run<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = ReadJob { session in
                let result = Result { try body(session) }
                return { continuation.resume(with: result) }
            }
            if !queue.submit(job) { continuation.resume(throwing: StoreFault.closed) }
        }
    }
}

extension StoreFault {
    fileprivate static let closed = StoreFault(reason: .closed, message: "The store was closed.")
}
