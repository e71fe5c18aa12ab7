/// Looks for what would have opened an encrypted key. Only for the diagnosis: whatever it finds, nothing is opened.
struct KeySearch {
    let encryptedKey: [UInt8]
    /// The recipient that the payload names.
    let named: PayloadRecipient
    let recipients: [PayloadRecipient]

    /// The finding in words, or nil.
    func run() throws(CryptoError) -> String? {
        for hash in [Hash.sha256, .sha1, .sha512, .sha384] {
            for maskHash in [Hash.sha1, .sha256, .sha512, .sha384] {
                let parameters = OAEPParameters(hash: hash, maskHash: maskHash)
                guard parameters != .sha256 else { continue }
                if try named.privateKey.decryptOAEP(encryptedKey, parameters) != nil {
                    return "it opens with \(parameters), declared is \(OAEPParameters.sha256)"
                }
            }
        }
        if try named.privateKey.decryptPKCS1(encryptedKey)?.count == 32 {
            return "it opens with RSAES-PKCS1-v1_5, declared is RSA-OAEP"
        }
        for other in recipients where other.privateKey.kind == .rsa && other.keyId != named.keyId {
            if try other.privateKey.decryptOAEP(encryptedKey, .sha256) != nil {
                return "it opens with the key \(other.keyId), named is \(named.keyId)"
            }
        }
        return nil
    }
}
