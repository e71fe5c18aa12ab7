package import Wire

/// What a chain must fulfil. Dates are never looked at: Apple's policy does not, and the tenant's clock may be anywhere.
package struct ChainPolicy: Sendable {
    /// The certificates that end a chain.
    package var anchors: [Certificate]
    /// The extension that the leaf must have.
    package var requiredLeafExtension: OID?
    /// The kind of key that the leaf must have.
    package var leafKey: KeyKind?

    /// A policy; without requirements any leaf will do.
    package init(anchors: [Certificate], requiredLeafExtension: OID? = nil, leafKey: KeyKind? = nil) {
        self.anchors = anchors
        self.requiredLeafExtension = requiredLeafExtension
        self.leafKey = leafKey
    }

    /// The rules for the certificates that pass data is encrypted to.
    package static func passData(anchors: [Certificate]) -> ChainPolicy {
        ChainPolicy(anchors: anchors, requiredLeafExtension: .appleIssuerEncryption, leafKey: .p256)
    }
}

/// Verifies chains, leaf first. The root may be sent or not.
package enum CertificateChain {
    /// The leaf of `ders` with every check made, also when several fail.
    package static func verify(_ ders: [[UInt8]], _ policy: ChainPolicy) -> Checked<Certificate> {
        guard !ders.isEmpty else { return refused(.empty) }
        guard ders.count <= 8 else { return refused(.tooLong, "\(ders.count) certificates") }
        var checks: [Check] = []
        var certificates: [Certificate] = []
        for (index, der) in ders.enumerated() {
            do throws(CertificateError) {
                let certificate = try Certificate(der: der)
                if certificates.contains(certificate) {
                    checks.append(.failed(Name.form, ChainFault.duplicate, evidence: "element \(index)"))
                } else {
                    certificates.append(certificate)
                }
            } catch {
                checks.append(formFailure(error, der, index))
            }
        }
        if checks.isEmpty { checks.append(.passed(Name.form, evidence: "\(ders.count) certificates")) }
        guard !certificates.isEmpty else { return Checked(value: nil, checks: checks) }
        let leaves = certificates.filter { !$0.isAuthority }
        guard let leaf = leaves.first else {
            checks.append(.failed(Name.order, ChainFault.leafMissing, evidence: names(certificates)))
            return Checked(value: nil, checks: checks)
        }
        let path = ChainPath(from: leaf, through: certificates, to: policy.anchors)
        checks.append(orderCheck(certificates, leaves: leaves, path: path))
        checks.append(path.anchorCheck)
        checks += path.authorityChecks(policy)
        checks += leafChecks(leaf, policy)
        return Checked(value: leaf, checks: checks)
    }

    /// The names of the checks.
    enum Name {
        static let form = "certificates.form"
        static let order = "certificates.order"
        static let anchor = "certificates.anchor"
        static let authority = "certificates.authority"
        static let leaf = "certificates.leaf"
    }

    private static func refused(_ fault: ChainFault, _ evidence: String? = nil) -> Checked<Certificate> {
        Checked(value: nil, checks: [.failed(Name.form, fault, evidence: evidence)])
    }

    private static func formFailure(_ error: CertificateError, _ der: [UInt8], _ index: Int) -> Check {
        let fault: ChainFault =
            switch error.fault {
            case .pemInsteadOfDER: .pem
            case .notDER where PayloadEncoding.looksBase64(der): .base64
            case .notDER, .notPEM, .request: .notDER
            case .key, .algorithmMismatch, .duplicateExtension: .unusable
            }
        let detail = error.evidence ?? error.fault.meaning.cause
        return .failed(Name.form, fault, evidence: "element \(index): \(detail)")
    }

    private static func orderCheck(_ sent: [Certificate], leaves: [Certificate], path: ChainPath) -> Check {
        if leaves.count > 1 { return .failed(Name.order, ChainFault.severalLeaves, evidence: names(leaves)) }
        let onPath = path.sent
        if sent == onPath { return .passed(Name.order, evidence: names(sent)) }
        let unrelated = sent.filter { !onPath.contains($0) }
        // With a gap in the path, what lies beyond the gap is not unrelated; the gap itself is reported.
        if !unrelated.isEmpty, path.isAnchored {
            return .failed(Name.order, ChainFault.unrelated, evidence: names(unrelated))
        }
        if sent.reversed() == onPath || unrelated.isEmpty == false && sent.last == onPath.first {
            return .failed(Name.order, ChainFault.reversed, evidence: names(sent))
        }
        if sent.first == onPath.first, !unrelated.isEmpty { return .passed(Name.order, evidence: names(sent)) }
        return .failed(Name.order, ChainFault.order, evidence: names(sent))
    }

    private static func leafChecks(_ leaf: Certificate, _ policy: ChainPolicy) -> [Check] {
        var checks: [Check] = []
        if let marker = policy.requiredLeafExtension, !leaf.has(marker) {
            checks.append(.failed(Name.leaf, ChainFault.marker, evidence: "\(marker) is absent"))
        }
        if let kind = policy.leafKey, leaf.publicKey.kind != kind {
            checks.append(.failed(Name.leaf, ChainFault.leafKey, evidence: leaf.publicKey.summary))
        }
        if let usage = leaf.keyUsage, usage.isDisjoint(with: [.keyEncipherment, .keyAgreement]) {
            checks.append(
                .failed(
                    Name.leaf,
                    ChainFault.leafUsage,
                    evidence: usage.map { "\($0)" }.sorted().joined(separator: ", ")
                )
            )
        }
        return checks.isEmpty ? [.passed(Name.leaf, evidence: leaf.commonName)] : checks
    }

    /// The common names, in order, for evidence.
    static func names(_ certificates: [Certificate]) -> String {
        certificates.map { $0.commonName ?? "(no common name)" }.joined(separator: " → ")
    }
}
