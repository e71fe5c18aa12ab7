import COpenSSL

extension [UInt8] {
    /// Overwrites the bytes in a way that the optimiser keeps.
    mutating func wipe() {
        withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}
