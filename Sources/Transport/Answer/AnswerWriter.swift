internal import Glibc
internal import Web
internal import Wire

/// Turns answers into bytes. One per server, on the loop thread; its buffer is used again for each answer.
struct AnswerWriter {
    /// What the request says about the form of its answer.
    struct Form {
        /// The request was HEAD: the same header, no body.
        var isHead = false
        var isOldVersion = false
        /// Whether the connection stays open afterwards.
        var keepsAlive = true
        /// A Content-Length that is not the body's.
        var falseLength: Int?
    }

    /// The bytes of the last answer.
    private(set) var bytes: [UInt8] = []
    /// How many of them come before the body.
    private(set) var headCount = 0
    private var dateLine: [UInt8] = []
    private var dateSecond = 0

    /// The interim answer to `Expect: 100-continue`.
    static let continuation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// An empty writer with a buffer for an ordinary answer.
    init() { bytes.reserveCapacity(4_096) }

    /// Writes head and body into `bytes`. Content-Length, Connection and Transfer-Encoding are Transport's business:
    /// what the response says of them is left out.
    mutating func write(_ response: HTTPResponse, _ form: Form) {
        bytes.removeAll(keepingCapacity: true)
        // An interim status ends nothing: the client would go on waiting.
        let status = (200...599).contains(response.status) ? response.status : 500
        bytes.append(contentsOf: StatusLine.bytes(status))
        var hasDate = false
        for field in response.headers.fields {
            switch field.name {
            case .contentLength, .connection, .transferEncoding: continue
            case .date: hasDate = true
            default: break
            }
            append(name: field.name.text)
            append(value: field.value)
        }
        if !hasDate { appendDate() }
        let hasBody = status != 204 && status != 304
        // 205 says its length, which is always 0 (RFC 9110, section 15.3.6).
        let body = status == 205 ? [] : response.body
        if hasBody { append(length: max(0, form.falseLength ?? body.count)) }
        if !form.keepsAlive {
            append(ascii: "Connection: close\r\n")
        } else if form.isOldVersion {
            append(ascii: "Connection: keep-alive\r\n")
        }
        append(ascii: "\r\n")
        headCount = bytes.count
        if hasBody, !form.isHead { bytes.append(contentsOf: body) }
    }

    /// Gives a large buffer back.
    mutating func shrink() {
        if bytes.capacity > 256 << 10 {
            bytes = []
            bytes.reserveCapacity(4_096)
        }
    }

    private mutating func append(ascii text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// `content-type` as `Content-Type`: some clients and most readers expect it so.
    private mutating func append(name: String) {
        var isFirst = true
        for byte in name.utf8 {
            let isLetter = byte >= 0x61 && byte <= 0x7A
            bytes.append(isFirst && isLetter ? byte - 0x20 : Characters.isToken(byte) ? byte : 0x2D)
            isFirst = byte == 0x2D
        }
        append(ascii: ": ")
    }

    /// Controls become spaces: no value ends its line.
    private mutating func append(value: String) {
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        for index in start..<bytes.count where !Characters.isValue(bytes[index]) { bytes[index] = Characters.space }
        append(ascii: "\r\n")
    }

    private mutating func append(length: Int) {
        append(ascii: "Content-Length: ")
        let start = bytes.count
        var rest = length
        repeat {
            bytes.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
        append(ascii: "\r\n")
    }

    private mutating func appendDate() {
        let now = time(nil)
        if now != dateSecond {
            dateSecond = now
            dateLine = Array("Date: \(HTTPDate.format(Instant(seconds: Int64(now))))\r\n".utf8)
        }
        bytes.append(contentsOf: dateLine)
    }
}
