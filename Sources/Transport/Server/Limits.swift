/// The bounds of one server (CONTRACT, sections 8 and 9). Seconds may be fractions, which tests use.
package struct Limits: Sendable, Equatable {
    /// Largest body; more is answered 413.
    package var bodyBytes = 1 << 20
    /// Bodies over 1 MiB that are read or answered at a time, in bytes together; more are answered 503.
    package var largeBodiesBytes = 64 << 20
    /// Largest head without its target; more is answered 431.
    package var headerBytes = 64 << 10
    /// Largest request target; more is answered 414.
    package var targetBytes = 8 << 10
    /// Open connections; at the limit accepting pauses.
    package var connections = 1_024
    /// As many of them are accepted whatever the other servers of the process hold.
    package var ownConnections = 32
    /// Requests being answered; more are answered 503.
    package var requestsInFlight = 256
    /// How long a connection may wait for its next request.
    package var idleSeconds = 75.0
    /// How long a request or an answer may stand still.
    package var progressSeconds = 30.0
    /// How long a request's head may take from its first byte to its last, however steadily it trickles in.
    package var headSeconds = 30.0
    /// How long its body may take, likewise.
    package var bodySeconds = 120.0
    /// How long a client may take to accept an answer, likewise.
    package var answerSeconds = 120.0
    /// How long a stall lasts that was asked for (`Delivery.stall`), unless the client leaves before.
    package var stallSeconds = 60.0
    /// Bytes read ahead of the request that is being answered.
    package var readWatermark = 64 << 10
    /// Bytes that are thrown away after a refusal, so that the client reads the answer.
    package var drainBytes = 64 << 10
    /// How long they are waited for.
    package var drainSeconds = 1.0

    /// The documented limits.
    package init() {}

    /// How often deadlines are looked at.
    var tickSeconds: Double {
        let wholes = [headSeconds, bodySeconds, answerSeconds]
        let patience = ([idleSeconds, progressSeconds, drainSeconds, stallSeconds] + wholes).min() ?? 1
        return max(0.01, min(0.25, patience / 4))
    }
}
