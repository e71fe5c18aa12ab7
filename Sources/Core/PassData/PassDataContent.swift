package import Wire

/// The card inside Apple's encrypted pass data (apple-pay-provisioning 4).
package struct PassDataContent: Sendable, Equatable {
    /// The number of the card; never printed whole.
    package let pan: PAN
    /// The month in which the card ends.
    package let expiry: CardExpiry
    /// The cardholder's name as it was sent.
    package let holderName: String
    /// The session's nonce.
    package let nonce: [UInt8]
    /// The signature over the session's nonce.
    package let nonceSignature: [UInt8]

    /// What was read and is well-formed.
    package init(pan: PAN, expiry: CardExpiry, holderName: String, nonce: [UInt8], nonceSignature: [UInt8]) {
        self.pan = pan
        self.expiry = expiry
        self.holderName = holderName
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }

    /// The plaintext, members in the order of the reference.
    package var bytes: [UInt8] {
        let json: JSON = [
            "primaryAccountNumber": .string(pan.digits), "expiration": .string(expiry.slashed),
            "name": .string(holderName), "nonce": .string(Hex.encode(nonce)),
            "nonceSignature": .string(Hex.encode(nonceSignature)),
        ]
        return json.bytes
    }
}

/// What can be wrong inside pass data that opened.
package enum PassContentFault: String, DiagnosisSubject {
    case notJSON = "PASS_DATA_NOT_JSON"
    case memberTwice = "PASS_DATA_MEMBER_TWICE"
    case notObject = "PASS_DATA_NOT_OBJECT"
    case panMissing = "PASS_DATA_PAN_MISSING"
    case panMalformed = "PASS_DATA_PAN_MALFORMED"
    case expirationMissing = "PASS_DATA_EXPIRATION_MISSING"
    case nameMissing = "PASS_DATA_NAME_MISSING"
    case nonceMissing = "PASS_DATA_NONCE_MISSING"
    case nonceSignatureMissing = "PASS_DATA_NONCE_SIGNATURE_MISSING"
    case nonceMismatch = "NONCE_MISMATCH"
    case nonceReplay = "NONCE_REPLAY"
    case nonceBase64 = "NONCE_B64_IN_JSON"
    case nonceUppercase = "NONCE_UPPERCASE"
    case nonceSignatureMismatch = "NONCE_SIGNATURE_MISMATCH"
}

extension PassContentFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .memberTwice: (.contentMalformed, "The decrypted pass data has a member twice.", "Send each member once.")
        case .notJSON: (.contentMalformed, "The decrypted pass data is not JSON.", "Encrypt one JSON object in UTF-8.")
        case .notObject:
            (
                .contentMalformed, "The decrypted pass data is not a JSON object.",
                "Encrypt {\"primaryAccountNumber\":…, …}."
            )
        case .panMissing:
            (.contentMissing, "The pass data has no primaryAccountNumber.", "Add the PAN as a string of digits.")
        case .panMalformed:
            (.contentMalformed, "primaryAccountNumber is not a string of 12 to 19 digits.", "Send digits only.")
        case .expirationMissing: (.contentMissing, "The pass data has no expiration.", "Add it as MM/YY.")
        case .nameMissing: (.contentMissing, "The pass data has no name.", "Add the cardholder's name.")
        case .nonceMissing: (.contentMissing, "The pass data has no nonce.", "Add the session's nonce in hexadecimal.")
        case .nonceSignatureMissing:
            (
                .contentMissing, "The pass data has no nonceSignature.",
                "Add the session's nonceSignature in hexadecimal."
            )
        case .nonceMismatch:
            (
                .undecryptable, "The nonce in the pass data is not the session's.",
                "Use the nonce of the session that gave the certificates."
            )
        case .nonceReplay:
            (
                .undecryptable, "The nonce belongs to another session.",
                "A nonce is good for the session it came with, once."
            )
        case .nonceBase64: (.undecryptable, "The nonce in the pass data is base64.", "Write it in hexadecimal.")
        case .nonceUppercase:
            (.warning, "The nonce in the pass data is in upper-case hexadecimal.", "Write it in lower case.")
        case .nonceSignatureMismatch:
            (
                .undecryptable, "nonceSignature in the pass data is not the session's.",
                "Copy the bytes that came with the nonce, in hexadecimal."
            )
        }
    }
}
