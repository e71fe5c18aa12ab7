package import Wire

extension Certificate {
    /// The extension with that identifier, or nil.
    package func certificateExtension(_ identifier: OID) -> CertificateExtension? {
        extensions.first { $0.identifier == identifier }
    }

    /// Whether the extension is there.
    package func has(_ identifier: OID) -> Bool { certificateExtension(identifier) != nil }

    /// The bytes of the subjectKeyIdentifier, or nil.
    package var subjectKeyIdentifier: [UInt8]? {
        guard let element = value(of: .subjectKeyIdentifier, .octetString) else { return nil }
        return try? element.octets()
    }

    /// The key identifier of the authorityKeyIdentifier, or nil.
    package var authorityKeyIdentifier: [UInt8]? {
        guard var parts = try? value(of: .authorityKeyIdentifier, .sequence)?.children(),
            let identifier = try? parts.nextIfPresent(.context(0))
        else { return nil }
        return try? identifier.octets()
    }

    /// Nil when the certificate does not restrict the use of its key. A restriction that cannot be read allows nothing.
    package var keyUsage: Set<KeyUsage>? {
        guard has(.keyUsage) else { return nil }
        guard let bits = try? value(of: .keyUsage, .bitString)?.bits() else { return [] }
        return Set(KeyUsage.allCases.filter { $0.rawValue < bits.count && bits[$0.rawValue] })
    }

    /// Whether basicConstraints makes it a certificate authority.
    package var isAuthority: Bool { basicConstraints?.isAuthority ?? false }

    /// How many authorities may follow below it, or nil for any number.
    package var pathLength: Int? { basicConstraints?.pathLength }

    /// Nil when absent or not as RFC 5280, section 4.2.1.9, has it; then the certificate is not an authority.
    private var basicConstraints: (isAuthority: Bool, pathLength: Int?)? {
        guard var parts = try? value(of: .basicConstraints, .sequence)?.children() else { return nil }
        do {
            let isAuthority = try parts.nextIfPresent(.boolean)?.boolean() ?? false
            let pathLength = try parts.nextIfPresent(.integer)?.integer()
            try parts.finish()
            // A negative length is not a length, and must not pass for a missing one.
            return (pathLength ?? 0) < 0 ? nil : (isAuthority, pathLength)
        } catch {
            return nil
        }
    }

    /// Whether issuer and subject are the same name.
    package var isSelfIssued: Bool { issuer == subject }

    /// Whether `authority` has the issuer's name and its key made the signature.
    package func isSigned(by authority: Certificate) -> Bool {
        issuer == authority.subject && signatureVerifies(under: authority.publicKey)
    }

    /// Whether `key` made the signature.
    ///
    /// A signature that verified is remembered with certificate and key: a chain comes many times, and its authorities
    /// in every chain.
    package func signatureVerifies(under key: PublicKey) -> Bool {
        guard let algorithm = SignatureAlgorithm.certificateAlgorithms[signatureAlgorithm] else { return false }
        let verified = try? ParsedCache.verifiedSignatures.value(for: der + key.der) { () throws(NotSigned) in
            guard key.verifies(signature, of: signedPart, algorithm) else { throw NotSigned() }
            return true
        }
        return verified ?? false
    }

    /// Keeps a failed verification out of the cache.
    private struct NotSigned: Error {}

    private func value(of identifier: OID, _ tag: BERTag) -> BERElement? {
        guard let found = certificateExtension(identifier) else { return nil }
        return try? BERReader.single(tag, in: found.value, rules: .distinguished)
    }
}
