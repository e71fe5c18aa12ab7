/// What makes calls out: Transport's client, or a stand-in of a test.
package protocol HTTPCalling: Sendable {
    /// Sends one request and waits for its answer. Nothing is ever sent twice, and redirections are not followed.
    ///
    /// `Host`, `Content-Length` and `Connection` are added; a `Connection: close` of the request is heeded. Cancelling
    /// the task closes the connection.
    ///
    /// - Throws: the real cause, also when the time is over.
    func call(
        _ request: HTTPRequest,
        at origin: HTTPOrigin,
        timeoutSeconds: Double
    ) async throws(HTTPCallFault) -> HTTPResponse
}

/// Where a call goes: scheme, host and port.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// How the connection is protected.
    package enum Scheme: String, Sendable {
        case http
        case https
    }

    /// Whether the connection is TLS.
    package let scheme: Scheme
    /// A name or a numeric address, without brackets.
    package let host: String
    /// Never 0.
    package let port: UInt16

    /// An origin; without a port it is the scheme's own.
    package init(_ scheme: Scheme, host: String, port: UInt16? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == .http ? 80 : 443)
    }

    /// The origin of an absolute URL such as `https://issuer.example:8443/path`; nil for anything else, also for one with
    /// user information.
    package init?(url: String) {
        guard let colon = url.firstRange(of: "://"),
            let scheme = Scheme(rawValue: url[..<colon.lowerBound].lowercased())
        else { return nil }
        let rest = url[colon.upperBound...]
        let authority = rest[..<(rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex)]
        var host = authority
        var port: Substring?
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":" else { return nil }
            port = after.isEmpty ? nil : after.dropFirst()
        } else if let split = authority.firstIndex(of: ":") {
            host = authority[..<split]
            port = authority[authority.index(after: split)...]
        }
        guard !host.isEmpty, !authority.contains("@") else { return nil }
        guard let port, !port.isEmpty else {
            self.init(scheme, host: String(host))
            return
        }
        guard let number = UInt16(port), number > 0 else { return nil }
        self.init(scheme, host: String(host), port: number)
    }

    /// The value of `Host`: without the scheme's own port, an IPv6 address in brackets.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (scheme == .http ? 80 : 443) ? name : "\(name):\(port)"
    }

    /// As a URL without a path.
    package var description: String { "\(scheme.rawValue)://\(authority)" }
}

/// Why a call got no answer. Texts come from the system and from OpenSSL, never from the message.
package enum HTTPCallFault: Error, Equatable, Sendable {
    /// How far a call was when its time was over.
    package enum Step: String, Sendable {
        case resolving
        case connecting
        case handshake
        case answering
    }

    /// What was wrong with TLS.
    package enum TLSProblem: String, Sendable {
        /// The server's certificate is for another host.
        case hostName
        /// Its chain leads to no authority that is trusted here.
        case untrusted
        /// A certificate of its chain is expired, or not valid yet.
        case outOfDate
        /// The server refused: most often it wants a client certificate, or another one.
        case refused
        /// What answered does not speak TLS.
        case notTLS
        /// The connection ended within the handshake.
        case closed
        /// Anything else of TLS.
        case other
    }

    /// The host has no address.
    case unresolved(host: String, reason: String)
    /// Nothing listens there.
    case refused
    /// No way there, or the connection broke for a reason of the network.
    case unreachable(reason: String)
    /// The time was over.
    case timeout(during: Step)
    /// TLS failed.
    case tls(TLSProblem, reason: String)
    /// The server closed without a byte of an answer.
    case closedBeforeAnswer
    /// The server closed within the answer, after this many bytes of its body.
    case closedInsideAnswer(bodyBytes: Int)
    /// The server reset the connection.
    case reset
    /// What came is not an HTTP answer.
    case malformedAnswer(reason: String)
    /// The answer is larger than the client takes.
    case answerTooLarge(limit: Int)
    /// The request cannot be written as HTTP.
    case badRequest(reason: String)
    /// The calling task was cancelled.
    case cancelled
    /// The client was stopped.
    case stopped
}

extension HTTPCallFault: CustomStringConvertible {
    /// One line for the journal and the operator.
    package var description: String {
        switch self {
        case .unresolved(let host, let reason): "\"\(host)\" has no address: \(reason)"
        case .refused: "the connection was refused: nothing listens there"
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .timeout(let step): "the time was over while \(step.words)"
        case .tls(let problem, let reason): "TLS failed (\(problem.rawValue)): \(reason)"
        case .closedBeforeAnswer: "the server closed the connection without an answer"
        case .closedInsideAnswer(let count):
            "the server closed the connection within its answer, after \(count) bytes of the body"
        case .reset: "the server reset the connection"
        case .malformedAnswer(let reason): "what the server sent is not an HTTP answer: \(reason)"
        case .answerTooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .badRequest(let reason): "the request cannot be sent: \(reason)"
        case .cancelled: "the call was cancelled"
        case .stopped: "the client was stopped"
        }
    }
}

extension HTTPCallFault.Step {
    /// As a part of a sentence.
    fileprivate var words: String {
        switch self {
        case .resolving: "looking up the host"
        case .connecting: "connecting"
        case .handshake: "the TLS handshake was under way"
        case .answering: "waiting for the answer"
        }
    }
}
