internal import CZlib

/// Takes the content coding `gzip` off a body (RFC 1952; RFC 9110, section 8.4.1.3).
package enum Gzip {
    /// Why a body is no whole gzip stream, or too much of one.
    package enum Fault: Error, Equatable {
        /// The decoded bytes are more than the limit.
        case tooLarge
        /// zlib's words, and the byte of the coded body at which they were said.
        case broken(String, at: Int)
        /// The body ends within the stream.
        case cut
        /// zlib had no memory.
        case exhausted
    }

    /// What is decoded at a time.
    private static let pieceSize = 64 << 10

    /// The decoded bytes. Several members one after the other are one stream (RFC 1952, section 2.2); whatever else follows
    /// the end is a fault.
    ///
    /// - Parameter limit: at most so many decoded bytes; never more than one further byte is decoded.
    package static func decode(_ coded: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        // zlib keeps the address, so the stream may not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard shim_inflate_init_gzip(stream) == Z_OK else { throw .exhausted }
        defer { inflateEnd(stream) }
        let result = coded.withUnsafeBufferPointer { input in
            // zlib reads there and never writes.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return Result { () throws(Fault) in try inflated(stream, count: input.count, limit: limit) }
        }
        return try result.get()
    }

    private static func inflated(
        _ stream: UnsafeMutablePointer<z_stream>,
        count: Int,
        limit: Int
    ) throws(Fault) -> [UInt8] {
        var decoded: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(pieceSize, limit + 1))
        while true {
            let room = min(piece.count, limit + 1 - decoded.count)
            let code = piece.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(room)
                return inflate(stream, Z_NO_FLUSH)
            }
            decoded += piece[..<(room - Int(stream.pointee.avail_out))]
            guard decoded.count <= limit else { throw .tooLarge }
            switch code {
            case Z_OK: continue
            case Z_STREAM_END where stream.pointee.avail_in == 0: return decoded
            // The next member.
            case Z_STREAM_END: inflateReset(stream)
            case Z_BUF_ERROR: throw .cut
            case Z_MEM_ERROR: throw .exhausted
            default:
                let words = stream.pointee.msg.map { String(cString: $0) } ?? "no gzip"
                throw .broken(words, at: count - Int(stream.pointee.avail_in))
            }
        }
    }
}
