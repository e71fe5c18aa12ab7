import Glibc
import Synchronization

/// SIGTERM and SIGINT: the first asks the server to stop, a second one ends the process at once with exit code 1. Supervisors
/// deliver one stop twice within milliseconds (one to the group and one to the process), so what comes that soon is the same.
enum StopSignal {
    private static let waiter = Mutex<State>(State())

    /// Two signals within this time are one.
    private static let sameSignal = Duration.milliseconds(100)

    private struct State {
        /// When the first came, by a clock that nobody sets.
        var raisedAt: ContinuousClock.Instant?
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// Ignores SIGPIPE and takes the two signals away from every thread; ``watch()`` waits for them.
    ///
    /// Must run before any other thread exists, because threads inherit the mask.
    nonisolated static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        var signals = stopSignals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for signals on the thread that calls, for ever.
    nonisolated static func watch() -> Never {
        var signals = stopSignals
        while true {
            var raised: Int32 = 0
            if sigwait(&signals, &raised) == 0 { raise() }
        }
    }

    private nonisolated static var stopSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }

    /// Returns when a signal came, at once when it came before.
    @Sendable
    static func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = waiter.withLock { state in
                if state.raisedAt == nil { state.continuation = continuation }
                return state.raisedAt != nil
            }
            if isRaised { continuation.resume() }
        }
    }

    private nonisolated static func raise() {
        let continuation = waiter.withLock { state in
            defer { state.continuation = nil }
            let now = ContinuousClock.now
            if let first = state.raisedAt, now - first > sameSignal { exit(1) }
            state.raisedAt = state.raisedAt ?? now
            return state.continuation
        }
        continuation?.resume()
    }
}
