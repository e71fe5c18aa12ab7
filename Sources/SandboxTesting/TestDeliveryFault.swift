package import Web

/// What a client sees of an answer that was broken on purpose; the same in process and over a socket.
public enum TestDeliveryFault: Error, Equatable, Sendable {
    /// The connection was reset.
    case reset
    /// The connection ended without a byte.
    case empty
    /// The connection ended within the answer, after this many bytes of its body.
    case cutShort(bodyBytes: Int)
    /// What came is not HTTP.
    case garbage
    /// No answer, or not all of it, while the client waited.
    case stalled
}

extension TestDeliveryFault {
    /// What a client receives of `response`, without a socket.
    ///
    /// - Throws: what it sees instead.
    package static func received(
        _ response: HTTPResponse,
        to method: HTTPMethod,
        patience: Double
    ) throws(TestDeliveryFault) -> HTTPResponse {
        var seen = response
        seen.delivery = .normal
        // The answers that have no body on the wire (RFC 9110, section 6.4.1).
        let hasBody = method != .head && response.status != 204 && response.status != 304
        if !hasBody { seen.body = [] }
        let count = seen.body.count
        switch response.delivery {
        case .normal, .thenClose: break
        case .reset: throw .reset
        case .empty, .garbage([]): throw .empty
        case .garbage: throw .garbage
        case .stall: throw .stalled
        case .close:
            if count > 0 { throw .cutShort(bodyBytes: 0) }
        case .truncate:
            if count > 0 { throw .cutShort(bodyBytes: count / 2) }
        case .contentLength(let length):
            if hasBody, length > count { throw .cutShort(bodyBytes: count) }
            seen.body = Array(seen.body.prefix(max(0, length)))
        case .dribble(let bytes, let milliseconds):
            let pieces = (count + max(1, bytes) - 1) / max(1, bytes)
            if Double(pieces) * Double(max(1, milliseconds)) > patience * 1_000 { throw .stalled }
        }
        return seen
    }

    /// The same from what a call came to; nil for a fault that no delivery makes.
    package init?(_ fault: HTTPCallFault) {
        switch fault {
        case .reset: self = .reset
        case .closedBeforeAnswer: self = .empty
        case .closedInsideAnswer(let count): self = .cutShort(bodyBytes: count)
        case .malformedAnswer: self = .garbage
        case .timeout(during: .answering): self = .stalled
        default: return nil
        }
    }
}
