import COpenSSL

/// Algorithms fetched once: looking one up by name at each use costs more than a short digest.
///
/// They live as long as the process. A missing one is a broken installation of OpenSSL.
enum Algorithms {
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let sha1 = digest("SHA1")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let sha256 = digest("SHA256")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let sha384 = digest("SHA384")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let sha512 = digest("SHA512")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let aes256GCM = cipher("AES-256-GCM")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let aes128CBC = cipher("AES-128-CBC")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let aes192CBC = cipher("AES-192-CBC")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let aes256CBC = cipher("AES-256-CBC")
    // Safe because a fetched algorithm is immutable and OpenSSL counts its references with a lock.
    nonisolated(unsafe) static let tdea2CBC = cipher("DES-EDE-CBC")

    private static func digest(_ name: String) -> OpaquePointer {
        guard let digest = EVP_MD_fetch(nil, name, nil) else { fatalError("OpenSSL has no \(name)") }
        return digest
    }

    private static func cipher(_ name: String) -> OpaquePointer {
        guard let cipher = EVP_CIPHER_fetch(nil, name, nil) else { fatalError("OpenSSL has no \(name)") }
        return cipher
    }
}
