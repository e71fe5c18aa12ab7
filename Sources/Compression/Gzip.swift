/// Takes the content coding `gzip` off a body (RFC 1952; RFC 9110, section 8.4.1.3).
package enum Gzip {
    /// Why a body could not be decoded.
    package typealias Fault = CompressionFault

    /// The decoded bytes. Several members one after the other are one stream (RFC 1952, section 2.2); whatever else follows
    /// the end is a fault.
    ///
    /// - Parameter limit: at most so many decoded bytes; never more than one further byte is decoded.
    package static func decode(_ coded: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        try Inflater.decode(coded, .gzip, limit: limit)
    }
}
