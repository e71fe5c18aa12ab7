/// Takes the compression off a zlib stream (RFC 1950), as PNG has it.
package enum Zlib {
    /// Why a stream could not be decoded.
    package typealias Fault = CompressionFault

    /// The decoded bytes of the one stream that `coded` is; bytes after its end are a fault.
    ///
    /// - Parameter limit: at most so many decoded bytes; never more than one further byte is decoded.
    package static func decode(_ coded: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        try Inflater.decode(coded, .zlib, limit: limit)
    }
}
