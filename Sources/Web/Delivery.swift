/// How Transport hands an answer over. All but the first two are broken on purpose, for tests of clients: the status, the
/// headers and the body are those of the answer that is broken.
package enum Delivery: Sendable, Equatable {
    case normal
    /// The answer, then the end of the connection, after draining what the client still sends.
    case thenClose
    /// The connection is reset (RST) without a byte.
    case reset
    /// The connection ends (FIN) after the header fields; they say how long the body would be.
    case close
    /// The connection ends without a byte.
    case empty
    /// Half the body, rounded down, then the end. An answer without a body is delivered as with `close`.
    case truncate
    /// These bytes instead of the answer, then the end.
    case garbage([UInt8])
    /// Nothing, until the client leaves or `Limits.stallSeconds` are over.
    case stall
    /// The header fields at once, then the body in pieces of that many bytes. The answer is right, only slow; without a
    /// body it is delivered as usual.
    case dribble(bytes: Int, everyMilliseconds: Int)
    /// Content-Length has this value, whatever the body's length is; after the body the connection ends.
    case contentLength(Int)
}
