internal import Synchronization

/// A reading of a server's counters.
package struct ServerCounters: Sendable, Equatable {
    /// Open connections.
    package var connections = 0
    /// Requests that the responder is answering.
    package var requestsInFlight = 0
    /// Connections accepted since the start.
    package var accepted = 0
    /// Requests refused by Transport since the start (each reason of `BrokenRequest`).
    package var refused = 0
    /// How often accepting paused because of the connection limit.
    package var pauses = 0
    /// TLS handshakes that failed since the start.
    package var handshakeFailures = 0

    /// All zero.
    package init() {}
}

/// The counters themselves, over all loops: written by their threads, read by any.
final class CounterCell: Sendable {
    let connections = Atomic<Int>(0)
    let requestsInFlight = Atomic<Int>(0)
    /// Bytes of large bodies that are read or answered.
    let largeBodies = Atomic<Int>(0)
    let accepted = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let pauses = Atomic<Int>(0)
    let handshakeFailures = Atomic<Int>(0)
    /// Whether clients wait to be accepted.
    let isPaused = Atomic<Bool>(false)
    /// Whether the server ends. Every loop sees it before any of them closes a connection for it.
    let isEnding = Atomic<Bool>(false)

    /// Counts one more request in flight, unless there are `limit`.
    func takeRoom(within limit: Int) -> Bool {
        if requestsInFlight.add(1, ordering: .relaxed).newValue <= limit { return true }
        requestsInFlight.subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts more bytes of large bodies, unless they would be more than `limit`.
    func takeBodyRoom(_ bytes: Int, within limit: Int) -> Bool {
        if largeBodies.add(bytes, ordering: .relaxed).newValue <= limit { return true }
        largeBodies.subtract(bytes, ordering: .relaxed)
        return false
    }

    /// Gives bytes back that were taken.
    func giveBodyRoom(_ bytes: Int) { largeBodies.subtract(bytes, ordering: .relaxed) }

    /// One more request that Transport refused.
    func countRefusal() { refused.add(1, ordering: .relaxed) }

    /// One more TLS handshake that failed.
    func countHandshakeFailure() { handshakeFailures.add(1, ordering: .relaxed) }

    var reading: ServerCounters {
        var counters = ServerCounters()
        counters.connections = connections.load(ordering: .relaxed)
        counters.requestsInFlight = requestsInFlight.load(ordering: .relaxed)
        counters.accepted = accepted.load(ordering: .relaxed)
        counters.refused = refused.load(ordering: .relaxed)
        counters.pauses = pauses.load(ordering: .relaxed)
        counters.handshakeFailures = handshakeFailures.load(ordering: .relaxed)
        return counters
    }
}
