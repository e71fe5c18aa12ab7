/// One request as a value; nothing in it points into a connection.
package struct HTTPRequest: Sendable {
    /// Any word that framing lets through.
    package var method: HTTPMethod
    /// The request target as received, for example `/v1/issuers?limit=2`.
    package var target: String {
        didSet { mark = HTTPRequest.mark(in: target) }
    }
    /// Bytes before the question mark; nil without one. Asked for several times by each request.
    private var mark: Int?
    /// In the order received.
    package var headers: HTTPHeaders
    /// The whole body, without its transfer coding.
    package var body: [UInt8]
    /// Address of the client, without the port.
    package var peer: String
    /// The client certificate of the connection; nil without TLS, or when the client showed none.
    package var tls: TLSPeer?
    /// Whether the connection has TLS.
    package var isSecure: Bool

    /// A request; what is not given is empty, and comes from inside the process.
    package init(
        method: HTTPMethod,
        target: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        peer: String = "in-process",
        tls: TLSPeer? = nil,
        isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        mark = HTTPRequest.mark(in: target)
        self.headers = headers
        self.body = body
        self.peer = peer
        self.tls = tls
        self.isSecure = isSecure
    }

    private static func mark(in target: String) -> Int? {
        let bytes = target.utf8.span
        return bytes.indices.first { bytes[$0] == 0x3F }
    }

    /// The target up to the question mark, still percent-encoded.
    package var path: Substring { mark.map { target[..<place($0)] } ?? target[...] }

    /// What follows the question mark, still percent-encoded.
    package var rawQuery: Substring { mark.map { target[place($0 + 1)...] } ?? "" }

    private func place(_ offset: Int) -> String.Index { target.utf8.index(target.startIndex, offsetBy: offset) }

    /// The query's pairs in order, percent-decoded, `+` read as a space. A pair that does not decode is left out.
    package var query: [(name: String, value: String)] {
        guard let mark else { return [] }
        var pairs: [(name: String, value: String)] = []
        let bytes = target.utf8.span
        var start = mark + 1
        while start < bytes.count {
            var (end, equals) = (start, Int?.none)
            while end < bytes.count, bytes[end] != 0x26 {
                if bytes[end] == 0x3D, equals == nil { equals = end }
                end += 1
            }
            let name = target[place(start)..<place(equals ?? end)]
            let value = equals.map { target[place($0 + 1)..<place(end)] } ?? ""
            if end > start, let name = PercentEncoding.decode(name, plusIsSpace: true),
                let value = PercentEncoding.decode(value, plusIsSpace: true)
            {
                pairs.append((name: name, value: value))
            }
            start = end + 1
        }
        return pairs
    }

    /// The token of `Authorization: Bearer …` (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110, section
    /// 11.1), nor how many spaces follow it (section 11.4). Nil for another scheme, and without a token.
    package var bearer: String? {
        let parts = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].drop { $0 == " " }
        return token.isEmpty ? nil : String(token)
    }

    /// The first value of a query parameter.
    package func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
