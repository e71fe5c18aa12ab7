import COpenSSL
import Testing

@testable import Transport

/// What OpenSSL's numbers are told as.
struct HandshakeProblemTests {
    @Test(arguments: [
        (SSL_R_HTTP_REQUEST, HandshakeFailure.Problem.notTLS), (SSL_R_UNSUPPORTED_PROTOCOL, .version),
        (SSL_R_NO_SHARED_CIPHER, .cipher), (SSL_R_CERTIFICATE_VERIFY_FAILED, .certificate),
        // The other side's alert 48, unknown authority; then OpenSSL's own internal error.
        (SSL_R_TLSV1_ALERT_UNKNOWN_CA, .alert), (Int32(truncatingIfNeeded: 259 | (1 << 18)), .other),
        (SSL_R_LENGTH_MISMATCH, .other),
    ])
    func `a reason has its problem`(_ reason: Int32, _ problem: HandshakeFailure.Problem) {
        #expect(Channel.problem(ofServerReason: reason) == problem)
    }
}
