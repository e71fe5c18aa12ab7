import COpenSSL
import Wire

extension PublicKey {
    /// Whether `signature` is RSASSA-PKCS1-v1_5 of `message` over a DigestInfo whose algorithm lacks the NULL. RFC 8017,
    /// appendix A.2.4, has the NULL there and lets a verifier take both; OpenSSL takes none without it.
    package func verifiesWithoutNull(_ signature: [UInt8], of message: [UInt8], _ hash: Hash) -> Bool {
        guard kind == .rsa, let context = try? KeyContext(for: handle) else { return false }
        defer { OpenSSLErrors.clear() }
        let info = DER.sequence(DER.sequence(DER.oid(hash.identifier)), DER.octetString(hash.digest(message)))
        // Without a hash of its own, the key compares what is signed with these bytes, all of them.
        guard EVP_PKEY_verify_init(context.raw) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context.raw, RSA_PKCS1_PADDING) == 1
        else { return false }
        return EVP_PKEY_verify(context.raw, signature, signature.count, info, info.count) == 1
    }
}
