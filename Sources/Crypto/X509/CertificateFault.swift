package import Wire

/// Why bytes or text are not a certificate that can be used.
package enum CertificateFault: String, DiagnosisSubject {
    case notPEM = "CERT_NOT_PEM"
    case pemInsteadOfDER = "CERT_PEM_INSTEAD_OF_DER"
    case notDER = "CERT_NOT_DER"
    case request = "CERT_IS_REQUEST"
    case key = "CERT_KEY"
    case algorithmMismatch = "CERT_ALGORITHM_MISMATCH"
    case duplicateExtension = "CERT_DUPLICATE_EXTENSION"
}

extension CertificateFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notPEM: (.malformed, "The text holds no CERTIFICATE block.", "Send PEM with its line breaks.")
        case .pemInsteadOfDER: (.malformed, "The bytes are PEM text, not DER.", "Decode the base64 between the lines.")
        case .notDER: (.malformed, "The bytes are not a DER certificate.", "Export with openssl x509 -outform DER.")
        case .request: (.malformed, "A certificate request was sent.", "Send the certificate made from it.")
        case .key: (.malformed, "The certificate's key cannot be used.", "The evidence names the reason.")
        case .algorithmMismatch:
            (.malformed, "The certificate names two signature algorithms.", "Issue the certificate again.")
        case .duplicateExtension: (.malformed, "The certificate has an extension twice.", "Issue it again.")
        }
    }
}

/// A certificate was refused.
package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason.
    package let fault: CertificateFault
    /// What was seen.
    package let evidence: String?

    /// A refusal with what was seen.
    package init(_ fault: CertificateFault, _ evidence: String? = nil) {
        self.fault = fault
        self.evidence = evidence
    }

    /// Code, cause and evidence.
    package var description: String {
        fault.rawValue + ": " + fault.meaning.cause + (evidence.map { " (\($0))" } ?? "")
    }
}
