import COpenSSL

/// A keyed hash (RFC 2104).
package enum HMAC {
    /// HMAC-SHA-256 of `message`, 32 bytes.
    package static func sha256(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
        let block = 64
        var inner = [UInt8](repeating: 0x36, count: block)
        var outer = [UInt8](repeating: 0x5C, count: block)
        defer {
            inner.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
            outer.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        }
        key.withUnsafeBytes { key in
            let short = key.count <= block ? Array(key) : Hash.sha256.digest(Array(key))
            for (index, octet) in short.enumerated() {
                inner[index] ^= octet
                outer[index] ^= octet
            }
        }
        return Hash.sha256.digest(outer, Hash.sha256.digest(inner, message))
    }
}
