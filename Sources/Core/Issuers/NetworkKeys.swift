import Wire

/// What makes and checks an issuer's activation data at each network (CONTRACT, sections 1 and 8).
package struct NetworkKeys: Sendable, Equatable {
    /// A key pair for Mastercard's tokenization authentication value.
    package struct TAVKey: Sendable, Equatable {
        /// As configured at Mastercard; version 4 names it.
        package let alias: String?
        /// The public key as PEM.
        package let publicPEM: String
        /// Nil when the issuer keeps the private key.
        package let privatePEM: String?
        /// The sandbox made the pair for an issuer that gave none; OpenSSL's generator and no seed decided it.
        package let isGenerated: Bool

        /// A key that was read from PEM.
        package init(alias: String?, publicPEM: String, privatePEM: String?, isGenerated: Bool = false) {
            self.alias = alias
            self.publicPEM = publicPEM
            self.privatePEM = privatePEM
            self.isGenerated = isGenerated
        }
    }

    /// Visa's fixed double-length TDEA key.
    package struct VisaKey: Sendable, Equatable {
        /// The name of the key set that the data names.
        package let keySetID: String
        /// 16 bytes.
        package let key: [UInt8]

        /// A key of 16 bytes, by the name of its set.
        package init(keySetID: String, key: [UInt8]) {
            self.keySetID = keySetID
            self.key = key
        }
    }

    /// Key pairs for TAVs, in the order of registration.
    package var mastercard: [TAVKey]
    /// The key of the encrypted activation data.
    package var visa: VisaKey
    /// Keys of the sandbox's own MAC format.
    package var amex: [UInt8]
    /// A key of the same format.
    package var discover: [UInt8]

    /// Keys for all four networks.
    package init(mastercard: [TAVKey], visa: VisaKey, amex: [UInt8], discover: [UInt8]) {
        self.mastercard = mastercard
        self.visa = visa
        self.amex = amex
        self.discover = discover
    }

    /// The key that signs the issuer's Mastercard activation data; nil when the issuer keeps its private keys.
    package var tavSigner: TAVKey? { mastercard.first { $0.privatePEM != nil } }

    /// Whether the tenant's seed, or whoever gave the keys, decides the issuer's activation data for a network.
    package func isSeeded(for network: PaymentNetwork) -> Bool {
        network != .mastercard || tavSigner?.isGenerated != true
    }

    var document: JSON {
        [
            "mastercard": .array(
                mastercard.map { key in
                    [
                        "keyAlias": .optional(key.alias), "public": .string(key.publicPEM),
                        "private": .optional(key.privatePEM), "generated": .bool(key.isGenerated),
                    ]
                }
            ),
            "visaKeySetId": .string(visa.keySetID), "visa": .base64(visa.key), "amex": .base64(amex),
            "discover": .base64(discover),
        ]
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("issuer.networkKeys", document)
        mastercard = []
        for item in try reader.array("mastercard") {
            let entry = DocumentReader("issuer.networkKeys.mastercard", item)
            mastercard.append(
                TAVKey(
                    alias: try entry.optionalString("keyAlias"),
                    publicPEM: try entry.string("public"),
                    privatePEM: try entry.optionalString("private"),
                    isGenerated: try entry.bool("generated")
                )
            )
        }
        visa = VisaKey(keySetID: try reader.string("visaKeySetId"), key: try reader.bytes("visa"))
        amex = try reader.bytes("amex")
        discover = try reader.bytes("discover")
    }
}
