package import Wire

/// Which certificate a recipient is (RFC 5652, section 6.2.1).
package enum RecipientIdentifier: Sendable, Equatable, CustomStringConvertible {
    /// The issuer's Name as DER, and the magnitude of the serial number.
    case issuerAndSerialNumber(issuer: [UInt8], serialNumber: [UInt8])
    case subjectKeyIdentifier([UInt8])

    /// For evidence: the key identifier as text when it is text, otherwise in hexadecimal.
    package var description: String {
        switch self {
        case .issuerAndSerialNumber(_, let serialNumber):
            return "serial number \(Hex.encode(serialNumber.prefix(20)))"
        case .subjectKeyIdentifier(let bytes):
            let isText = !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
            let shown = bytes.prefix(64)
            return isText ? "key id \(String(decoding: shown, as: UTF8.self))" : "key id 0x\(Hex.encode(shown))"
        }
    }
}

/// The content key, encrypted for one recipient.
package struct KeyTransportRecipient: Sendable {
    /// Whose key it is.
    package let identifier: RecipientIdentifier
    /// How the content key is encrypted.
    package let algorithm: AlgorithmIdentifier
    /// The encrypted content key.
    package let encryptedKey: [UInt8]
}

/// EnvelopedData (RFC 5652, section 6) or AuthEnvelopedData (RFC 5083) as its fields, nothing judged.
package struct EnvelopedData: Sendable {
    /// The recipients with an encrypted key, in order.
    package let recipients: [KeyTransportRecipient]
    /// The kinds of the other recipients, for evidence.
    package let otherRecipients: [String]
    /// What the content is declared to be.
    package let contentType: OID
    /// How the content is encrypted.
    package let cipher: AlgorithmIdentifier
    /// Nil when the content is detached.
    package let encryptedContent: [UInt8]?
    /// The tag of AuthEnvelopedData; nil in EnvelopedData.
    package let tag: [UInt8]?
    /// What AuthEnvelopedData authenticates beside the content, if anything.
    package let attributes: AuthenticatedAttributes?
    /// Set when there is more than is looked at.
    let excess: CMSFault?

    /// How many recipients are looked at.
    static let recipientLimit = 64

    /// Reads the SEQUENCE inside the ContentInfo.
    init(_ element: BERElement, isAuthenticated: Bool) throws(BERFault) {
        var fields = try element.children()
        _ = try fields.next(.integer).integer()
        _ = try fields.nextIfPresent(.context(0))
        var infos = try fields.next(.set).children()
        var recipients: [KeyTransportRecipient] = []
        var others: [String] = []
        while !infos.isAtEnd, recipients.count + others.count < EnvelopedData.recipientLimit {
            let info = try infos.next()
            switch info.tag {
            case .sequence: recipients.append(try KeyTransportRecipient(info))
            case .context(1): others.append("a key agreement")
            case .context(2): others.append("a symmetric key")
            case .context(3): others.append("a password")
            default: others.append("another kind of recipient")
            }
        }
        self.recipients = recipients
        otherRecipients = others
        var content = try fields.next(.sequence).children()
        contentType = try content.next(.objectIdentifier).objectIdentifier()
        cipher = try AlgorithmIdentifier(try content.next(.sequence))
        encryptedContent = try content.nextIfPresent(.context(0))?.octets()
        try content.finish()
        let sent = try fields.nextIfPresent(.context(1))
        if let sent, isAuthenticated {
            attributes = try AuthenticatedAttributes(sent)
        } else {
            attributes = nil
        }
        tag = isAuthenticated ? try fields.next(.octetString).octets() : nil
        if isAuthenticated { _ = try fields.nextIfPresent(.context(2)) }
        try fields.finish()
        if !infos.isAtEnd {
            excess = .tooManyRecipients
        } else {
            excess = isAuthenticated && sent != nil && attributes == nil ? .tooManyAttributes : nil
        }
    }
}

extension KeyTransportRecipient {
    init(_ element: BERElement) throws(BERFault) {
        var fields = try element.children()
        _ = try fields.next(.integer).integer()
        if let key = try fields.nextIfPresent(.context(0)) {
            identifier = .subjectKeyIdentifier(try key.octets())
        } else {
            var pair = try fields.next(.sequence).children()
            let name = try pair.next(.sequence)
            // Certificates are DER, so a name in BER is compared in DER; no name of ours is that long.
            let issuer = name.range.count <= 4_096 ? try name.distinguished() : name.encoded
            let serialNumber = try pair.next(.integer).integerOctets()
            try pair.finish()
            identifier = .issuerAndSerialNumber(issuer: issuer, serialNumber: Array(serialNumber.drop { $0 == 0 }))
        }
        algorithm = try AlgorithmIdentifier(try fields.next(.sequence))
        encryptedKey = try fields.next(.octetString).octets()
        try fields.finish()
    }
}
