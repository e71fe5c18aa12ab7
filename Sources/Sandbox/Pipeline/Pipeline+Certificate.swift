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
        let entries: CertificateBook.Entries
        do {
            entries = try await context.certificates.entries { [worlds] in
                try await worlds.read(context.name) { try $0.store.records(Issuer.self) }
            }
        } catch {
            return visit.exchange.note(failure(error, "client certificate"))
        }
        let issuerID = visit.exchange.parameters["issuerId"]
        let isDemanded = entries.demanding.contains(issuerID)
        guard let peer = visit.exchange.request.tls else {
            if isDemanded { note(.missing, evidence: "of \(issuerID)", isDemanded, &visit) }
            return
        }
        let shown = "\(Masking.excerpt(peer.subject, 120)), SHA-256 \(peer.fingerprint)"
        guard peer.isVerified else {
            return note(.untrusted, evidence: "\(peer.reason ?? "not verified"): \(shown)", isDemanded, &visit)
        }
        let holders = entries.holders[peer.fingerprint] ?? []
        visit.certificateIssuers = holders
        let cares = isDemanded || entries.hasCertificates(issuerID)
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
