import Wire

/// A declared cipher of the content, or the reason why it cannot be followed.
enum DeclaredContentCipher: Equatable {
    case aes256CBC(iv: [UInt8])
    case refused(CMSFault, String)

    init(_ algorithm: AlgorithmIdentifier) {
        if let name = OID.authenticatedCiphers[algorithm.identifier] {
            self = .refused(.gcmInEnvelopedData, name)
        } else if algorithm.identifier != .aes256CBC {
            self = .refused(.contentCipher, algorithm.identifier.cmsName)
        } else if let parameters = algorithm.parameters, parameters.tag == .octetString,
            let iv = try? parameters.octets()
        {
            self = iv.count == AESCBC.blockLength ? .aes256CBC(iv: iv) : .refused(.ivLength, "\(iv.count) bytes")
        } else {
            self = .refused(.ivLength, "no IV in the parameters")
        }
    }
}
