import Compression

/// What the chunks of a PNG say (ISO/IEC 15948). The pixels stay compressed here.
struct PNGImage {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    enum Fault: String, Error {
        case cut = "the file ends inside a chunk"
        case noHeader = "the first chunk is not an IHDR of 13 bytes"
        case header = "IHDR has a colour type or bit depth that PNG does not know"
        case checksum = "the checksum of a chunk is wrong"
        case noData = "there is no image data (IDAT)"
        case noEnd = "there is no end chunk (IEND)"
        case afterEnd = "bytes follow the end chunk (IEND)"
    }

    let width: Int
    let height: Int
    let depth: UInt8
    let colour: UInt8
    let isInterlaced: Bool
    /// The compressed pixels.
    let data: [UInt8]
    /// The contents of tRNS.
    let transparent: [UInt8]

    /// Alpha channel or tRNS: pixels may be transparent.
    var mayBeTransparent: Bool { colour == 4 || colour == 6 || !transparent.isEmpty }

    init(_ bytes: [UInt8]) throws(Fault) {
        var offset = PNGImage.signature.count
        var header: ArraySlice<UInt8>?
        var pixels: [UInt8] = []
        var transparent: [UInt8] = []
        var isEnded = false
        while offset < bytes.count {
            guard !isEnded else { throw .afterEnd }
            guard bytes.count - offset >= 12 else { throw .cut }
            let length = PNGImage.integer(bytes[offset..<offset + 4])
            guard length <= bytes.count - offset - 12 else { throw .cut }
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            let data = bytes[offset + 8..<offset + 8 + length]
            guard
                CRC32.of(bytes[offset + 4..<offset + 8 + length])
                    == UInt32(PNGImage.integer(bytes[offset + 8 + length..<offset + 12 + length]))
            else { throw .checksum }
            if header == nil {
                guard type == "IHDR", length == 13 else { throw .noHeader }
                header = data
            }
            switch type {
            case "IDAT": pixels += data
            case "tRNS": transparent = Array(data)
            case "IEND": isEnded = true
            default: break
            }
            offset += 12 + length
        }
        guard let header else { throw .noHeader }
        guard !pixels.isEmpty else { throw .noData }
        guard isEnded else { throw .noEnd }
        let start = header.startIndex
        width = PNGImage.integer(header[start..<start + 4])
        height = PNGImage.integer(header[start + 4..<start + 8])
        depth = header[start + 8]
        colour = header[start + 9]
        isInterlaced = header[start + 12] != 0
        data = pixels
        self.transparent = transparent
        guard PNGImage.depths[colour]?.contains(depth) == true, width > 0, height > 0 else { throw .header }
    }

    /// Bit depths by colour type.
    private static let depths: [UInt8: Set<UInt8>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
