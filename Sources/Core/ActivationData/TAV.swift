package import Crypto
package import Wire

/// Mastercard's tokenization authentication value (mastercard-mdes 10).
package enum TAV {
    /// Life of the values made here: the recommended 30 minutes.
    package static let lifeSeconds: Int64 = 1_800

    /// The versions of Mastercard's Tokenization Authentication Value.
    package enum Version: String, Sendable, CaseIterable {
        case two = "2"
        case three = "3"
        case four = "4"
    }

    /// What a value is made of.
    package struct Content: Sendable {
        /// As it stands in the document.
        package var version: Version
        /// The number of the card; never printed whole.
        package var pan: PAN
        /// The month in which the card ends.
        package var expiry: CardExpiry
        /// Versions 3 and 4.
        package var validUntil: Instant
        /// Version 2 may bind the token.
        package var tokenID: String?
        /// Version 4.
        package var keyAlias: String?

        /// Made of its members.
        package init(
            version: Version,
            pan: PAN,
            expiry: CardExpiry,
            validUntil: Instant,
            tokenID: String?,
            keyAlias: String?
        ) {
            self.version = version
            self.pan = pan
            self.expiry = expiry
            self.validUntil = validUntil
            self.tokenID = tokenID
            self.keyAlias = keyAlias
        }
    }

    static let algorithm = "RSA-SHA256"
    static let allFields = ["dataValidUntilTimestamp", "accountNumber", "accountExpiry"]

    /// The JSON document, signed.
    package static func make(_ content: Content, key: PrivateKey) throws -> [UInt8] {
        let timestamp = RFC3339.format(content.validUntil)
        let text: String
        var document: JSON
        switch content.version {
        case .two:
            text = signedText2(pan: content.pan, expiry: content.expiry.mmyy, tokenID: content.tokenID)
            document = [
                "version": "2", "expirationDateIncluded": "true",
                "tokenUniqueReferenceIncluded": content.tokenID == nil ? "false" : "true",
                "signatureAlgorithm": .string(algorithm),
            ]
        case .three, .four:
            text = [timestamp, content.pan.digits, content.expiry.mmyy].joined(separator: "|")
            document = [
                "version": .string(content.version.rawValue), "signatureAlgorithm": .string(algorithm),
                "dataValidUntilTimestamp": .string(timestamp),
                "includedFieldsInOrder": .string(allFields.joined(separator: "|")),
            ]
            if content.version == .four, let alias = content.keyAlias {
                document = document.adding("keyAlias", .string(alias))
            }
        }
        let signature = try key.sign(Array(text.utf8), .rsaPKCS1(.sha256))
        return document.adding("signature", .base64(signature)).bytes
    }

    /// Version 2 signs the PAN, a flag with the expiry, and a flag with the token reference.
    static func signedText2(pan: PAN, expiry: String?, tokenID: String?) -> String {
        pan.digits + (expiry.map { "Y" + $0 } ?? "N") + (tokenID.map { "Y" + $0 } ?? "N")
    }
}
