package import Wire

/// Why a chain does not lead from a leaf to an anchor.
package enum ChainFault: String, DiagnosisSubject {
    case empty = "CHAIN_EMPTY"
    case tooLong = "CHAIN_TOO_LONG"
    case notDER = "CHAIN_NOT_DER"
    case pem = "CHAIN_PEM"
    case base64 = "CHAIN_BASE64"
    case unusable = "CHAIN_CERTIFICATE_UNUSABLE"
    case duplicate = "CHAIN_DUPLICATE"
    case leafMissing = "CHAIN_LEAF_MISSING"
    case severalLeaves = "CHAIN_SEVERAL_LEAVES"
    case reversed = "CHAIN_REVERSED"
    case order = "CHAIN_ORDER"
    case subAuthorityMissing = "CHAIN_SUB_CA_MISSING"
    case notAnchored = "CHAIN_NOT_ANCHORED"
    case signature = "CHAIN_SIGNATURE"
    case signatureAlgorithm = "CHAIN_SIGNATURE_ALGORITHM"
    case notAuthority = "CHAIN_NOT_CA"
    case mayNotSign = "CHAIN_CA_KEY_USAGE"
    case pathLength = "CHAIN_PATH_LENGTH"
    case criticalExtension = "CHAIN_CRITICAL_EXTENSION"
    case unrelated = "CHAIN_UNRELATED"
    case marker = "CHAIN_MARKER_MISSING"
    case leafKey = "CHAIN_LEAF_KEY"
    case leafUsage = "CHAIN_LEAF_KEY_USAGE"
}

extension ChainFault {
    /// Kind, cause and cure of each case.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .empty: (.untrusted, "The chain has no certificate.", "Send leaf and sub-CA as they were given.")
        case .tooLong:
            (.untrusted, "The chain has more than 8 certificates.", "Send leaf, sub-CA and at most the root.")
        case .notDER: (.untrusted, "An element of the chain is not DER.", "Send each certificate's DER, untouched.")
        case .pem: (.untrusted, "An element of the chain is PEM text.", "Decode PEM to DER first.")
        case .base64: (.untrusted, "An element of the chain is base64 text.", "It was encoded twice; decode it once.")
        case .unusable: (.untrusted, "A certificate cannot be used.", "The evidence names the reason.")
        case .duplicate: (.untrusted, "A certificate is in the chain twice.", "Send each certificate once.")
        case .leafMissing: (.untrusted, "The chain has only authorities.", "Send the leaf too, as the first element.")
        case .severalLeaves: (.untrusted, "The chain has more than one leaf.", "Send the chain of one leaf.")
        case .reversed: (.untrusted, "The chain is in reversed order.", "Send the leaf first.")
        case .order: (.untrusted, "The chain is not in order.", "Leaf first, then each one's issuer.")
        case .subAuthorityMissing:
            (.untrusted, "The issuer of the leaf is not in the chain.", "Send the sub-CA after the leaf.")
        case .notAnchored:
            (.untrusted, "The chain does not end at a configured anchor.", "Use the certificates of this session.")
        case .signature: (.untrusted, "A signature in the chain is wrong.", "Send the certificates unchanged.")
        case .signatureAlgorithm:
            (.untrusted, "A certificate is signed with an algorithm that is not accepted.", "Sign with SHA-256.")
        case .notAuthority: (.untrusted, "An issuer in the chain is not an authority.", "A leaf cannot issue.")
        case .mayNotSign: (.untrusted, "An issuer's key usage lacks keyCertSign.", "Issue that authority again.")
        case .pathLength: (.untrusted, "An authority allows fewer authorities below it.", "Shorten the chain.")
        case .criticalExtension:
            (.untrusted, "A certificate has a critical extension that is not known.", "Issue it without.")
        case .unrelated: (.untrusted, "A certificate is not part of the chain.", "Send only leaf and issuers.")
        case .marker: (.untrusted, "The leaf lacks the marker extension.", "Use the leaf made for pass data.")
        case .leafKey: (.untrusted, "The leaf's key is of another kind.", "ECC_V2 needs a P-256 leaf.")
        case .leafUsage:
            (.untrusted, "The leaf may not be used for encryption.", "It needs keyEncipherment or keyAgreement.")
        }
    }
}
