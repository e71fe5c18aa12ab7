import Synchronization
import Transport

/// The handshakes that failed at a server, as it told of them.
final class HandshakeLog: Sendable {
    private let failures = Mutex<[HandshakeFailure]>([])

    func note(_ failure: HandshakeFailure) { failures.withLock { $0.append(failure) } }

    /// Waits, at most 30 seconds, for the next failure.
    @available(*, noasync)
    func next() -> HandshakeFailure? {
        var failure: HandshakeFailure?
        _ = Wait.until {
            failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return failure != nil
        }
        return failure
    }

    /// Those that nobody has taken.
    var rest: [HandshakeFailure] { failures.withLock { $0 } }
}
