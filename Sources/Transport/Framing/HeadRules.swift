internal import Web

/// What the header fields of one request say about its framing, and whether that is allowed.
struct HeadRules {
    private var hosts = 0
    private var host = ""
    private var transferCoding: String?
    private var expectation: String?

    /// Learns one field.
    mutating func note(_ role: KnownHeader.Role, _ value: String) {
        switch role {
        case .none: break
        case .host:
            hosts += 1
            host = value
        case .transferEncoding: transferCoding = transferCoding.map { $0 + "," + value } ?? value
        case .expect: expectation = expectation.map { $0 + "," + value } ?? value
        }
    }

    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool { expectation != nil }

    /// The first rule that the head breaks, in the order in which a reader would notice.
    func check(_ head: HTTPRequest, isOldVersion: Bool) throws(RequestFault) {
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
    }

    /// Whether a value is `uri-host [ ":" port ]` (RFC 9110, section 7.2). A target without authority has an empty one.
    private static func isHost(_ value: String) -> Bool {
        var rest = Array(value.utf8)[...]
        if rest.first == 0x5B {
            guard let end = rest.firstIndex(of: 0x5D) else { return false }
            guard rest[1..<end].allSatisfy({ isNamePart($0) || $0 == Characters.colon }) else { return false }
            rest = rest[(end + 1)...]
        } else {
            rest = rest.drop(while: isNamePart)
        }
        guard rest.first == Characters.colon else { return rest.isEmpty }
        return rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A byte of a registered name (RFC 3986, section 3.2.2).
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }
}
