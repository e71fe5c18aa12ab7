/// Where work runs that may take longer than 200 µs. A request's task runs on its connection's loop thread, and all other
/// connections of the loop would wait for it.
package enum OffLoop {
    /// Reading a longer body is such work, masking it too. In bytes.
    package static let bodyBytes = 16 << 10

    /// Runs `work` and what it calls on the cooperative pool, and comes back to where the task was.
    ///
    /// It takes another preference: with one in force, `@concurrent` alone does not leave the loop, and a default actor
    /// does not either.
    ///
    /// - Parameter isLong: false for work that is done where it stands.
    package static func run<Value, Failure>(
        when isLong: Bool = true,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard isLong else { return try await work() }
        do throws(Failure) {
            let value = try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) in
                // A preference alone moves nothing: a task moves when it is put into a queue again.
                await Task.yield()
                return try await work()
            }
            await Task.yield()
            return value
        } catch {
            await Task.yield()
            throw error
        }
    }
}
