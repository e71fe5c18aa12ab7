internal import Web

/// What the header fields of one request say about its framing, and whether that is allowed.
struct HeadRules {
    private var hosts = 0
    private var transferCoding: String?
    private var expectation: String?

    /// Learns one field.
    mutating func note(_ role: KnownHeader.Role, _ value: String) {
        switch role {
        case .none: break
        case .host: hosts += 1
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
}
