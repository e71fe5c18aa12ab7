import Wire

/// The fields of a certificate (RFC 5280, section 4.1) as they stand in the DER.
struct CertificateParts {
    let signedPart: [UInt8]
    let innerAlgorithm: [UInt8]
    let algorithm: AlgorithmIdentifier
    let signature: [UInt8]
    let serialNumber: [UInt8]
    let issuer: BERElement
    let subject: BERElement
    let notBefore: Instant
    let notAfter: Instant
    let key: [UInt8]
    let extensions: [CertificateExtension]

    init(_ der: [UInt8]) throws(BERFault) {
        let limits = BERLimits(bytes: 1 << 16, depth: 16)
        let outer = try BERReader.single(.sequence, in: der, rules: .distinguished, limits: limits)
        var parts = try outer.children()
        let signed = try parts.next(.sequence)
        signedPart = signed.encoded
        algorithm = try AlgorithmIdentifier(try parts.next(.sequence))
        signature = try parts.next(.bitString).bitStringOctets()
        try parts.finish()

        var fields = try signed.children()
        _ = try fields.nextIfPresent(.context(0))
        serialNumber = try fields.next(.integer).unsignedOctets()
        innerAlgorithm = try fields.next(.sequence).encoded
        issuer = try fields.next(.sequence)
        var validity = try fields.next(.sequence).children()
        notBefore = try validity.next().time()
        notAfter = try validity.next().time()
        try validity.finish()
        subject = try fields.next(.sequence)
        key = try fields.next(.sequence).encoded
        _ = try fields.nextIfPresent(.context(1))
        _ = try fields.nextIfPresent(.context(2))
        var extensions: [CertificateExtension] = []
        if let wrapper = try fields.nextIfPresent(.context(3)) {
            var list = try wrapper.child(.sequence).children()
            while !list.isAtEnd { extensions.append(try CertificateExtension(try list.next(.sequence))) }
        }
        try fields.finish()
        self.extensions = extensions
    }
}
