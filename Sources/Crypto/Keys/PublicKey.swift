import COpenSSL
import Wire

/// A public key: RSA of 2048 bits or more, P-256, P-384, P-521 or Ed25519. Equal when the keys are.
package struct PublicKey: Sendable {
    let handle: KeyHandle
    /// The parts of the key.
    package let information: SubjectPublicKeyInfo
    /// SubjectPublicKeyInfo.
    package let der: [UInt8]
    /// RFC 7638, SHA-256, base64url: the name of the key in evidence.
    package var thumbprint: String { Base64.encode(Hash.sha256.digest(information.thumbprintInput), .url) }

    /// RSA, or the curve.
    package var kind: KeyKind { information.kind }
    /// Size of the modulus or of the curve.
    package var bits: Int { information.bits }

    /// For example `RSA 2048`.
    package var summary: String { kind == .rsa ? "RSA \(bits)" : kind.rawValue }

    /// From the parts; a point must be on its curve.
    package init(_ information: SubjectPublicKeyInfo) throws(KeyError) {
        let der = information.der
        self = try ParsedCache.publicKeys.value(for: der) { () throws(KeyError) in
            try PublicKey(uncached: information, der: der)
        }
    }

    private init(uncached information: SubjectPublicKeyInfo, der: [UInt8]) throws(KeyError) {
        if case .elliptic(let x, let y) = information.material, information.kind == .p256 {
            // The leaf of every new device is such a key, and OpenSSL's decoder takes twenty times as long.
            guard let point = P256Point.check([4] + x + y).value else {
                throw KeyError(.notOnCurve, information.kind.rawValue)
            }
            self.init(information, der: der, sharing: point.handle)
            return
        }
        OpenSSLErrors.clear()
        var position: UnsafePointer<UInt8>?
        let raw = der.withUnsafeBufferPointer { buffer in
            position = buffer.baseAddress
            return d2i_PUBKEY(nil, &position, buffer.count)
        }
        OpenSSLErrors.clear()
        guard let raw else {
            throw KeyError(information.kind == .rsa ? .unusable : .notOnCurve, information.kind.rawValue)
        }
        self.init(information, der: der, sharing: KeyHandle(takingOwnershipOf: raw))
    }

    /// The public half of a key that OpenSSL already has: reading it once more would take longer than making it.
    init(_ information: SubjectPublicKeyInfo, der: [UInt8], sharing handle: KeyHandle) {
        self.handle = handle
        self.information = information
        self.der = der
    }

    /// From SubjectPublicKeyInfo or a certificate, both DER.
    package init(der: [UInt8]) throws(KeyError) {
        if let certificate = try? Certificate(der: der) {
            self = certificate.publicKey
        } else {
            try self.init(SubjectPublicKeyInfo(der: der))
        }
    }

    /// From the first block of PEM text: `PUBLIC KEY`, `RSA PUBLIC KEY` or `CERTIFICATE`.
    package init(pem: String) throws(KeyError) {
        self = try ParsedCache.publicKeyTexts.value(for: Array(pem.utf8)) { () throws(KeyError) in
            try PublicKey(uncachedPEM: pem)
        }
    }

    private init(uncachedPEM pem: String) throws(KeyError) {
        let block = try PEM.firstKeyBlock(in: pem)
        switch block.label {
        case "PUBLIC KEY":
            try self.init(SubjectPublicKeyInfo(der: block.bytes))
        case "RSA PUBLIC KEY":
            let algorithm = DER.sequence(DER.oid(.rsaEncryption), DER.null)
            try self.init(SubjectPublicKeyInfo(der: DER.sequence(algorithm, DER.bitString(block.bytes))))
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            try self.init(der: block.bytes)
        case let label where label.hasSuffix("PRIVATE KEY"):
            throw KeyError(.privateGiven, label)
        default:
            throw KeyError(.pemLabel, String(block.label.prefix(40)))
        }
    }

    /// `PUBLIC KEY` text.
    package var pem: String { PEM(label: "PUBLIC KEY", bytes: der).text }

    /// `04`‖X‖Y, or nil for RSA and Ed25519.
    package var uncompressedPoint: [UInt8]? {
        if case .elliptic(let x, let y) = information.material { [4] + x + y } else { nil }
    }
}

extension PublicKey: Hashable {
    /// By their DER.
    package static func == (left: PublicKey, right: PublicKey) -> Bool { left.der == right.der }
    /// By the DER.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension PEM {
    /// The first block, for a key or a certificate.
    static func firstKeyBlock(in text: String) throws(KeyError) -> PEM {
        let blocks: [PEM]
        do throws(EncodingFault) {
            blocks = try PEM.blocks(in: text)
        } catch {
            throw KeyError(.pemNotDER, "\(error.reason.rawValue) at character \(error.offset) of the body")
        }
        // `openssl ecparam -genkey` writes the parameters before the key.
        let keys = blocks.filter { !$0.label.hasSuffix("PARAMETERS") }
        guard let block = keys.first else { throw KeyError(.notPEM) }
        // A certificate may bring its chain, and a private key its certificate; two keys of one kind are one too many.
        let isCertificate = block.label.hasSuffix("CERTIFICATE")
        let others = keys.dropFirst().filter { $0.label == block.label && $0.bytes != block.bytes }
        if !isCertificate, !others.isEmpty { throw KeyError(.several, "\(1 + others.count) \(block.label) blocks") }
        return block
    }
}
