internal import CZlib

/// zlib's decoder, run to the end of what it is given.
enum Inflater {
    /// How the compressed blocks are wrapped.
    enum Format {
        /// RFC 1950: one stream.
        case zlib
        /// RFC 1952: members one after the other.
        case gzip
    }

    /// What is decoded at a time.
    private static let pieceSize = 64 << 10

    /// The decoded bytes, at most `limit`; the checksum at the end is looked at, and nothing may follow it.
    static func decode(_ coded: [UInt8], _ format: Format, limit: Int) throws(CompressionFault) -> [UInt8] {
        // zlib keeps the address, so the stream may not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let code = format == .gzip ? shim_inflate_init_gzip(stream) : shim_inflate_init_zlib(stream)
        guard code == Z_OK else { throw .exhausted }
        defer { inflateEnd(stream) }
        let result = coded.withUnsafeBufferPointer { input in
            // zlib reads there and never writes.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return Result { () throws(CompressionFault) in
                try inflated(stream, count: input.count, format, limit: limit)
            }
        }
        return try result.get()
    }

    private static func inflated(
        _ stream: UnsafeMutablePointer<z_stream>,
        count: Int,
        _ format: Format,
        limit: Int
    ) throws(CompressionFault) -> [UInt8] {
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
            let place = count - Int(stream.pointee.avail_in)
            switch code {
            case Z_OK: continue
            case Z_STREAM_END where place == count: return decoded
            // The next member.
            case Z_STREAM_END where format == .gzip: inflateReset(stream)
            case Z_STREAM_END: throw .broken("bytes follow the end", at: place)
            case Z_BUF_ERROR: throw .cut
            case Z_MEM_ERROR: throw .exhausted
            // A dictionary that only the writer has.
            case Z_NEED_DICT: throw .broken("need dictionary", at: place)
            default:
                let words = stream.pointee.msg.map { String(cString: $0) } ?? "not a compressed stream"
                throw .broken(words, at: place)
            }
        }
    }
}
