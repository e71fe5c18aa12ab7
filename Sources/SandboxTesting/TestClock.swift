import Synchronization
package import Wire

/// A wall clock that moves by hand. It begins at 2030-01-01T00:00:00Z.
public final class TestClock: Sendable {
    private let time: Mutex<Instant>

    init() { time = Mutex(Instant(seconds: 1_893_456_000)) }

    /// The time, in milliseconds since 1970.
    public var millisecondsSince1970: Int64 { now.milliseconds }

    package var now: Instant { time.withLock { $0 } }

    /// Moves the clock; a negative number moves it back.
    public func advance(seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }
}
