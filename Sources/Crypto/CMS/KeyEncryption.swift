import Wire

/// A declared way to encrypt the content key, or the reason why it cannot be followed.
enum DeclaredKeyEncryption: Equatable {
    case oaep(OAEPParameters)
    case refused(CMSFault, String)

    init(_ algorithm: AlgorithmIdentifier) {
        switch algorithm.identifier {
        case .rsaesOAEP:
            self = DeclaredKeyEncryption.oaep(algorithm)
        case .rsaEncryption:
            self = .refused(.pkcs1, "RSAES-PKCS1-v1_5")
        default:
            self = .refused(.keyAlgorithm, algorithm.identifier.cmsName)
        }
    }

    /// RSAES-OAEP-params (RFC 4055, section 4.1); absent fields mean SHA-1 and no label.
    private static func oaep(_ algorithm: AlgorithmIdentifier) -> DeclaredKeyEncryption {
        do throws(BERFault) {
            var hash = OID.sha1
            var maskHash = OID.sha1
            var label: [UInt8] = []
            if let parameters = algorithm.parameters {
                guard parameters.tag == .sequence else { return .refused(.oaepParameters, "not a SEQUENCE") }
                var fields = try parameters.children()
                if let field = try fields.nextIfPresent(.context(0)) {
                    hash = try hashIdentifier(try field.child(.sequence))
                }
                if let field = try fields.nextIfPresent(.context(1)) {
                    let mask = try AlgorithmIdentifier(try field.child(.sequence))
                    guard mask.identifier == .mgf1, let inner = mask.parameters, inner.tag == .sequence else {
                        return .refused(.oaepParameters, "mask generation \(mask.identifier.cmsName)")
                    }
                    maskHash = try hashIdentifier(inner)
                }
                if let field = try fields.nextIfPresent(.context(2)) {
                    let source = try AlgorithmIdentifier(try field.child(.sequence))
                    guard source.identifier == .pSpecified, let value = source.parameters, value.tag == .octetString
                    else { return .refused(.oaepParameters, "label source \(source.identifier.cmsName)") }
                    label = try value.octets()
                }
                try fields.finish()
            }
            return judged(hash, maskHash, label)
        } catch {
            return .refused(.oaepParameters, error.description)
        }
    }

    /// A hash takes NULL or no parameters; anything else cannot be followed.
    private static func hashIdentifier(_ element: BERElement) throws(BERFault) -> OID {
        let algorithm = try AlgorithmIdentifier(element)
        if let parameters = algorithm.parameters {
            throw BERFault(.unexpectedElement, at: parameters.range.lowerBound, expected: .null)
        }
        return algorithm.identifier
    }

    private static func judged(_ hash: OID, _ maskHash: OID, _ label: [UInt8]) -> DeclaredKeyEncryption {
        let pair = "\(hash.cmsName) with MGF1-\(maskHash.cmsName)"
        if !label.isEmpty { return .refused(.oaepLabel, "\(pair), a label of \(label.count) bytes") }
        guard hash == maskHash else { return .refused(.oaepMixedMGF1, pair) }
        switch hash {
        case .sha256: return .oaep(.sha256)
        case .sha1: return .refused(.oaepSHA1, pair)
        default: return .refused(.oaepHash, pair)
        }
    }
}

extension OAEPParameters {
    /// The RSAES-OAEP AlgorithmIdentifier, with every field that is not the default.
    var algorithmIdentifier: [UInt8] {
        let hashIdentifier = { (hash: Hash) in DER.sequence(DER.oid(hash.identifier), DER.null) }
        let first = hash == .sha1 ? [] : DER.context(0, hashIdentifier(hash))
        let mask = DER.sequence(DER.oid(.mgf1), hashIdentifier(maskHash))
        let second = maskHash == .sha1 ? [] : DER.context(1, mask)
        let source = DER.sequence(DER.oid(.pSpecified), DER.octetString(label))
        let third = label.isEmpty ? [] : DER.context(2, source)
        return DER.sequence(DER.oid(.rsaesOAEP), DER.sequence(first, second, third))
    }
}
