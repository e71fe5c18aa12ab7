import Transport
import Wire

/// Why a TLS handshake failed. No request came of it, so the log alone tells of it.
enum HandshakeFault: String, DiagnosisSubject {
    case notTLS = "TLS_NOT_TLS"
    case version = "TLS_VERSION"
    case cipher = "TLS_CIPHER"
    case alert = "TLS_ALERT"
    case certificate = "TLS_CLIENT_CERTIFICATE"
    case left = "TLS_CLIENT_LEFT"
    case timeout = "TLS_TIMEOUT"
    case other = "TLS_FAILED"
}

extension HandshakeFault {
    var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notTLS:
            (
                .malformed, "The client does not speak TLS on the TLS port.",
                "Begin the URL with https, or use the other port."
            )
        case .version: (.malformed, "The client offers no TLS version of 1.2 and 1.3.", "Turn on TLS 1.2 or 1.3.")
        case .cipher:
            (
                .malformed, "Client and server have no cipher suite, curve or signature algorithm in common.",
                "Turn on ECDHE with AES-GCM or ChaCha20, and P-256."
            )
        case .alert:
            (
                .untrusted, "The client broke the handshake off with an alert.",
                "Most often it does not trust the server's certificate: give it the one of --tls-cert as an authority."
            )
        case .certificate:
            (
                .unauthenticated, "The client's certificate cannot be read, or the client does not hold its key.",
                "Give the client the private key of the certificate that it shows."
            )
        case .left:
            (
                .malformed, "The client left within the handshake.",
                "Look at the client's own error; a port check or a scanner does the same."
            )
        case .timeout:
            (.malformed, "The client did not go on with the handshake in time.", "Look at the network in between.")
        case .other: (.malformed, "The handshake failed.", "See the reason.")
        }
    }

    init(_ problem: HandshakeFailure.Problem) {
        self =
            switch problem {
            case .notTLS: .notTLS
            case .version: .version
            case .cipher: .cipher
            case .alert: .alert
            case .certificate: .certificate
            case .left: .left
            case .timeout: .timeout
            case .other: .other
            }
    }
}
