internal import Web

/// What the header fields of one request say about its framing, and whether that is allowed.
struct HeadRules {
    private var hosts = 0
    private var host = ""
    private var lengths = 0
    private var length = ""
    private var transferCoding: String?
    private var expectation: String?
    private var closes = false
    private var keeps = false

    /// Learns one field.
    mutating func note(_ role: KnownHeader.Role, _ value: String) {
        switch role {
        case .none: break
        case .host:
            hosts += 1
            host = value
        case .contentLength:
            lengths += 1
            length = value
        case .transferEncoding: transferCoding = transferCoding.map { $0 + "," + value } ?? value
        case .expect: expectation = expectation.map { $0 + "," + value } ?? value
        case .connection: noteOptions(value)
        }
    }

    private mutating func noteOptions(_ value: String) {
        for option in value.utf8.split(separator: 0x2C) {
            switch Substring(option).lowercased().trimmingBlanks {
            case "close": closes = true
            case "keep-alive": keeps = true
            default: break
            }
        }
    }

    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool { expectation != nil }

    /// Whether the connection stays open after the answer, as far as the client says (RFC 9112, section 9.3).
    func keepsAlive(isOldVersion: Bool) -> Bool { !closes && (keeps || !isOldVersion) }

    /// The first rule that the head breaks, in the order in which a reader would notice; else how its body comes.
    func check(_ head: HTTPRequest, isOldVersion: Bool) throws(RequestFault) -> BodyFraming {
        guard HTTPMethod.known.contains(head.method) else {
            throw RequestFault(.method, "the server knows no such method")
        }
        guard head.target.utf8.first == 0x2F || (head.target == "*" && head.method == .options) else {
            throw RequestFault(.framing, "the request target is neither a path nor an http address")
        }
        guard hosts == 1 || (hosts == 0 && isOldVersion) else {
            throw RequestFault(.host, hosts == 0 ? "the Host header is missing" : "the Host header is repeated")
        }
        guard Self.isHost(host) else {
            throw RequestFault(.host, "the Host header is not a host with an optional port (RFC 9112, section 3.2)")
        }
        if let transferCoding {
            guard !isOldVersion else { throw RequestFault(.framing, "HTTP/1.0 has no Transfer-Encoding") }
            guard transferCoding.lowercased() == "chunked" else {
                throw RequestFault(.transferCoding, "the only transfer coding is chunked")
            }
        }
        if let expectation, !isOldVersion, expectation.lowercased() != "100-continue" {
            throw RequestFault(.expectation, "the only expectation is 100-continue")
        }
        return try framing()
    }

    /// A request that could be read in two ways is read in none: whatever stands before us may read it in the other.
    private func framing() throws(RequestFault) -> BodyFraming {
        guard lengths > 0 else { return transferCoding == nil ? .none : .chunked }
        guard lengths == 1, transferCoding == nil else {
            throw RequestFault(.framing, "Content-Length is repeated, or stands beside Transfer-Encoding")
        }
        guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = UInt64(length) else {
            throw RequestFault(.framing, "Content-Length is not a number")
        }
        return count == 0 ? .none : .length(Int(clamping: count))
    }

    /// Whether a value is `uri-host [ ":" port ]` (RFC 9110, section 7.2). A target without authority has an empty one.
    private static func isHost(_ value: String) -> Bool {
        let bytes = value.utf8.span
        var index = 0
        if bytes.count > 0, bytes[0] == 0x5B {
            index = 1
            while index < bytes.count, isNamePart(bytes[index]) || bytes[index] == Characters.colon { index += 1 }
            guard index < bytes.count, bytes[index] == 0x5D else { return false }
            index += 1
        } else {
            while index < bytes.count, isNamePart(bytes[index]) { index += 1 }
        }
        guard index < bytes.count else { return true }
        guard bytes[index] == Characters.colon else { return false }
        for digit in (index + 1)..<bytes.count where !(0x30...0x39).contains(bytes[digit]) { return false }
        return true
    }

    /// A byte of a registered name (RFC 3986, section 3.2.2).
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // -._~%!$&'()*+,;=
        case 0x21, 0x24...0x2E, 0x3B, 0x3D, 0x5F, 0x7E: true
        default: false
        }
    }
}

extension String {
    /// Without the spaces and tabs around it.
    fileprivate var trimmingBlanks: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        return rest.lastIndex { $0 != " " && $0 != "\t" }.map { rest[...$0] } ?? ""
    }
}
