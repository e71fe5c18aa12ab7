internal import Web

extension HeadScanner {
    /// Who sends, for the values made of its bytes.
    struct Client {
        var peer = ""
        var tls: TLSPeer?
        /// Whether the connection has TLS.
        var isSecure = false
    }

    /// The head as a value, as far as it was read; nil while the request line is missing. The body is empty.
    func partialRequest(of client: Client) -> HTTPRequest? {
        guard line != nil else { return nil }
        var rules = HeadRules()
        return request(of: client, rules: &rules)
    }

    /// The head as a value; `rules` learns what the fields say about framing.
    func request(of client: Client, rules: inout HeadRules) -> HTTPRequest? {
        guard let line else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            var headers = HTTPHeaders()
            for field in fields {
                let value = Self.text(buffer[field.value])
                let known = KnownHeader.find(buffer[field.name])
                headers.append(known?.name ?? HTTPHeaderName(Self.text(buffer[field.name])), value)
                if let role = known?.role, role != .none { rules.note(role, value) }
            }
            return HTTPRequest(
                method: Self.method(buffer[line.method]),
                target: Self.target(buffer[line.target]),
                headers: headers,
                peer: client.peer,
                tls: client.tls,
                isSecure: client.isSecure
            )
        }
    }

    private static func method(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> HTTPMethod {
        if bytes.elementsEqual("GET".utf8) { return .get }
        if bytes.elementsEqual("POST".utf8) { return .post }
        return HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// The target in origin form: of `http://host/path` only the path is kept (RFC 9112, section 3.2.2).
    private static func target(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.first != 0x2F else { return text }
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else { return text }
        let rest = text.dropFirst(scheme.count)
        guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return rest[end] == "/" ? String(rest[end...]) : "/" + rest[end...]
    }

    /// UTF-8 where it is, else Latin-1 (RFC 9110, section 5.5): nothing is lost.
    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }
}
