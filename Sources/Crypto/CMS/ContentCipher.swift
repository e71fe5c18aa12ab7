import Wire

/// A declared cipher of the content, or the reason why it cannot be followed.
enum DeclaredContentCipher: Equatable {
    /// Padded blocks, without authentication.
    case cbc(bits: Int, iv: [UInt8])
    /// With authentication (RFC 5084); the tag's length is in bytes.
    case gcm(bits: Int, nonce: [UInt8], tagLength: Int)
    case refused(CMSFault, String)

    /// - Parameter isAuthenticated: whether the container is AuthEnvelopedData, which takes GCM and nothing else.
    init(_ algorithm: AlgorithmIdentifier, isAuthenticated: Bool) {
        if let bits = OID.cbcBits[algorithm.identifier] {
            self = isAuthenticated ? .refused(.cbcInAuthEnvelopedData, "AES-\(bits)-CBC") : .cbc(bits, algorithm)
        } else if !isAuthenticated, let name = OID.authenticatedCiphers[algorithm.identifier] {
            self = .refused(.gcmInEnvelopedData, name)
        } else if let bits = OID.gcmBits[algorithm.identifier] {
            self = .gcm(bits, algorithm)
        } else {
            self = .refused(.contentCipher, algorithm.identifier.cmsName)
        }
    }

    /// The parameters are the IV.
    private static func cbc(_ bits: Int, _ algorithm: AlgorithmIdentifier) -> DeclaredContentCipher {
        guard let parameters = algorithm.parameters, parameters.tag == .octetString, let iv = try? parameters.octets()
        else { return .refused(.ivLength, "no IV in the parameters") }
        return iv.count == AESCBC.blockLength ? .cbc(bits: bits, iv: iv) : .refused(.ivLength, "\(iv.count) bytes")
    }

    /// GCMParameters (RFC 5084, section 3.2): a nonce, and the length of the tag unless it is 12.
    private static func gcm(_ bits: Int, _ algorithm: AlgorithmIdentifier) -> DeclaredContentCipher {
        guard let parameters = algorithm.parameters, parameters.tag == .sequence else {
            return .refused(.gcmParameters, "no SEQUENCE")
        }
        do throws(BERFault) {
            var fields = try parameters.children()
            let nonce = try fields.next(.octetString).octets()
            let tagLength = try fields.nextIfPresent(.integer)?.integer() ?? 12
            try fields.finish()
            // The library takes nonces up to 128 bytes.
            guard (1...128).contains(nonce.count) else {
                return .refused(.gcmParameters, "a nonce of \(nonce.count) bytes")
            }
            guard (12...16).contains(tagLength) else { return .refused(.gcmParameters, "a tag of \(tagLength) bytes") }
            return .gcm(bits: bits, nonce: nonce, tagLength: tagLength)
        } catch {
            return .refused(.gcmParameters, error.description)
        }
    }
}
