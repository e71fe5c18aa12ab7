/// PNG files for tests: right chunks with right checksums, and image data that nobody inflates.
enum TestPNG {
    static func make(
        width: Int,
        height: Int,
        colour: UInt8,
        more: [(String, [UInt8])] = [],
        pixels: [UInt8] = [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += chunk("IHDR", integer(width) + integer(height) + [8, colour, 0, 0, 0])
        for (type, data) in more { bytes += chunk(type, data) }
        bytes += chunk("IDAT", pixels)
        return bytes + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return integer(data.count) + body + integer(Int(checksum(body)))
    }

    private static func integer(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
    }
}
