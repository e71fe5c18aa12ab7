package import Wire

extension CMSFault {
    private static let oaep =
        "Use RSA-OAEP with SHA-256, MGF1 with SHA-256 and no label; in Java, set OAEPParameterSpec."
    private static let documented = "Send PKCS#7 EnvelopedData: AES-256-CBC and RSA-OAEP with SHA-256."

    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        structureMeaning ?? keyMeaning ?? contentMeaning
    }

    /// What the bytes are, and who can open them.
    private var structureMeaning: (kind: RefusalKind, cause: String, cure: String)? {
        let cure = CMSFault.documented
        return switch self {
        case .notCMS: (.undecryptable, "The bytes are not CMS.", cure)
        case .truncated: (.undecryptable, "The payload ends in the middle.", "Compare the length sent and received.")
        case .trailingBytes: (.undecryptable, "Bytes follow the payload.", "Send the ContentInfo and nothing else.")
        case .length:
            (
                .undecryptable, "A length inside the payload reaches beyond the element around it.",
                "The evidence has the offset; the bytes were changed after they were encoded."
            )
        case .tooDeep: (.undecryptable, "The payload is nested deeper than 16 levels.", cure)
        case .tooLarge: (.undecryptable, "The payload is larger than 1 MiB.", "A card payload is about 1 kB.")
        case .tooManyRecipients:
            (.undecryptable, "The payload has more than 64 recipients.", "Encrypt to one key of the sandbox.")
        case .tooManyAttributes:
            (
                .undecryptable, "The payload has more than 32 authenticated attributes or 64 KiB of them.",
                "Send the attributes that are needed, or none."
            )
        case .structure: (.undecryptable, "The payload is not built as EnvelopedData.", "The evidence has the offset.")
        case .signedData: (.undecryptable, "The payload is SignedData, not EnvelopedData.", cure)
        case .signedContent:
            (
                .undecryptable, "The encrypted content is SignedData around the card, not the card.",
                "Encrypt the JSON itself; the authorization code is what the issuer signs."
            )
        case .encryptedData: (.undecryptable, "The payload is EncryptedData, which names no recipient.", cure)
        case .contentType: (.undecryptable, "The payload is another type of CMS.", cure)
        case .innerType: (.warning, "The encrypted content is not declared as data.", "Declare 1.2.840.113549.1.7.1.")
        case .detached: (.undecryptable, "The encrypted content is not in the payload.", "Do not detach the content.")
        case .noRecipient:
            (
                .undecryptable, "No recipient of the payload is a key of the sandbox.",
                "Encrypt to a certificate of GET /v1/payload-certificates on the control port."
            )
        case .keyNotActive:
            (
                .warning, "The payload is encrypted to a key that a newer one has replaced.",
                "Encrypt to the active certificate of GET /v1/payload-certificates before the old key is retired."
            )
        default: nil
        }
    }

    /// How the content key is encrypted.
    private var keyMeaning: (kind: RefusalKind, cause: String, cure: String)? {
        switch self {
        case .pkcs1: (.undecryptable, "The key is encrypted with RSAES-PKCS1-v1_5.", CMSFault.oaep)
        case .oaepSHA1:
            (.undecryptable, "The key is encrypted with OAEP and SHA-1, the default of most tools.", CMSFault.oaep)
        case .oaepMixedMGF1: (.undecryptable, "OAEP is used with two different hashes.", CMSFault.oaep)
        case .oaepHash: (.undecryptable, "OAEP is used with another hash.", CMSFault.oaep)
        case .oaepLabel: (.undecryptable, "OAEP is used with a non-empty label.", CMSFault.oaep)
        case .oaepParameters: (.undecryptable, "The parameters of OAEP cannot be read.", CMSFault.oaep)
        case .keyAlgorithm: (.undecryptable, "The key is encrypted in an unknown way.", CMSFault.oaep)
        case .encryptedKeyLength:
            (
                .undecryptable, "The encrypted key has not the length of the RSA key.",
                "Encrypt to this certificate's key."
            )
        case .keyNotOpened:
            (.undecryptable, "The content key does not open with the declared parameters.", CMSFault.oaep)
        case .contentKeyLength:
            (
                .undecryptable, "The content key has not the length that its cipher needs.",
                "Encrypt the raw AES key: 32 bytes for AES-256."
            )
        default: nil
        }
    }

    /// How the content is encrypted.
    private var contentMeaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .gcmInEnvelopedData:
            (
                .undecryptable, "An authenticated cipher is used in EnvelopedData.",
                "Use AES-256-CBC, or AuthEnvelopedData for AES-256-GCM."
            )
        case .cbcInAuthEnvelopedData:
            (
                .undecryptable, "A cipher without authentication is used in AuthEnvelopedData.",
                "Use EnvelopedData for AES-256-CBC."
            )
        case .contentCipher: (.undecryptable, "The content is encrypted with another cipher.", "Use AES-256-CBC.")
        case .contentKeySize:
            (
                .undecryptable, "The content is encrypted with a key of less than 256 bits.",
                "The documented cipher is AES-256-CBC; only strict mode refuses shorter keys."
            )
        case .ivLength: (.undecryptable, "The IV is missing or is not 16 bytes.", "Declare the IV as an OCTET STRING.")
        case .gcmParameters:
            (
                .undecryptable, "The parameters of GCM cannot be followed.",
                "Declare GCMParameters: a nonce of 12 bytes and a tag length of 12 to 16."
            )
        case .tagLength:
            (
                .undecryptable, "The tag has not the length that GCMParameters declare.",
                "Declare the length; when it is absent it means 12."
            )
        case .contentLength:
            (.undecryptable, "The encrypted content is not whole blocks of 16 bytes.", "Keep the PKCS#7 padding.")
        case .contentNotOpened:
            (.undecryptable, "The content does not open with its key.", "Check IV, padding and that one key was used.")
        case .tagMismatch:
            (
                .undecryptable, "The authentication tag does not fit the content.",
                "Authenticate the DER of the attributes as a SET OF, or nothing without attributes."
            )
        case .wrappedContent:
            (
                .warning, "The plaintext is wrapped in an OCTET STRING, as old versions of .NET do.",
                "Encrypt the JSON itself."
            )
        default:
            (
                .undecryptable, "The payload does not open; strict rules do not tell why.",
                "Send it under other rules to see the reason."
            )
        }
    }
}
