/// Looks for what would have opened an encrypted key. Only for the diagnosis: whatever it finds, nothing is opened.
struct KeySearch {
    let encryptedKey: [UInt8]
    /// The recipient that the payload names.
    let named: PayloadRecipient
    let recipients: [PayloadRecipient]
    /// Operations with a private key so far.
    private(set) var spent = 0

    /// Most operations with a private key that one payload may cost beyond its own.
    static let budget = 16
    /// Pairs that are often mistaken for the required one, and then those that hardly occur.
    private static let likely = [
        OAEPParameters(hash: .sha256, maskHash: .sha1), OAEPParameters(hash: .sha1, maskHash: .sha1),
        OAEPParameters(hash: .sha512, maskHash: .sha512), OAEPParameters(hash: .sha384, maskHash: .sha384),
        OAEPParameters(hash: .sha512, maskHash: .sha1), OAEPParameters(hash: .sha1, maskHash: .sha256),
    ]
    private static let others = [Hash.sha256, .sha1, .sha512, .sha384].flatMap { hash in
        [Hash.sha1, .sha256, .sha512, .sha384].map { OAEPParameters(hash: hash, maskHash: $0) }
    }.filter { $0 != .sha256 && !likely.contains($0) }

    init(encryptedKey: [UInt8], named: PayloadRecipient, recipients: [PayloadRecipient]) {
        self.encryptedKey = encryptedKey
        self.named = named
        self.recipients = recipients
    }

    /// The finding in words, or nil.
    mutating func run() throws(CryptoError) -> String? {
        if let words = try pair(of: KeySearch.likely) { return words }
        if spend(), try named.privateKey.decryptPKCS1(encryptedKey).map({ [16, 24, 32].contains($0.count) }) == true {
            return "it opens with RSAES-PKCS1-v1_5, declared is RSA-OAEP"
        }
        let length = encryptedKey.count
        for other in recipients
        where other.privateKey.kind == .rsa && other.keyId != named.keyId && other.encryptedKeyLength == length {
            guard spend() else { return nil }
            if try other.privateKey.decryptOAEP(encryptedKey, .sha256) != nil {
                return "it opens with the key \(other.keyId), named is \(named.keyId)"
            }
        }
        return try pair(of: KeySearch.others)
    }

    private mutating func pair(of candidates: [OAEPParameters]) throws(CryptoError) -> String? {
        for parameters in candidates {
            guard spend() else { return nil }
            if try named.privateKey.decryptOAEP(encryptedKey, parameters) != nil {
                return "it opens with \(parameters), declared is \(OAEPParameters.sha256)"
            }
        }
        return nil
    }

    /// Whether one more operation is left.
    private mutating func spend() -> Bool {
        guard spent < KeySearch.budget else { return false }
        spent += 1
        return true
    }
}
