import Core
import Crypto
import Traffic
import Wire

/// The member `clientCertificates` of an issuer: each a fingerprint, or the certificate itself.
enum ClientCertificateDocument {
    private static let member = "clientCertificates"
    /// Most certificates of one issuer.
    private static let limit = 100

    /// The fingerprints in order, each once.
    static func fingerprints(_ fields: ControlFields) throws(Refusal) -> [String] {
        let texts = try fields.strings(member)
        guard texts.count <= limit else { throw fields.invalid(member, "at most \(limit) certificates") }
        var fingerprints: [String] = []
        for (index, text) in texts.enumerated() {
            guard let fingerprint = fingerprint(text) else {
                throw fields.invalid(
                    "\(member)/\(index)",
                    "the SHA-256 fingerprint of a certificate in hexadecimal, or a certificate in PEM"
                )
            }
            if !fingerprints.contains(fingerprint) { fingerprints.append(fingerprint) }
        }
        return fingerprints
    }

    private static func fingerprint(_ text: String) -> String? {
        guard text.contains("-----BEGIN") else { return CertificateFingerprint.normalized(text) }
        return (try? Certificate(pem: text))?.fingerprint
    }
}
