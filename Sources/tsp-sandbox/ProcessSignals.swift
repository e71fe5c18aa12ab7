import Glibc
import Synchronization

/// What the process is told by signals, while a server runs.
///
/// SIGTERM and SIGINT: the first asks it to stop, a second one ends the process at once with exit code 1. Supervisors deliver one
/// stop twice within milliseconds (one to the group and one to the process), so what comes that soon is the same. SIGHUP asks it
/// to read its files again; but when the terminal that it was started from is closed, it is a stop.
enum ProcessSignals {
    private static let stop = Mutex<Stop>(Stop())

    /// Two signals within this time are one.
    private static let sameSignal = Duration.milliseconds(100)

    /// An element for each SIGHUP; several that nobody has taken yet are one.
    static let reloads = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private struct Stop {
        /// When the first came, by a clock that nobody sets.
        var raisedAt: ContinuousClock.Instant?
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// Ignores SIGPIPE and takes the signals away from every thread; ``watch()`` waits for them.
    ///
    /// Must run before any other thread exists, because threads inherit the mask.
    nonisolated static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        var signals = all
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for signals on the thread that calls, for ever.
    nonisolated static func watch() -> Never {
        var signals = all
        let hadTerminal = hasTerminal()
        while true {
            var raised: Int32 = 0
            guard sigwait(&signals, &raised) == 0 else { continue }
            if raised == SIGHUP, !hadTerminal || hasTerminal() { reloads.continuation.yield() } else { raiseStop() }
        }
    }

    private nonisolated static var all: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }

    /// Whether the process has a terminal that controls it, and that is still there.
    private nonisolated static func hasTerminal() -> Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Returns when a stop was asked for, at once when it was before.
    @Sendable
    static func waitForStop() async {
        await withCheckedContinuation { continuation in
            let isRaised = stop.withLock { state in
                if state.raisedAt == nil { state.continuation = continuation }
                return state.raisedAt != nil
            }
            if isRaised { continuation.resume() }
        }
    }

    private nonisolated static func raiseStop() {
        let continuation = stop.withLock { state in
            defer { state.continuation = nil }
            let now = ContinuousClock.now
            if let first = state.raisedAt, now - first > sameSignal { exit(1) }
            state.raisedAt = state.raisedAt ?? now
            return state.continuation
        }
        continuation?.resume()
    }
}
