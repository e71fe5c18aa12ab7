package import Wire

/// Why a CMS payload does not open (RFC 5652).
package enum CMSFault: String, DiagnosisSubject {
    case notCMS = "CMS_NOT_CMS"
    case truncated = "CMS_TRUNCATED"
    case trailingBytes = "CMS_TRAILING_BYTES"
    case tooDeep = "CMS_TOO_DEEP"
    case tooLarge = "CMS_TOO_LARGE"
    case structure = "CMS_STRUCTURE"
    case signedData = "CMS_SIGNED_DATA"
    case encryptedData = "CMS_ENCRYPTED_DATA"
    case authEnveloped = "CMS_AUTH_ENVELOPED"
    case contentType = "CMS_CONTENT_TYPE"
    case innerType = "CMS_INNER_TYPE"
    case detached = "CMS_DETACHED"
    case noRecipient = "CMS_NO_RECIPIENT"
    case pkcs1 = "CMS_RSA_PKCS1V15"
    case oaepSHA1 = "CMS_OAEP_SHA1"
    case oaepMixedMGF1 = "CMS_OAEP_MIXED_MGF1"
    case oaepHash = "CMS_OAEP_HASH"
    case oaepLabel = "CMS_OAEP_LABEL"
    case oaepParameters = "CMS_OAEP_PARAMETERS"
    case keyAlgorithm = "CMS_KEY_ALGORITHM"
    case gcmInEnvelopedData = "CMS_GCM_IN_ENVELOPED_DATA"
    case contentCipher = "CMS_CONTENT_CIPHER"
    case ivLength = "CMS_IV_LENGTH"
    case contentLength = "CMS_CONTENT_LENGTH"
    case encryptedKeyLength = "CMS_ENCRYPTED_KEY_LENGTH"
    case keyNotOpened = "CMS_KEY_NOT_OPENED"
    case contentKeyLength = "CMS_CONTENT_KEY_LENGTH"
    case contentNotOpened = "CMS_CONTENT_NOT_OPENED"
}

extension CMSFault {
    private static let oaep =
        "Use RSA-OAEP with SHA-256, MGF1 with SHA-256 and no label; in Java, set OAEPParameterSpec."

    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        let cure = "Send PKCS#7 EnvelopedData: AES-256-CBC and RSA-OAEP with SHA-256."
        return switch self {
        case .notCMS: (.undecryptable, "The bytes are not CMS.", cure)
        case .truncated: (.undecryptable, "The payload ends in the middle.", "Compare the length sent and received.")
        case .trailingBytes: (.undecryptable, "Bytes follow the payload.", "Send the ContentInfo and nothing else.")
        case .tooDeep: (.undecryptable, "The payload is nested deeper than 16 levels.", cure)
        case .tooLarge: (.undecryptable, "The payload is larger than 1 MiB.", "A card payload is about 1 kB.")
        case .structure: (.undecryptable, "The payload is not built as EnvelopedData.", "The evidence has the offset.")
        case .signedData: (.undecryptable, "The payload is SignedData, not EnvelopedData.", cure)
        case .encryptedData: (.undecryptable, "The payload is EncryptedData, which names no recipient.", cure)
        case .authEnveloped: (.undecryptable, "The payload is AuthEnvelopedData.", cure)
        case .contentType: (.undecryptable, "The payload is another type of CMS.", cure)
        case .innerType: (.warning, "The encrypted content is not declared as data.", "Declare 1.2.840.113549.1.7.1.")
        case .detached: (.undecryptable, "The encrypted content is not in the payload.", "Do not detach the content.")
        case .noRecipient:
            (
                .undecryptable, "No recipient of the payload is a key of the sandbox.",
                "Encrypt to a certificate of GET /v1/payload-certificates on the control port."
            )
        case .pkcs1: (.undecryptable, "The key is encrypted with RSAES-PKCS1-v1_5.", CMSFault.oaep)
        case .oaepSHA1:
            (.undecryptable, "The key is encrypted with OAEP and SHA-1, the default of most tools.", CMSFault.oaep)
        case .oaepMixedMGF1: (.undecryptable, "OAEP is used with two different hashes.", CMSFault.oaep)
        case .oaepHash: (.undecryptable, "OAEP is used with another hash.", CMSFault.oaep)
        case .oaepLabel: (.undecryptable, "OAEP is used with a non-empty label.", CMSFault.oaep)
        case .oaepParameters: (.undecryptable, "The parameters of OAEP cannot be read.", CMSFault.oaep)
        case .keyAlgorithm: (.undecryptable, "The key is encrypted in an unknown way.", CMSFault.oaep)
        case .gcmInEnvelopedData:
            (.undecryptable, "An authenticated cipher is used in EnvelopedData.", "Use AES-256-CBC.")
        case .contentCipher: (.undecryptable, "The content is encrypted with another cipher.", "Use AES-256-CBC.")
        case .ivLength: (.undecryptable, "The IV is missing or is not 16 bytes.", "Declare the IV as an OCTET STRING.")
        case .contentLength:
            (.undecryptable, "The encrypted content is not whole blocks of 16 bytes.", "Keep the PKCS#7 padding.")
        case .encryptedKeyLength:
            (
                .undecryptable, "The encrypted key has not the length of the RSA key.",
                "Encrypt to this certificate's key."
            )
        case .keyNotOpened:
            (.undecryptable, "The content key does not open with the declared parameters.", CMSFault.oaep)
        case .contentKeyLength: (.undecryptable, "The content key is not 32 bytes.", "Encrypt the raw AES-256 key.")
        case .contentNotOpened:
            (.undecryptable, "The content does not open with its key.", "Check IV, padding and that one key was used.")
        }
    }
}
