import Wire

/// The way from a leaf upwards, each step proven by a signature, as far as it goes.
struct ChainPath {
    /// The leaf and the sent certificates above it.
    private(set) var sent: [Certificate]
    /// The anchor, when it was not among the sent ones.
    private(set) var anchor: Certificate?
    private(set) var anchorCheck: Check

    /// Whether the way leads to an anchor.
    var isAnchored: Bool { anchorCheck.passed }

    init(from leaf: Certificate, through certificates: [Certificate], to anchors: [Certificate]) {
        sent = [leaf]
        anchorCheck = .passed(CertificateChain.Name.anchor)
        var current = leaf
        while true {
            if anchors.contains(current) {
                pass(current)
                return
            }
            if let anchor = anchors.first(where: { current.isSigned(by: $0) }) {
                // The root may be among the sent ones too.
                if certificates.contains(anchor) {
                    sent.append(anchor)
                } else {
                    self.anchor = anchor
                }
                pass(anchor)
                return
            }
            let others = certificates.filter { !sent.contains($0) }
            guard let next = others.first(where: { current.isSigned(by: $0) }) else {
                anchorCheck = ChainPath.stop(at: current, leaf: leaf, candidates: others + anchors)
                return
            }
            sent.append(next)
            current = next
        }
    }

    private mutating func pass(_ anchor: Certificate) {
        anchorCheck = .passed(CertificateChain.Name.anchor, evidence: anchor.commonName)
    }

    /// Why the way ends at `current`.
    private static func stop(at current: Certificate, leaf: Certificate, candidates: [Certificate]) -> Check {
        let name = CertificateChain.Name.anchor
        let subject = current.commonName ?? "(no common name)"
        let issuer = current.issuerCommonName ?? "(no common name)"
        let sameName = candidates.contains { $0.subject == current.issuer }
        if current.isSelfIssued, current.signatureVerifies(under: current.publicKey) {
            let hint = sameName ? "An anchor of that name has another key." : nil
            return .failed(name, ChainFault.notAnchored, evidence: "ends at \(subject), self-signed", hint: hint)
        }
        if sameName || current.isSelfIssued {
            let isKnown = SignatureAlgorithm.certificateAlgorithms[current.signatureAlgorithm] != nil
            if !isKnown {
                let evidence = "\(subject): \(current.signatureAlgorithm)"
                return .failed(name, ChainFault.signatureAlgorithm, evidence: evidence)
            }
            return .failed(name, ChainFault.signature, evidence: "\(subject) is not signed by the key of \(issuer)")
        }
        let fault: ChainFault = current == leaf ? .subAuthorityMissing : .notAnchored
        return .failed(name, fault, evidence: "the issuer of \(subject), \(issuer), is not there")
    }

    /// Whether every issuer on the way may issue, and nothing critical is unknown.
    func authorityChecks(_ policy: ChainPolicy) -> [Check] {
        let name = CertificateChain.Name.authority
        let authorities = sent.dropFirst() + (anchor.map { [$0] } ?? [])
        var checks: [Check] = []
        for (below, authority) in authorities.enumerated() {
            let subject = authority.commonName
            if !authority.isAuthority { checks.append(.failed(name, ChainFault.notAuthority, evidence: subject)) }
            if let usage = authority.keyUsage, !usage.contains(.keyCertSign) {
                checks.append(.failed(name, ChainFault.mayNotSign, evidence: subject))
            }
            if let allowed = authority.pathLength, below > allowed {
                let evidence = "\(subject ?? "") allows \(allowed), has \(below)"
                checks.append(.failed(name, ChainFault.pathLength, evidence: evidence))
            }
        }
        for certificate in sent {
            let unknown = certificate.extensions.filter { $0.isCritical && !ChainPath.isKnown($0.identifier, policy) }
            for found in unknown {
                let evidence = "\(certificate.commonName ?? ""): \(found.identifier)"
                checks.append(.failed(name, ChainFault.criticalExtension, evidence: evidence))
            }
        }
        return checks.isEmpty && !authorities.isEmpty ? [.passed(name)] : checks
    }

    /// Only what is judged is known: an extendedKeyUsage that is critical restricts the key to uses that nobody looks at.
    private static func isKnown(_ identifier: OID, _ policy: ChainPolicy) -> Bool {
        let known: [OID] = [.basicConstraints, .keyUsage, .subjectAlternativeName]
        return known.contains(identifier) || identifier == policy.requiredLeafExtension
            || identifier == .appleIssuerEncryption
    }
}
