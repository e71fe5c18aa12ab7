internal import CHTTPParser
internal import Web

/// The framing of one connection's requests: http-parser behind a small interface. `AnswerParser` is its other half.
///
/// It decides where a body ends and refuses contradicting lengths. Belongs to one connection, used on the loop thread
/// only; owns the C parser and frees it.
final class RequestParser {
    /// Bytes of the body so far, decoded.
    private(set) var body: [UInt8] = []
    /// Whether the whole request was read.
    fileprivate(set) var isComplete = false
    /// Whether the connection stays open after it, as far as the client says.
    fileprivate(set) var keepsAlive = false
    /// The body's length when Content-Length gives it.
    fileprivate(set) var declaredLength: UInt64?
    /// Whether the body comes in chunks.
    fileprivate(set) var isChunked = false

    private let raw: UnsafeMutablePointer<http_parser>
    private let settings: UnsafeMutablePointer<http_parser_settings>

    /// Allocates the C parser.
    init() {
        raw = .allocate(capacity: 1)
        settings = .allocate(capacity: 1)
        http_parser_settings_init(settings)
        settings.pointee.on_headers_complete = headDidEnd
        settings.pointee.on_body = bodyDidArrive
        settings.pointee.on_message_complete = messageDidEnd
    }

    deinit {
        raw.deallocate()
        settings.deallocate()
    }

    /// Reads the complete head of a new request. Afterwards either `isComplete` or a body is to come.
    func readHead(_ head: [UInt8]) throws(RequestFault) {
        body = []
        isComplete = false
        isChunked = false
        declaredLength = nil
        http_parser_init(raw, HTTP_REQUEST)
        raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        let used = head.withUnsafeBytes { execute($0.bindMemory(to: UInt8.self)) }
        try check()
        guard used == head.count else { throw RequestFault(.framing, "the head is not one head") }
    }

    /// Reads a piece of the body and says how many bytes belonged to it.
    func readBody(_ piece: UnsafeBufferPointer<UInt8>) throws(RequestFault) -> Int {
        let used = execute(piece)
        try check()
        return used
    }

    /// Hands the body over.
    func takeBody() -> [UInt8] {
        let taken = body
        body = []
        return taken
    }

    /// Runs http-parser over a piece.
    private func execute(_ piece: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = piece.baseAddress else { return 0 }
        return base.withMemoryRebound(to: CChar.self, capacity: piece.count) {
            http_parser_execute(raw, settings, $0, piece.count)
        }
    }

    /// Throws what http-parser found.
    private func check() throws(RequestFault) {
        switch shim_http_errno(raw) {
        case Int32(HPE_OK.rawValue), Int32(HPE_PAUSED.rawValue): return
        case Int32(HPE_INVALID_TRANSFER_ENCODING.rawValue):
            throw RequestFault(.transferCoding, "the only transfer coding is chunked")
        case let number:
            let text = shim_http_errno_description(number).map { String(cString: $0) }
            throw RequestFault(.framing, text ?? "not HTTP")
        }
    }

    fileprivate func headEnded() {
        keepsAlive = http_should_keep_alive(raw) != 0
        isChunked = shim_http_is_chunked(raw) != 0
        let length = raw.pointee.content_length
        if !isChunked, length != UInt64.max {
            declaredLength = length
            // The client's word is not a reason to take memory: the rest comes as bytes come.
            body.reserveCapacity(Int(min(length, 16_384)))
        }
        shim_http_ignore_upgrade(raw)
    }

    fileprivate func append(_ piece: UnsafeBufferPointer<UInt8>) { body.append(contentsOf: piece) }

    fileprivate func end() {
        isComplete = true
        // What follows is the next request; it is read after this one's answer.
        http_parser_pause(raw, 1)
    }
}

// http-parser's calls, on the loop thread, inside `execute`. `data` is not retained: the parser owns the C structure.

/// The parser behind the C structure.
private func owner(_ raw: UnsafeMutablePointer<http_parser>?) -> RequestParser? {
    raw?.pointee.data.map { Unmanaged<RequestParser>.fromOpaque($0).takeUnretainedValue() }
}

/// The head is complete.
private func headDidEnd(_ raw: UnsafeMutablePointer<http_parser>?) -> Int32 {
    owner(raw)?.headEnded()
    return 0
}

/// Decoded bytes of the body.
private func bodyDidArrive(
    _ raw: UnsafeMutablePointer<http_parser>?,
    _ start: UnsafePointer<CChar>?,
    _ count: Int
) -> Int32 {
    start?.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        owner(raw)?.append(UnsafeBufferPointer(start: bytes, count: count))
    }
    return 0
}

/// The request is complete.
private func messageDidEnd(_ raw: UnsafeMutablePointer<http_parser>?) -> Int32 {
    owner(raw)?.end()
    return 0
}
