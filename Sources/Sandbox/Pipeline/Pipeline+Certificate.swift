import Core
import Masking
import Traffic
import Web
import Wire

/// What a client certificate says of a request: whose it is, and whether the issuer of the request wants another one.
extension Pipeline {
    /// Notes what is to be said of the certificate. It refuses only where the request's issuer demands one of its own;
    /// anywhere else a wrong one is a warning.
    func judgeCertificate(_ visit: inout Visit) async {
        guard !isControl, visit.route != nil, let context = visit.context else { return }
        let issuerID = visit.exchange.parameters["issuerId"]
        let peer = visit.exchange.request.tls
        if issuerID.isEmpty, peer == nil { return }
        let (issuer, holders): (Issuer?, [String])
        do {
            (issuer, holders) = try await worlds.read(context.name) { view in
                let digest = peer.map { CertificateFingerprint.credential($0.fingerprint) }
                return (
                    try view.store.record(Issuer.self, issuerID),
                    try digest.map { try view.store.records(Issuer.self, RecordKey.credentialName, $0) }?
                        .map(\.issuerID) ?? []
                )
            }
        } catch {
            return visit.exchange.note(failure(error, "client certificate"))
        }
        let isDemanded = issuer?.policies.clientCertificate == .required
        guard let peer else {
            if isDemanded { note(.missing, evidence: "of \(issuerID)", isDemanded, &visit) }
            return
        }
        let shown = "\(Masking.excerpt(peer.subject, 120)), SHA-256 \(peer.fingerprint)"
        guard peer.isVerified else {
            return note(.untrusted, evidence: "\(peer.reason ?? "not verified"): \(shown)", isDemanded, &visit)
        }
        visit.certificateIssuers = holders
        let cares = isDemanded || issuer?.clientCertificates.isEmpty == false
        if cares, !holders.contains(issuerID) {
            let whose = holders.isEmpty ? shown : "of \(holders.joined(separator: ", ")): \(shown)"
            return note(holders.isEmpty ? .unknown : .otherIssuer, evidence: whose, isDemanded, &visit)
        }
        let whose = holders.isEmpty ? "of no issuer" : "of \(holders.joined(separator: ", "))"
        visit.exchange.note(.passed(Self.check, evidence: "\(whose): \(shown)"))
    }

    private static let check = "tls.clientCertificate"

    private func note(_ fault: ClientCertificateFault, evidence: String, _ isDemanded: Bool, _ visit: inout Visit) {
        visit.exchange.note(
            isDemanded
                ? .failed(Self.check, fault, evidence: evidence) : .warning(Self.check, fault, evidence: evidence)
        )
    }
}
