/// The certificate that a client showed, and what Transport thinks of it. The handshake never fails for it: whoever needs
/// a certificate judges this value and answers in HTTP.
package struct TLSPeer: Sendable, Hashable {
    /// The subject as RFC 2253 writes it, for example `CN=hub,O=Demo Bank`.
    package var subject: String
    /// SHA-256 of the certificate in lower-case hexadecimal digits.
    package var fingerprint: String
    /// Whether the chain leads to an authority that the server trusts, at the time of the machine's clock.
    package var isVerified: Bool
    /// Why not, in OpenSSL's words; nil for a verified certificate.
    package var reason: String?

    /// What Transport read from the certificate, and its verdict.
    package init(subject: String, fingerprint: String, isVerified: Bool, reason: String? = nil) {
        self.subject = subject
        self.fingerprint = fingerprint
        self.isVerified = isVerified
        self.reason = reason
    }
}
