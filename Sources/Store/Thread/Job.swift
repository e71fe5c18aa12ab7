import Core

/// What the store thread takes from the queue at once.
///
/// Reads and writes that wait together were all asked before any of them was answered, so their order is free.
struct Jobs: Sendable {
    var reads: [ReadJob] = []
    var writes: [WriteJob] = []

    var isEmpty: Bool { reads.isEmpty && writes.isEmpty }
}

/// A read that waits for the store thread. Performed exactly once.
struct ReadJob: Sendable {
    /// Runs the caller's closure and gives what answers the caller.
    let perform: @Sendable (Session) -> () -> Void
}

/// A write that waits for the store thread. Either performed or refused; performed again when what came of it was lost.
struct WriteJob: Sendable {
    let tenant: TenantName
    /// Runs the caller's closure and keeps its result until the group is decided.
    let perform: @Sendable (WriteTransaction) -> PerformedWrite
    /// Answers the caller without running the closure.
    let refuse: @Sendable (StoreFault) -> Void
}

/// A write whose closure has run and whose caller still waits.
struct PerformedWrite {
    /// The closure threw: its changes must be undone.
    let hasThrown: Bool
    /// Answers the caller: with the fault, or with what the closure returned or threw.
    let finish: (StoreFault?) -> Void
}

extension WriteJob {
    /// A write that answers through `continuation`.
    init<Value: Sendable>(
        _ tenant: TenantName,
        _ continuation: CheckedContinuation<Value, any Error>,
        _ body: @escaping @Sendable (any StoreWriter) throws -> Value
    ) {
        self.tenant = tenant
        perform = { transaction in
            do {
                let value = try body(transaction)
                return PerformedWrite(hasThrown: false) { fault in
                    if let fault { continuation.resume(throwing: fault) } else { continuation.resume(returning: value) }
                }
            } catch {
                return PerformedWrite(hasThrown: true) { fault in continuation.resume(throwing: fault ?? error) }
            }
        }
        refuse = { fault in continuation.resume(throwing: fault) }
    }
}
