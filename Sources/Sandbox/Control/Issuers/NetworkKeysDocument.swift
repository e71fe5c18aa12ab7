import Core
import Crypto
import Traffic
import Wire

/// `networkKeys` as they are put (CONTRACT, section 8).
struct NetworkKeysDocument: Sendable {
    private var mastercard: [TAVKeyDocument]?
    private var visaKeySetID: String?
    private var visaKey: [UInt8]?
    private var amex: [UInt8]?
    private var discover: [UInt8]?

    init(_ fields: ControlFields?, keyFile: IssuerDocument.KeyFile?) throws(Refusal) {
        guard let fields else { return }
        fields.expect("mastercard", "visa", "amex", "discover")
        if let entry = try fields.fields("mastercard"), entry.has("tav") {
            var keys: [TAVKeyDocument] = []
            for key in try entry.list("tav") { keys.append(try TAVKeyDocument(key, keyFile: keyFile)) }
            mastercard = keys
        }
        if let entry = try fields.fields("visa") {
            entry.expect("keySetId", "key")
            visaKeySetID = try entry.optionalString("keySetId")
            // The activation data is ASCII, and hyphens part it.
            if let id = visaKeySetID, id.utf8.count > 32 || !id.utf8.allSatisfy(NetworkKeysDocument.isKeySetByte) {
                throw entry.invalid("keySetId", "at most 32 visible ASCII characters without a hyphen")
            }
            visaKey = try NetworkKeysDocument.key(entry, lengths: 16...16)
        }
        if let entry = try fields.fields("amex") { amex = try NetworkKeysDocument.key(entry, lengths: 16...64) }
        if let entry = try fields.fields("discover") { discover = try NetworkKeysDocument.key(entry, lengths: 16...64) }
    }

    private static func isKeySetByte(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != 0x2D }

    /// Key bytes in hexadecimal, or in base64 as bytes are elsewhere. Hexadecimal of these lengths is read as such.
    private static func key(_ fields: ControlFields, lengths: ClosedRange<Int>) throws(Refusal) -> [UInt8]? {
        let wanted = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        return try fields.optionalString("key", "\(wanted) bytes in hexadecimal") { text in
            [try? Hex.decode(text), try? Base64.decode(text)].compactMap(\.self).first { lengths.contains($0.count) }
        }
    }

    /// The keys given, else those there were, else new ones.
    ///
    /// - Throws: ``Refusal`` when a private half is spoken of that nobody holds.
    func complete(
        existing: NetworkKeys?,
        generated: GeneratedNetworkKeys?,
        draws: inout Draws
    ) throws(Refusal) -> NetworkKeys {
        var tav = existing?.mastercard ?? generated.map { [$0.tav] } ?? []
        if let mastercard {
            tav = []
            for document in mastercard { tav.append(try document.key(held: existing?.mastercard ?? [])) }
        }
        return NetworkKeys(
            mastercard: tav,
            visa: NetworkKeys.VisaKey(
                keySetID: visaKeySetID ?? existing?.visa.keySetID ?? draws.digits(6) + ".1",
                key: visaKey ?? existing?.visa.key ?? draws.bytes(16)
            ),
            amex: amex ?? existing?.amex ?? draws.bytes(32),
            discover: discover ?? existing?.discover ?? draws.bytes(32)
        )
    }
}

/// Keys made for an issuer that gave none. On the crypto lane: an RSA key takes some 100 ms.
struct GeneratedNetworkKeys: Sendable {
    let tav: NetworkKeys.TAVKey

    static func make() throws -> GeneratedNetworkKeys {
        let key = try PrivateKey.generateRSA(bits: 2_048)
        return GeneratedNetworkKeys(
            tav: NetworkKeys.TAVKey(
                alias: nil,
                publicPEM: key.publicKey.pem,
                privatePEM: try key.pem,
                isGenerated: true
            )
        )
    }
}
