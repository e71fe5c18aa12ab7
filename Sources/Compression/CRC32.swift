internal import CZlib

/// The checksum of gzip and PNG (ISO 3309; RFC 1952, section 8).
package enum CRC32 {
    /// The checksum of all of `bytes`.
    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
