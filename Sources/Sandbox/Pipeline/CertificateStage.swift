import Core
import Masking
import Traffic
import Web
import Wire

/// What a client certificate says of a request: whose it is, and whether the issuer of the request wants another one.
///
/// A class, because each request takes it out of an optional.
final class CertificateStage: Sendable {
    private static let check = "tls.clientCertificate"

    let worlds: Worlds
    let mishaps: Mishaps

    init(worlds: Worlds, mishaps: Mishaps) {
        self.worlds = worlds
        self.mishaps = mishaps
    }

    /// Notes what is to be said of the certificate. It refuses only where the request's issuer demands one of its own;
    /// anywhere else a wrong one is a warning.
    func judge(_ progress: inout RequestInProgress) async {
        guard progress.destination.endpoint != nil, let context = progress.context else { return }
        let issuerID = progress.exchange.parameters["issuerId"]
        let peer = progress.exchange.received.tls
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
            return progress.exchange.note(mishaps.check(error, in: "client certificate"))
        }
        let isDemanded = issuer?.policies.clientCertificate == .required
        func note(_ fault: ClientCertificateFault, _ evidence: String) {
            progress.exchange.note(
                isDemanded
                    ? .failed(Self.check, fault, evidence: evidence) : .warning(Self.check, fault, evidence: evidence)
            )
        }
        guard let peer else {
            if isDemanded { note(.missing, "of \(issuerID)") }
            return
        }
        let shown = "\(Masking.excerpt(peer.subject, 120)), SHA-256 \(peer.fingerprint)"
        guard peer.isVerified else { return note(.untrusted, "\(peer.reason ?? "not verified"): \(shown)") }
        progress.certificateIssuers = holders
        let cares = isDemanded || issuer?.clientCertificates.isEmpty == false
        let whose = holders.isEmpty ? shown : "of \(holders.joined(separator: ", ")): \(shown)"
        if cares, !holders.contains(issuerID) { return note(holders.isEmpty ? .unknown : .otherIssuer, whose) }
        progress.exchange.note(.passed(Self.check, evidence: holders.isEmpty ? "of no issuer: \(shown)" : whose))
    }
}
