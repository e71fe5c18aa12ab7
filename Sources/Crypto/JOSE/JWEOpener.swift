import Masking
package import Wire

/// A key that opens what was encrypted to it.
package struct JWERecipient: Sendable {
    /// What the header names the key by.
    package let kid: String
    /// On P-256.
    package let key: PrivateKey

    /// A key that must be on P-256.
    package init(kid: String, key: PrivateKey) {
        self.kid = kid
        self.key = key
    }
}

/// Opens compact JWE with ECDH-ES and A256GCM. What the header says is judged before any key is used.
package struct JWEOpener: Sendable {
    static let algorithm = "ECDH-ES"
    static let encryption = "A256GCM"
    /// Longest text, in bytes (thales-push-provisioning 5.5).
    package static let maximumLength = 8_192

    private let recipients: [JWERecipient]

    /// Opens for each of the keys; of two with one `kid` the first counts.
    package init(recipients: [JWERecipient]) { self.recipients = recipients }

    /// The plaintext; `field` is what the names of the checks begin with. On the crypto lane.
    ///
    /// - Throws: ``CryptoError`` when the library itself fails.
    package func open(_ text: String, field: String) throws(CryptoError) -> Checked<SecretBytes> {
        var parsing = JWEParsing(field: field)
        guard let jwe = parsing.run(Array(text.utf8)) else { return Checked(value: nil, checks: parsing.checks) }
        var checks = parsing.checks
        let known = recipients.map(\.kid).joined(separator: ", ")
        guard let recipient = recipients.first(where: { $0.kid == jwe.kid }) else {
            let evidence = "kid \(Masking.excerpt(jwe.kid, 80)); known: \(known)"
            checks.append(.failed("\(field).key", JWEFault.keyIDUnknown, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        checks.append(.passed("\(field).key", evidence: "kid \(recipient.kid)"))
        let secret = try recipient.key.sharedSecret(with: jwe.ephemeral)
        if let plaintext = try jwe.open(secret) {
            checks.append(.passed("\(field).tag"))
            return Checked(value: plaintext, checks: checks)
        }
        checks.append(.failed("\(field).tag", try jwe.reason(secret)))
        return Checked(value: nil, checks: checks)
    }
}

/// A compact JWE taken apart, whose header was accepted.
struct ParsedJWE {
    let kid: String
    let ephemeral: P256Point
    let apu: [UInt8]
    let apv: [UInt8]
    /// The first part as it was sent: the additional authenticated data.
    let authenticated: [UInt8]
    let iv: [UInt8]
    /// Ciphertext and tag.
    let sealed: [UInt8]

    func open(_ secret: SecretBytes) throws(CryptoError) -> SecretBytes? {
        try open(secret, algorithm: JWEOpener.encryption, apu: apu, apv: apv)
    }

    private func open(
        _ secret: SecretBytes,
        algorithm: String,
        apu: [UInt8],
        apv: [UInt8]
    ) throws(CryptoError) -> SecretBytes? {
        let key = ConcatKDF.key(secret: secret, algorithm: algorithm, apu: apu, apv: apv, bits: 256)
        return try AESGCM.open(sealed, key: key, iv: iv, authenticating: authenticated)
    }

    /// Which known mistake in the derivation explains the tag. Nothing is given out because of it.
    func reason(_ secret: SecretBytes) throws(CryptoError) -> JWEFault {
        if try open(secret, algorithm: JWEOpener.algorithm, apu: apu, apv: apv) != nil { return .derivedWithAlgorithm }
        if !apu.isEmpty || !apv.isEmpty,
            try open(secret, algorithm: JWEOpener.encryption, apu: [], apv: []) != nil
        {
            return .derivedWithoutPartyInfo
        }
        return .tag
    }
}
