import Glibc
import Synchronization
import Transport

/// The handshakes that failed at a server, as it told of them.
final class HandshakeLog: Sendable {
    private let failures = Mutex<[HandshakeFailure]>([])

    func note(_ failure: HandshakeFailure) { failures.withLock { $0.append(failure) } }

    /// Waits, at most 30 seconds, for the next failure.
    func next() -> HandshakeFailure? {
        let end = time(nil) + 30
        while time(nil) < end {
            if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
            usleep(1_000)
        }
        return nil
    }

    /// Those that nobody has taken.
    var rest: [HandshakeFailure] { failures.withLock { $0 } }
}
