/// One request as a value; nothing in it points into a connection.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// The request target as received, for example `/v1/issuers?limit=2`.
    package var target: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Address of the client, without the port.
    package var peer: String
    /// The client certificate of the connection; nil without TLS, or when the client showed none.
    package var tls: TLSPeer?

    package init(
        method: HTTPMethod,
        target: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        peer: String = "in-process",
        tls: TLSPeer? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
        self.tls = tls
    }

    /// The target up to the question mark, still percent-encoded.
    package var path: Substring {
        target.utf8.firstIndex(of: 0x3F).map { target[..<$0] } ?? target[...]
    }

    /// What follows the question mark, still percent-encoded.
    package var rawQuery: Substring {
        target.utf8.firstIndex(of: 0x3F).map { target[target.utf8.index(after: $0)...] } ?? ""
    }

    /// The query's pairs in order, percent-decoded, `+` read as a space. A pair that does not decode is left out.
    package var query: [(name: String, value: String)] {
        rawQuery.utf8.split(separator: 0x26).compactMap { pair in
            let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else { return nil }
            let text = parts.count > 1 ? parts[1] : ""
            guard let value = PercentEncoding.decode(text, plusIsSpace: true) else { return nil }
            return (name: name, value: value)
        }
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
