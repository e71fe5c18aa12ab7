internal import Web

/// Checks the line structure of a chunked body (RFC 9112, section 7.1) before http-parser decodes it.
///
/// http-parser takes any two bytes for the end of a chunk and has no bound for extensions and trailers.
struct ChunkGuard {
    /// What the next byte must be.
    private enum State {
        case size(digits: Int)
        case parameters
        case sizeEnd
        case data
        case dataReturn
        case dataEnd
        case trailerStart
        case trailerName
        case trailerValue
        case trailerEnd
        case lastEnd
        case done
    }

    private var state = State.size(digits: 0)
    private var chunk = 0
    private var total = 0
    /// Bytes of extensions and trailers of the whole body: bounded by the chunk, tiny chunks would carry any amount.
    private var extra = 0
    private let bodyBytes: Int
    private let extraBytes: Int

    /// At the start of a body.
    init(limits: Limits) {
        bodyBytes = limits.bodyBytes
        extraBytes = limits.headerBytes
    }

    /// Looks at the next piece of the body; bytes after its end are not looked at.
    mutating func check(_ piece: UnsafeBufferPointer<UInt8>) throws(RequestFault) {
        var index = 0
        while index < piece.count {
            if case .done = state { return }
            if case .data = state {
                let taken = min(chunk, piece.count - index)
                chunk -= taken
                index += taken
                if chunk == 0 { state = .dataReturn }
                continue
            }
            try step(piece[index])
            index += 1
        }
    }

    /// One byte outside of the data.
    private mutating func step(_ byte: UInt8) throws(RequestFault) {
        switch state {
        case .size(let digits): try size(byte, digits)
        case .parameters:
            try countExtra()
            if byte == Characters.carriageReturn { state = .sizeEnd } else { try value(byte) }
        case .sizeEnd:
            try expect(byte, Characters.lineFeed)
            state = chunk == 0 ? .trailerStart : .data
        case .dataReturn:
            try expect(byte, Characters.carriageReturn)
            state = .dataEnd
        case .dataEnd:
            try expect(byte, Characters.lineFeed)
            state = .size(digits: 0)
        case .trailerStart:
            try countExtra()
            if byte == Characters.carriageReturn { return state = .lastEnd }
            guard Characters.isToken(byte) else { throw RequestFault(.framing, "a trailer line without a valid name") }
            state = .trailerName
        case .trailerName:
            try countExtra()
            if byte == Characters.colon { return state = .trailerValue }
            guard Characters.isToken(byte) else { throw RequestFault(.framing, "a trailer line without a valid name") }
        case .trailerValue:
            try countExtra()
            if byte == Characters.carriageReturn { state = .trailerEnd } else { try value(byte) }
        case .trailerEnd:
            try expect(byte, Characters.lineFeed)
            state = .trailerStart
        case .lastEnd:
            try expect(byte, Characters.lineFeed)
            state = .done
        case .data, .done: break
        }
    }

    /// A digit of a chunk's size, or its end.
    private mutating func size(_ byte: UInt8, _ digits: Int) throws(RequestFault) {
        if let digit = Self.digit(byte) {
            // Fifteen digits hold any size; leading zeros beyond that serve no one.
            guard digits < 15 else { throw RequestFault(.framing, "a chunk size with too many digits") }
            chunk = chunk << 4 | digit
            return state = .size(digits: digits + 1)
        }
        guard digits > 0 else { throw RequestFault(.framing, "a chunk without a size") }
        guard chunk <= bodyBytes - total else {
            throw RequestFault(.bodyTooLarge, "the body is larger than \(bodyBytes) bytes")
        }
        total += chunk
        switch byte {
        case Characters.carriageReturn: state = .sizeEnd
        case 0x3B, Characters.space, Characters.tab: state = .parameters
        default: throw RequestFault(.framing, "a chunk size that is not a hexadecimal number")
        }
    }

    /// One more byte that is neither size nor data.
    private mutating func countExtra() throws(RequestFault) {
        extra += 1
        guard extra <= extraBytes else {
            throw RequestFault(.headersTooLarge, "chunk extensions or trailers are larger than \(extraBytes) bytes")
        }
    }

    private func expect(_ byte: UInt8, _ wanted: UInt8) throws(RequestFault) {
        guard byte == wanted else { throw RequestFault(.framing, "a chunk that does not end with CR LF") }
    }

    private func value(_ byte: UInt8) throws(RequestFault) {
        guard Characters.isValue(byte) else {
            throw RequestFault(.framing, "a control character in a chunk extension or trailer")
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}
