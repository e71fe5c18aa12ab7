import Wire

/// A public key as its parts (RFC 5280, section 4.1.2.7), judged before OpenSSL sees it.
package struct SubjectPublicKeyInfo: Sendable {
    /// What the subjectPublicKey holds.
    package enum Material: Sendable, Equatable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case elliptic(x: [UInt8], y: [UInt8])
        case edwards([UInt8])
    }

    /// RSA, or the curve.
    package let kind: KeyKind
    // Two arrays rather than the enum: the leak checker does not see through the tag bits of an enum's pointers.
    private let first: [UInt8]
    private let second: [UInt8]

    /// The numbers of the key.
    package var material: Material {
        switch kind {
        case .rsa: .rsa(modulus: first, exponent: second)
        case .p256, .p384, .p521: .elliptic(x: first, y: second)
        case .ed25519: .edwards(first)
        }
    }

    /// Judges the size of an RSA key; a point is judged by ``PublicKey``.
    package init(_ kind: KeyKind, _ material: Material) throws(KeyError) {
        self.kind = kind
        switch material {
        case .rsa(let modulus, let exponent): (first, second) = (modulus, exponent)
        case .elliptic(let x, let y): (first, second) = (x, y)
        case .edwards(let key): (first, second) = (key, [])
        }
        if case .rsa(let modulus, let exponent) = material {
            let bits = SubjectPublicKeyInfo.bits(modulus)
            if bits < 2_048 { throw KeyError(.tooSmall, "\(bits) bits") }
            if bits > 8_192 { throw KeyError(.tooLarge, "\(bits) bits") }
            let isOdd = (exponent.last ?? 0) & 1 == 1
            if !isOdd || exponent == [1] || exponent.count > 8 { throw KeyError(.exponent) }
        }
    }

    /// Reads DER; a certificate or a private key in its place is named.
    package init(der: [UInt8]) throws(KeyError) {
        if der.starts(with: Array("-----BEGIN".utf8)) { throw KeyError(.pemInsteadOfDER) }
        let parsed: (algorithm: AlgorithmIdentifier, key: [UInt8])
        do throws(BERFault) {
            parsed = try SubjectPublicKeyInfo.split(der)
        } catch {
            if SubjectPublicKeyInfo.looksPrivate(der) { throw KeyError(.privateGiven) }
            throw KeyError(.notDER, error.description)
        }
        try self.init(algorithm: parsed.algorithm, key: parsed.key)
    }

    private init(algorithm: AlgorithmIdentifier, key: [UInt8]) throws(KeyError) {
        switch algorithm.identifier {
        case .rsaEncryption:
            let material: Material
            do throws(BERFault) {
                var parts = try BERReader.single(.sequence, in: key, rules: .distinguished).children()
                let modulus = try parts.next(.integer).unsignedOctets()
                material = .rsa(modulus: modulus, exponent: try parts.next(.integer).unsignedOctets())
                try parts.finish()
            } catch {
                throw KeyError(.notDER, "RSAPublicKey: \(error)")
            }
            try self.init(.rsa, material)
        case .ecPublicKey:
            guard let curve = algorithm.parameterIdentifier else {
                throw KeyError(.curve, "curve given by explicit parameters")
            }
            guard let kind = KeyKind.allCases.first(where: { $0.curve == curve }), let length = kind.coordinateLength
            else { throw KeyError(.curve, curve.keyAlgorithmName) }
            guard key.first == 4, key.count == 1 + 2 * length else {
                throw KeyError(.pointForm, "\(key.count) bytes, first byte \(Hex.encode(key.prefix(1)))")
            }
            try self.init(kind, .elliptic(x: Array(key[1...length]), y: Array(key.suffix(length))))
        case .ed25519:
            guard key.count == 32 else { throw KeyError(.notDER, "Ed25519 key of \(key.count) bytes") }
            try self.init(.ed25519, .edwards(key))
        default:
            throw KeyError(.kind, algorithm.identifier.keyAlgorithmName)
        }
    }

    /// The one DER encoding of the key: with the NULL of RSA, whether or not it was sent.
    package var der: [UInt8] {
        switch material {
        case .rsa(let modulus, let exponent):
            let key = DER.sequence(DER.integer(magnitude: modulus), DER.integer(magnitude: exponent))
            return DER.sequence(DER.sequence(DER.oid(.rsaEncryption), DER.null), DER.bitString(key))
        case .elliptic(let x, let y):
            let algorithm = DER.sequence(DER.oid(.ecPublicKey), DER.oid(kind.curve ?? .p256))
            return DER.sequence(algorithm, DER.bitString([4] + x + y))
        case .edwards(let key):
            return DER.sequence(DER.sequence(DER.oid(.ed25519)), DER.bitString(key))
        }
    }

    /// Size of the key: the modulus of RSA, the field of a curve.
    package var bits: Int {
        switch material {
        case .rsa(let modulus, _): SubjectPublicKeyInfo.bits(modulus)
        case .elliptic, .edwards: kind == .p521 ? 521 : kind == .p384 ? 384 : 256
        }
    }

    private static func bits(_ magnitude: [UInt8]) -> Int {
        magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    }

    private static func split(_ der: [UInt8]) throws(BERFault) -> (algorithm: AlgorithmIdentifier, key: [UInt8]) {
        var parts = try BERReader.single(.sequence, in: der, rules: .distinguished).children()
        let algorithm = try AlgorithmIdentifier(try parts.next(.sequence))
        let key = try parts.next(.bitString).bitStringOctets()
        try parts.finish()
        return (algorithm, key)
    }

    /// PKCS#8, PKCS#1 and SEC 1 private keys all begin with a small version number.
    static func looksPrivate(_ der: [UInt8]) -> Bool {
        guard let outer = try? BERReader.single(.sequence, in: der), var parts = try? outer.children(),
            let version = try? parts.next(.integer).integer()
        else { return false }
        return (0...1).contains(version)
    }
}
