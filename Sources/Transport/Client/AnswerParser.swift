internal import CHTTPParser
internal import Web

/// The framing of one client connection's answers: http-parser behind a small interface.
///
/// Skips interim answers. Belongs to one connection, used on the loop thread only; owns the C parser and frees it.
final class AnswerParser {
    /// Whether the whole answer was read.
    private(set) var isComplete = false
    /// Whether a byte of the final answer was read.
    private(set) var hasBegun = false
    /// Whether the connection stays open after it, as far as the server says.
    private(set) var keepsAlive = false
    /// The body so far, decoded.
    private(set) var body: [UInt8] = []

    private var status = 0
    private var headers = HTTPHeaders()
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    private var isInValue = false
    private var headCount = 0
    private var isHead = false
    /// What a callback found; http-parser itself only knows that one failed.
    private var found: HTTPCallFault?

    private let bodyBytes: Int
    private let headBytes: Int
    private let raw: UnsafeMutablePointer<http_parser>
    private let settings: UnsafeMutablePointer<http_parser_settings>

    /// Allocates the C parser.
    init(bodyBytes: Int, headBytes: Int) {
        self.bodyBytes = bodyBytes
        self.headBytes = headBytes
        raw = .allocate(capacity: 1)
        settings = .allocate(capacity: 1)
        http_parser_settings_init(settings)
        settings.pointee.on_header_field = nameDidArrive
        settings.pointee.on_header_value = valueDidArrive
        settings.pointee.on_headers_complete = headDidEnd
        settings.pointee.on_body = bodyDidArrive
        settings.pointee.on_message_complete = answerDidEnd
    }

    deinit {
        raw.deallocate()
        settings.deallocate()
    }

    /// At the start of an answer; `isHead` says that the request was HEAD.
    func begin(isHead: Bool) {
        self.isHead = isHead
        isComplete = false
        hasBegun = false
        keepsAlive = false
        found = nil
        headCount = 0
        forgetAnswer()
        http_parser_init(raw, HTTP_RESPONSE)
        raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Reads a piece and says how many bytes belonged to this answer.
    func read(_ piece: UnsafeRawBufferPointer) throws(HTTPCallFault) -> Int {
        guard let base = piece.baseAddress, !isComplete else { return 0 }
        hasBegun = true
        let used = http_parser_execute(raw, settings, base.assumingMemoryBound(to: CChar.self), piece.count)
        try check()
        return used
    }

    /// The server sent its last byte: some answers end so. False when this one is cut.
    func end() -> Bool {
        guard !isComplete, hasBegun else { return isComplete }
        http_parser_execute(raw, settings, nil, 0)
        return isComplete
    }

    /// Hands the answer over.
    func takeResponse() -> HTTPResponse {
        let response = HTTPResponse(status: status, headers: headers, body: body)
        forgetAnswer()
        return response
    }

    /// Throws what http-parser or a callback found.
    private func check() throws(HTTPCallFault) {
        if let found { throw found }
        switch shim_http_errno(raw) {
        case Int32(HPE_OK.rawValue), Int32(HPE_PAUSED.rawValue): return
        case let number:
            let text = shim_http_errno_description(number).map { String(cString: $0) }
            throw .malformedAnswer(reason: text ?? "not HTTP")
        }
    }

    private func forgetAnswer() {
        status = 0
        headers = HTTPHeaders()
        body = []
        name = []
        value = []
        isInValue = false
    }

    // MARK: http-parser's words; 1 ends the reading

    /// A piece of a header's name.
    fileprivate func append(name piece: UnsafeBufferPointer<UInt8>) -> Int32 {
        if isInValue { endField() }
        name += piece
        return count(piece)
    }

    /// A piece of a header's value.
    fileprivate func append(value piece: UnsafeBufferPointer<UInt8>) -> Int32 {
        isInValue = true
        value += piece
        return count(piece)
    }

    /// 1 when the answer has no body.
    fileprivate func headEnded() -> Int32 {
        if isInValue { endField() }
        status = Int(shim_http_status(raw))
        keepsAlive = http_should_keep_alive(raw) != 0
        shim_http_ignore_upgrade(raw)
        let length = raw.pointee.content_length
        if !isHead, length != UInt64.max, length > UInt64(bodyBytes) {
            // The error is found after this call, because 1 means "no body" here.
            found = .answerTooLarge(limit: bodyBytes)
        }
        return isHead ? 1 : 0
    }

    /// Decoded bytes of the body.
    fileprivate func append(body piece: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard found == nil, body.count + piece.count <= bodyBytes else {
            found = found ?? .answerTooLarge(limit: bodyBytes)
            return 1
        }
        body += piece
        return 0
    }

    /// The answer, or an interim one, is complete.
    fileprivate func ended() -> Int32 {
        if (100..<200).contains(status), status != 101 {
            forgetAnswer()
            hasBegun = false
            return 0
        }
        isComplete = true
        // What follows belongs to no call.
        http_parser_pause(raw, 1)
        return 0
    }

    private func endField() {
        headers.append(
            HTTPHeaderName(String(decoding: name, as: UTF8.self)),
            String(decoding: trimmed(value[...]), as: UTF8.self)
        )
        name.removeAll(keepingCapacity: true)
        value.removeAll(keepingCapacity: true)
        isInValue = false
    }

    /// http-parser leaves blanks at the end.
    private func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value
        while let last = value.last, Characters.isBlank(last) { value.removeLast() }
        return value
    }

    private func count(_ piece: UnsafeBufferPointer<UInt8>) -> Int32 {
        headCount += piece.count
        guard headCount > headBytes else { return 0 }
        found = .malformedAnswer(reason: "its head is larger than \(headBytes) bytes")
        return 1
    }
}

// http-parser's calls, on the loop thread, inside `read` and `end`. `data` is not retained: the parser owns the C
// structure. Pieces are borrowed for the length of a call.

private func owner(_ raw: UnsafeMutablePointer<http_parser>?) -> AnswerParser? {
    raw?.pointee.data.map { Unmanaged<AnswerParser>.fromOpaque($0).takeUnretainedValue() }
}

/// Lends a piece as bytes.
private func withBytes(
    _ start: UnsafePointer<CChar>?,
    _ count: Int,
    _ body: (UnsafeBufferPointer<UInt8>) -> Int32?
) -> Int32 {
    start?.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        body(UnsafeBufferPointer(start: bytes, count: count))
    } ?? 0
}

private func nameDidArrive(
    _ raw: UnsafeMutablePointer<http_parser>?,
    _ start: UnsafePointer<CChar>?,
    _ count: Int
) -> Int32 {
    withBytes(start, count) { owner(raw)?.append(name: $0) }
}

private func valueDidArrive(
    _ raw: UnsafeMutablePointer<http_parser>?,
    _ start: UnsafePointer<CChar>?,
    _ count: Int
) -> Int32 {
    withBytes(start, count) { owner(raw)?.append(value: $0) }
}

private func headDidEnd(_ raw: UnsafeMutablePointer<http_parser>?) -> Int32 { owner(raw)?.headEnded() ?? 0 }

private func bodyDidArrive(
    _ raw: UnsafeMutablePointer<http_parser>?,
    _ start: UnsafePointer<CChar>?,
    _ count: Int
) -> Int32 {
    withBytes(start, count) { owner(raw)?.append(body: $0) }
}

private func answerDidEnd(_ raw: UnsafeMutablePointer<http_parser>?) -> Int32 { owner(raw)?.ended() ?? 0 }
