import COpenSSL

/// Owns one `EVP_PKEY` and frees it.
///
/// Safe because the key is not changed after it was made, and OpenSSL 3 locks what it computes on demand.
final class KeyHandle: @unchecked Sendable {
    let raw: OpaquePointer

    init(takingOwnershipOf raw: OpaquePointer) { self.raw = raw }

    deinit { EVP_PKEY_free(raw) }
}

/// Owns one `EVP_PKEY_CTX` and frees it; used on one thread.
struct KeyContext: ~Copyable {
    let raw: OpaquePointer

    /// For an operation with `key`, which is borrowed for the life of the context.
    init(for key: KeyHandle) throws(CryptoError) {
        raw = try OpenSSLErrors.create("EVP_PKEY_CTX_new_from_pkey") { EVP_PKEY_CTX_new_from_pkey(nil, key.raw, nil) }
    }

    /// For making a key or parameters of the algorithm `name`.
    init(generating name: String) throws(CryptoError) {
        raw = try OpenSSLErrors.create("EVP_PKEY_CTX_new_from_name") { EVP_PKEY_CTX_new_from_name(nil, name, nil) }
    }

    deinit { EVP_PKEY_CTX_free(raw) }
}
