import Wire

/// What can be wrong with the certificate of a TLS client. The handshake never fails for it.
enum ClientCertificateFault: String, DiagnosisSubject {
    case missing = "CLIENT_CERTIFICATE_MISSING"
    case untrusted = "CLIENT_CERTIFICATE_UNTRUSTED"
    case unknown = "CLIENT_CERTIFICATE_UNKNOWN"
    case otherIssuer = "CLIENT_CERTIFICATE_OTHER_ISSUER"
}

extension ClientCertificateFault {
    var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .missing:
            (
                .unauthenticated,
                "The issuer in the path takes requests with a client certificate only, and the client showed none.",
                "Call the TLS port with a certificate of the issuer; the server must run with --client-ca."
            )
        case .untrusted:
            (
                .unauthenticated, "The client certificate does not verify, so it stands for nobody.",
                "See the evidence for the reason; the chain must lead to the authority of --client-ca."
            )
        case .unknown:
            (
                .unauthenticated, "No issuer of the tenant registered the client certificate.",
                "Add its fingerprint to clientCertificates of the issuer: PUT /v1/issuers/{issuerId}."
            )
        case .otherIssuer:
            (
                .unauthenticated, "The client certificate is another issuer's.",
                "Show a certificate that the issuer of the request registered."
            )
        }
    }
}
