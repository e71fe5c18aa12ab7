import Glibc
import Synchronization

/// SIGTERM and SIGINT: the first asks the server to stop, the second ends the process at once with exit code 1.
enum StopSignal {
    private static let waiter = Mutex<State>(State())

    private struct State {
        var isRaised = false
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
                if !state.isRaised { state.continuation = continuation }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }

    private nonisolated static func raise() {
        let continuation = waiter.withLock { state in
            defer { state.continuation = nil }
            if state.isRaised { exit(1) }
            state.isRaised = true
            return state.continuation
        }
        continuation?.resume()
    }
}
