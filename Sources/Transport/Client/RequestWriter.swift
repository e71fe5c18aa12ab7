internal import Web

/// Turns a request into bytes; refuses what would not be read as that request.
enum RequestWriter {
    /// The whole request, ready to be sent. Framing and `Host` are the client's business: what the request says of
    /// Content-Length and Transfer-Encoding is left out.
    static func bytes(_ request: HTTPRequest, _ origin: HTTPOrigin) throws(HTTPCallFault) -> [UInt8] {
        let method = Array(request.method.rawValue.utf8)
        guard !method.isEmpty, method.allSatisfy({ Characters.isToken($0) }) else {
            throw .badRequest(reason: "the method is not a token")
        }
        let target = Array(request.target.utf8)
        guard !target.isEmpty, target.allSatisfy({ Characters.isTarget($0) }) else {
            throw .badRequest(reason: "the target is empty, or has white space or odd characters")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + request.body.count)
        bytes += method
        bytes.append(Characters.space)
        bytes += target
        bytes += " HTTP/1.1\r\n".utf8
        if request.headers[.host] == nil { try append("Host", origin.authority, to: &bytes) }
        for field in request.headers.fields {
            switch field.name {
            case .contentLength, .transferEncoding: continue
            default: try append(field.name.text, field.value, to: &bytes)
            }
        }
        let mayHaveBody = request.method == .post || request.method == .put || request.method == .patch
        if mayHaveBody || !request.body.isEmpty {
            try append("Content-Length", String(request.body.count), to: &bytes)
        }
        bytes += "\r\n".utf8
        bytes += request.body
        return bytes
    }

    /// Whether the request itself ends its connection.
    static func endsConnection(_ request: HTTPRequest) -> Bool {
        request.headers.all(.connection).contains { $0.lowercased().contains("close") }
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) throws(HTTPCallFault) {
        guard !name.isEmpty, name.utf8.allSatisfy({ Characters.isToken($0) }) else {
            throw .badRequest(reason: "a header name is not a token")
        }
        guard value.utf8.allSatisfy({ Characters.isValue($0) }) else {
            throw .badRequest(reason: "a control character in a header value")
        }
        bytes += name.utf8
        bytes += ": ".utf8
        bytes += value.utf8
        bytes += "\r\n".utf8
    }
}
