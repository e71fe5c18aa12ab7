import Wire

extension OID {
    static let data = OID(1, 2, 840, 113549, 1, 7, 1)
    static let signedData = OID(1, 2, 840, 113549, 1, 7, 2)
    static let envelopedData = OID(1, 2, 840, 113549, 1, 7, 3)
    static let encryptedData = OID(1, 2, 840, 113549, 1, 7, 6)
    static let authEnvelopedData = OID(1, 2, 840, 113549, 1, 9, 16, 1, 23)

    static let rsaesOAEP = OID(1, 2, 840, 113549, 1, 1, 7)
    static let mgf1 = OID(1, 2, 840, 113549, 1, 1, 8)
    static let pSpecified = OID(1, 2, 840, 113549, 1, 1, 9)
    static let sha1 = OID(1, 3, 14, 3, 2, 26)
    static let sha256 = OID(2, 16, 840, 1, 101, 3, 4, 2, 1)
    static let sha384 = OID(2, 16, 840, 1, 101, 3, 4, 2, 2)
    static let sha512 = OID(2, 16, 840, 1, 101, 3, 4, 2, 3)

    static let aes128CBC = OID(2, 16, 840, 1, 101, 3, 4, 1, 2)
    static let aes192CBC = OID(2, 16, 840, 1, 101, 3, 4, 1, 22)
    static let aes256CBC = OID(2, 16, 840, 1, 101, 3, 4, 1, 42)
    static let aes128GCM = OID(2, 16, 840, 1, 101, 3, 4, 1, 6)
    static let aes192GCM = OID(2, 16, 840, 1, 101, 3, 4, 1, 26)
    static let aes256GCM = OID(2, 16, 840, 1, 101, 3, 4, 1, 46)
    static let tdeaCBC = OID(1, 2, 840, 113549, 3, 7)

    /// Key lengths of the ciphers that are followed.
    static let cbcBits = [aes128CBC: 128, aes192CBC: 192, aes256CBC: 256]
    static let gcmBits = [aes128GCM: 128, aes192GCM: 192, aes256GCM: 256]

    /// Authenticated ciphers, which belong in AuthEnvelopedData only.
    static let authenticatedCiphers: [OID: String] = [
        aes128GCM: "AES-128-GCM", aes192GCM: "AES-192-GCM", aes256GCM: "AES-256-GCM",
        OID(2, 16, 840, 1, 101, 3, 4, 1, 7): "AES-128-CCM",
        OID(2, 16, 840, 1, 101, 3, 4, 1, 27): "AES-192-CCM", OID(2, 16, 840, 1, 101, 3, 4, 1, 47): "AES-256-CCM",
    ]

    /// Names for evidence.
    static let cmsNames: [OID: String] = [
        data: "data", signedData: "signedData", envelopedData: "envelopedData", encryptedData: "encryptedData",
        authEnvelopedData: "authEnvelopedData", OID(1, 2, 840, 113549, 1, 7, 5): "digestedData",
        OID(1, 2, 840, 113549, 1, 9, 16, 1, 2): "authenticatedData",
        OID(1, 2, 840, 113549, 1, 9, 16, 1, 9): "compressedData",
        aes128CBC: "AES-128-CBC", aes192CBC: "AES-192-CBC", aes256CBC: "AES-256-CBC", tdeaCBC: "DES-EDE3-CBC",
        OID(1, 2, 840, 113549, 3, 2): "RC2-CBC", OID(1, 3, 14, 3, 2, 7): "DES-CBC",
        OID(2, 16, 840, 1, 101, 3, 4, 1, 41): "AES-256-ECB", rsaEncryption: "RSAES-PKCS1-v1_5",
        sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512",
        OID(2, 16, 840, 1, 101, 3, 4, 2, 4): "SHA-224", OID(1, 2, 840, 113549, 2, 5): "MD5",
    ]

    /// The common name of an algorithm or content type, or its dotted form.
    var cmsName: String { OID.cmsNames[self] ?? OID.authenticatedCiphers[self] ?? description }
}

extension Hash {
    /// The hash with that identifier, if it is one of ours.
    init?(_ identifier: OID) {
        switch identifier {
        case .sha1: self = .sha1
        case .sha256: self = .sha256
        case .sha384: self = .sha384
        case .sha512: self = .sha512
        default: return nil
        }
    }

    /// The identifier in an AlgorithmIdentifier.
    var identifier: OID {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
