import Core
import Masking
import Synchronization
package import Transport
package import Wire

/// Logs TLS handshakes that failed: who, with which certificate, and why. Bounded, because a scanner makes thousands.
package final class HandshakeLog: Sendable {
    /// Lines that may be written within ``windowSeconds``; further failures are only counted.
    package static let linesPerWindow = 20
    package static let windowSeconds: Int64 = 10

    private struct State {
        var windowEnd = Instant(milliseconds: .min)
        var lines = 0
        var unwritten = 0
    }

    private let log: Log
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    package init(log: Log, now: @escaping @Sendable () -> Instant) {
        self.log = log
        self.now = now
    }

    /// Takes note of a failure; from the loop thread, so the line is made elsewhere.
    package func note(_ failure: HandshakeFailure) {
        guard log.isOn(.warning), let unwritten = admit() else { return }
        Task { @concurrent [log] in log(.warning, "TLS handshake failed", Self.fields(failure, unwritten: unwritten)) }
    }

    /// - Returns: how many failures were not written since the last line; nil when this one is not to be written either.
    package func admit() -> Int? {
        let now = now()
        return state.withLock { state in
            // A clock that was set back begins a new window, too.
            if now >= state.windowEnd || now.adding(seconds: Self.windowSeconds) < state.windowEnd {
                state.windowEnd = now.adding(seconds: Self.windowSeconds)
                state.lines = 0
            }
            guard state.lines < Self.linesPerWindow else {
                state.unwritten += 1
                return nil
            }
            state.lines += 1
            defer { state.unwritten = 0 }
            return state.unwritten
        }
    }

    /// The members of a line.
    package static func fields(_ failure: HandshakeFailure, unwritten: Int) -> [(String, JSON)] {
        let code = HandshakeFault(failure.problem).code
        var fields: [(String, JSON)] = [
            ("event", "tls.handshake"), ("code", .string(code.name)), ("peer", .string(failure.peer)),
            ("reason", .string(failure.reason)), ("cause", .string(code.cause)), ("cure", .string(code.cure)),
        ]
        // The client's own text.
        if let subject = failure.subject { fields.append(("subject", .string(Masking.excerpt(subject, 200)))) }
        if unwritten > 0 { fields.append(("unwritten", .number(unwritten))) }
        return fields
    }
}
