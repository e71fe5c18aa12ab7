internal import Web

/// How the bytes after a head are known to be its body (RFC 9112, section 6.3).
enum BodyFraming: Equatable {
    case none
    /// So many bytes, as Content-Length says.
    case length(Int)
    case chunked
}

/// Takes the body of one request out of the bytes that follow its head. A value of one connection; bytes may come in any
/// pieces.
struct BodyReader {
    /// Bytes of the body so far, decoded.
    private(set) var bytes: [UInt8] = []
    private var framing = BodyFraming.none
    private var chunks: ChunkReader
    private let limit: Int

    /// Before a request.
    init(limits: Limits) {
        limit = limits.bodyBytes
        chunks = ChunkReader(limits: limits)
    }

    /// At the end of a head. Refuses a body that is known to be too large before it comes.
    mutating func begin(_ framing: BodyFraming, limits: Limits) throws(RequestFault) {
        self.framing = framing
        bytes = []
        switch framing {
        case .none: break
        case .length(let count):
            guard count <= limit else {
                throw RequestFault(.bodyTooLarge, "the body is larger than \(limit) bytes")
            }
            // The client's word is not a reason to take memory: the rest comes as bytes come.
            bytes.reserveCapacity(min(count, 16_384))
        case .chunked: chunks = ChunkReader(limits: limits)
        }
    }

    /// Whether the whole body was read.
    var isComplete: Bool {
        switch framing {
        case .none: true
        case .length(let count): bytes.count == count
        case .chunked: chunks.isComplete
        }
    }

    /// How many more bytes the client has announced.
    var announced: Int {
        if case .length(let count) = framing { count - bytes.count } else { 0 }
    }

    /// Reads a piece and says how many bytes belonged to the body: what follows is the next request, which is read after
    /// this one's answer.
    mutating func read(_ piece: UnsafeBufferPointer<UInt8>) throws(RequestFault) -> Int {
        switch framing {
        case .none: return 0
        case .length(let count):
            let taken = min(count - bytes.count, piece.count)
            bytes.append(contentsOf: piece[..<taken])
            return taken
        case .chunked: return try chunks.read(piece, into: &bytes)
        }
    }

    /// Hands the body over.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        // Complete is what was begun, also without its bytes.
        framing = .none
        return bytes
    }
}
