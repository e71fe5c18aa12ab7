internal import Web

extension HeadScanner {
    /// Who sends, for the values made of its bytes.
    struct Client {
        var peer = ""
        var tls: TLSPeer?
        /// Whether the connection has TLS.
        var isSecure = false
    }

    /// The head as a value, as far as it was read; nil while its path is missing. The body is empty.
    func partialRequest(of client: Client) -> HTTPRequest? {
        guard line != nil else { return beginning(of: client) }
        var rules = HeadRules()
        return request(of: client, rules: &rules)
    }

    /// Method and path of a request line that cannot be read to its end, for an answer in the shape of the path's face: what
    /// is too long begins like any other.
    private func beginning(of client: Client) -> HTTPRequest? {
        let text = bytes.drop { $0 == Characters.carriageReturn || $0 == Characters.lineFeed }
        let method = text.prefix { Characters.isToken($0) }
        guard !method.isEmpty, text.dropFirst(method.count).first == Characters.space else { return nil }
        let path = text.dropFirst(method.count + 1).prefix(Self.longestPath).prefix { byte in
            Characters.isTarget(byte) && byte != UInt8(ascii: "?")
        }
        guard path.first == UInt8(ascii: "/") else { return nil }
        return HTTPRequest(
            method: bytes.withUnsafeBufferPointer { Self.method($0[method.indices]) },
            target: String(decoding: path, as: UTF8.self),
            peer: client.peer,
            tls: client.tls,
            isSecure: client.isSecure
        )
    }

    /// Longer than any path of an operation.
    private static let longestPath = 512

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
