import CZlib

/// What `gzip -9` makes of the bytes.
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let size = Int32(MemoryLayout<z_stream>.size)
    let code = deflateInit2_(stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    precondition(code == Z_OK)
    defer { deflateEnd(stream) }
    let room = Int(deflateBound(stream, UInt(bytes.count)))
    return bytes.withUnsafeBufferPointer { input in
        [UInt8](unsafeUninitializedCapacity: room) { output, count in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(room)
            precondition(deflate(stream, Z_FINISH) == Z_STREAM_END)
            count = room - Int(stream.pointee.avail_out)
        }
    }
}
