import Compression
import Testing
import Wire

struct GzipTests {
    private static let text = Array(#"{"kind":"phone"}"#.utf8)

    /// `gzip -9n` of 568 bytes: three times the text above, twenty times the alphabet. One block with its own code.
    private static func coded() throws -> [UInt8] {
        try Hex.decode(
            "1f8b0800000000000203ab56cacecc4b51b2522ac8c8cf4b55aaad26c04f4c4a4e494d4bcfc8cccacec9cdcb2f282c2a2e292d2bafa8ac1a95"
                + "1949320067dbb3ce38020000"
        )
    }

    private static let decoded = text + text + text + (0..<20).flatMap { _ in Array(97...122) }

    /// A member whose one block is stored: no compression, all of the format.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt32(bytes.count)
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let lengths: [UInt8] = little(count, 2) + little(count ^ 0xFFFF, 2)
        return header + [0x01] + lengths + bytes + little(checksum(bytes), 4) + little(count, 4)
    }

    private static func little(_ value: UInt32, _ count: UInt32) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// CRC-32 (RFC 1952, section 8).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Why it is refused; nil when it is decoded.
    private static func fault(_ coded: [UInt8], limit: Int = 1 << 20) -> Gzip.Fault? {
        do throws(Gzip.Fault) {
            _ = try Gzip.decode(coded, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func `row 73: a stream is decoded, whatever its form`() throws {
        #expect(try Gzip.decode(Self.coded(), limit: 1 << 20) == Self.decoded)
        #expect(try Gzip.decode(Self.stored(Self.text), limit: 1 << 20) == Self.text)
        #expect(try Gzip.decode(Self.stored([]), limit: 0) == [])
        // With a file's name in the header, as gzip(1) writes it.
        let named = "1f8b08080000000002ff626f64792e6a736f6e00abae050043bfa6a302000000"
        #expect(try Gzip.decode(Hex.decode(named), limit: 10) == Array("{}".utf8))
        // Members one after the other, an empty one among them (RFC 1952, section 2.2).
        let members = try Self.stored(Self.text) + Self.stored([]) + Self.coded()
        #expect(try Gzip.decode(members, limit: 1 << 20) == Self.text + Self.decoded)
    }

    @Test func `row 73: the limit is of the decoded bytes, over all members`() throws {
        let coded = try Self.coded()
        #expect(Self.fault(coded, limit: 568) == nil)
        for limit in [0, 1, 567] { #expect(Self.fault(coded, limit: limit) == .tooLarge) }
        #expect(Self.fault(coded + coded, limit: 1_136) == nil)
        #expect(Self.fault(coded + coded, limit: 1_135) == .tooLarge)
        // What comes after the limit is not looked at.
        #expect(Self.fault(coded + [0], limit: 567) == .tooLarge)
        let long = Self.stored([UInt8](repeating: 7, count: 65_535))
        #expect(try Gzip.decode(long + long, limit: 131_070).count == 131_070)
        #expect(Self.fault(long + long, limit: 131_069) == .tooLarge)
    }

    @Test func `row 73: what is not a whole stream is refused, with the byte`() throws {
        let coded = try Self.coded()
        for count in coded.indices { #expect(Self.fault(Array(coded[..<count])) == .cut, "\(count) bytes") }
        let end = coded.count
        func changed(_ index: Int) -> [UInt8] {
            var bytes = coded
            bytes[index] ^= 0x40
            return bytes
        }
        let table: [(bytes: [UInt8], words: String, at: Int)] = [
            (Self.text, "incorrect header check", 2), (changed(0), "incorrect header check", 2),
            (changed(2), "unknown compression method", 4), (changed(3), "unknown header flags set", 4),
            (changed(end - 8), "incorrect data check", end - 4), (changed(end - 4), "incorrect length check", end),
            (coded + [0, 0], "incorrect header check", end + 2), (coded + Self.text, "incorrect header check", end + 2),
            // zlib's own format and plain deflate are other codings.
            ([0x78, 0x9C] + coded.dropFirst(10), "incorrect header check", 2),
        ]
        for (bytes, words, offset) in table { #expect(Self.fault(bytes) == .broken(words, at: offset)) }
        #expect(Self.fault(coded + [0x1F]) == .cut)
    }

    @Test func `no changed bit gives another text`() throws {
        let coded = try Self.coded()
        for bit in 0..<(coded.count * 8) {
            var bytes = coded
            bytes[bit / 8] ^= 1 << (bit % 8)
            if let read = try? Gzip.decode(bytes, limit: 1 << 16) { #expect(read == Self.decoded, "bit \(bit)") }
        }
    }
}
