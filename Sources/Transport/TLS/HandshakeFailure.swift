/// A TLS handshake that came to nothing: there is no request that could be answered or journaled, so the log tells of it.
package struct HandshakeFailure: Sendable, Equatable {
    /// What sort of failure it was.
    package enum Problem: String, Sendable, CaseIterable {
        /// The client does not speak TLS; most often plain HTTP.
        case notTLS
        /// No protocol version that both sides speak: the server takes TLS 1.2 and 1.3.
        case version
        /// No cipher suite, curve or signature algorithm that both sides take.
        case cipher
        /// The client broke it off with an alert; most often it does not trust the server's certificate.
        case alert
        /// The client's certificate cannot be read, or the client does not hold its key.
        case certificate
        /// The client left within the handshake.
        case left
        /// The client did not go on with the handshake in time.
        case timeout
        /// Anything else that OpenSSL says.
        case other
    }

    /// Address of the client, without the port.
    package let peer: String
    /// The subject of the certificate that the client had shown by then, as RFC 2253 writes it; nil when it showed none.
    package let subject: String?
    package let problem: Problem
    /// The reason in words, OpenSSL's where it has some. Never bytes of the client, but for the subject.
    package let reason: String

    /// A failure with its words.
    package init(peer: String, subject: String?, problem: Problem, reason: String) {
        self.peer = peer
        self.subject = subject
        self.problem = problem
        self.reason = reason
    }
}
