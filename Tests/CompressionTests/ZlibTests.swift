import Compression
import Testing
import Wire

@Suite struct ZlibTests {
    /// `zlib.compress` at level 9 of twenty times the alphabet: one block with its own code.
    private static func coded() throws -> [UInt8] {
        try Hex.decode("78da4b4c4a4e494d4bcfc8cccacec9cdcb2f282c2a2e292d2bafa8ac4a1c9519413200f1dbde6d")
    }

    private static let decoded = (0..<20).flatMap { _ in [UInt8](97...122) }

    /// A stream of one stored block, as a test can write it by hand.
    private static let stored: [UInt8] = [0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0x7B, 0x7D, 0x01, 0x75, 0x00, 0xF9]

    /// Why it is refused; nil when it is decoded.
    private static func fault(_ coded: [UInt8], limit: Int = 1 << 20) -> Zlib.Fault? {
        do throws(Zlib.Fault) {
            _ = try Zlib.decode(coded, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a stream is decoded, up to its limit`() throws {
        let coded = try Self.coded()
        #expect(try Zlib.decode(coded, limit: 520) == Self.decoded)
        #expect(try Zlib.decode(Self.stored, limit: 2) == Array("{}".utf8))
        for limit in [0, 1, 519] { #expect(Self.fault(coded, limit: limit) == .tooLarge) }
    }

    @Test func `what is not one whole stream is refused, with the byte`() throws {
        let coded = try Self.coded()
        for count in coded.indices { #expect(Self.fault(Array(coded[..<count])) == .cut, "\(count) bytes") }
        func changed(_ index: Int, _ bit: UInt8 = 0x40) -> [UInt8] {
            var bytes = coded
            bytes[index] ^= bit
            return bytes
        }
        let end = coded.count
        let table: [(bytes: [UInt8], words: String, at: Int)] = [
            (Array("{}".utf8), "incorrect header check", 2), (changed(0, 0x01), "incorrect header check", 2),
            (changed(end - 1), "incorrect data check", end), (coded + [0], "bytes follow the end", end),
            (coded + coded, "bytes follow the end", end), ([0x78, 0xBB, 0, 0, 0, 1], "need dictionary", 6),
            ([0x78, 0x01, 0x07], "invalid block type", 3),
            // gzip is another format.
            ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], "incorrect header check", 2),
        ]
        for (bytes, words, offset) in table { #expect(Self.fault(bytes) == .broken(words, at: offset)) }
    }

    @Test func `no changed bit gives another text`() throws {
        let coded = try Self.coded()
        for bit in 0..<(coded.count * 8) {
            var bytes = coded
            bytes[bit / 8] ^= 1 << (bit % 8)
            if let read = try? Zlib.decode(bytes, limit: 1 << 16) { #expect(read == Self.decoded, "bit \(bit)") }
        }
    }

    @Test func `the checksum is that of the published example`() {
        // The check value of CRC-32, over the nine digits.
        #expect(CRC32.of(Array("x123456789".utf8)[1...]) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
    }
}
