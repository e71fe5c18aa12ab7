import COpenSSL

/// A hash function.
package enum Hash: String, Sendable, CaseIterable {
    /// For reading what others made; never for anything new.
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    /// The fetched algorithm; not owned by the caller.
    var raw: OpaquePointer {
        switch self {
        case .sha1: Algorithms.sha1
        case .sha256: Algorithms.sha256
        case .sha384: Algorithms.sha384
        case .sha512: Algorithms.sha512
        }
    }

    /// Length of a digest in bytes.
    package var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of `parts`, one after the other.
    package func digest(_ parts: [UInt8]...) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { fatalError("OpenSSL is out of memory") }
        defer { EVP_MD_CTX_free(context) }
        var done = EVP_DigestInit_ex2(context, raw, nil)
        for part in parts where !part.isEmpty { done &= EVP_DigestUpdate(context, part, part.count) }
        var digest = [UInt8](repeating: 0, count: length)
        done &= EVP_DigestFinal_ex(context, &digest, nil)
        precondition(done == 1, "a fetched digest does not fail")
        return digest
    }
}
