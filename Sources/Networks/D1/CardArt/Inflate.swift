/// Decompression of a zlib stream (RFC 1950, RFC 1951), bounded by what the caller expects.
struct Inflate {
    enum Fault: String, Error {
        case stream = "the image data is no zlib stream"
        case cut = "the image data ends too early"
        case code = "the image data has an impossible code"
        case tooLong = "the image data is longer than the image"
    }

    private let input: [UInt8]
    private let limit: Int
    private var position = 2
    private var buffer: UInt32 = 0
    private var bits = 0
    private var output: [UInt8] = []

    private init(_ input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
        output.reserveCapacity(limit)
    }

    /// The bytes of the stream, at most `limit`.
    static func run(_ input: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        guard input.count > 2, input[0] & 0x0F == 8, (Int(input[0]) << 8 | Int(input[1])) % 31 == 0,
            input[1] & 0x20 == 0
        else { throw .stream }
        var inflate = Inflate(input, limit: limit)
        try inflate.blocks()
        return inflate.output
    }

    private mutating func blocks() throws(Fault) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try compressed(Inflate.fixedLengths, Inflate.fixedDistances)
            case 2:
                let (lengths, distances) = try tables()
                try compressed(lengths, distances)
            default: throw .code
            }
        }
    }

    private mutating func take(_ count: Int) throws(Fault) -> Int {
        while bits < count {
            guard position < input.count else { throw .cut }
            buffer |= UInt32(input[position]) << UInt32(bits)
            position += 1
            bits += 8
        }
        let value = Int(buffer & (1 << UInt32(count) - 1))
        buffer >>= UInt32(count)
        bits -= count
        return value
    }

    private mutating func stored() throws(Fault) {
        buffer = 0
        bits = 0
        guard input.count - position >= 4 else { throw .cut }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        guard length ^ 0xFFFF == Int(input[position + 2]) | Int(input[position + 3]) << 8 else { throw .code }
        position += 4
        guard input.count - position >= length else { throw .cut }
        guard output.count + length <= limit else { throw .tooLong }
        output.append(contentsOf: input[position..<position + length])
        position += length
    }

    private mutating func compressed(_ lengths: Huffman, _ distances: Huffman) throws(Fault) {
        while true {
            let symbol = try decode(lengths)
            if symbol < 256 {
                guard output.count < limit else { throw .tooLong }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Inflate.lengthBase.count else { throw .code }
            let length = Inflate.lengthBase[symbol - 257] + (try take(Inflate.lengthExtra[symbol - 257]))
            let code = try decode(distances)
            guard code < Inflate.distanceBase.count else { throw .code }
            let distance = Inflate.distanceBase[code] + (try take(Inflate.distanceExtra[code]))
            guard distance <= output.count else { throw .code }
            guard output.count + length <= limit else { throw .tooLong }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// Codes by length: how many there are of each, and their symbols in order.
    private struct Huffman {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: [Int]) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            for length in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
        }
    }

    /// Refuses more codes than their lengths leave room for.
    private static func table(_ lengths: [Int]) throws(Fault) -> Huffman {
        let table = Huffman(lengths)
        var room = 1
        for length in 1...15 {
            room = room << 1 - table.counts[length]
            guard room >= 0 else { throw .code }
        }
        return table
    }

    private mutating func decode(_ table: Huffman) throws(Fault) -> Int {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            code |= try take(1)
            let count = table.counts[length]
            if code - count < first { return table.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw .code
    }

    private mutating func tables() throws(Fault) -> (Huffman, Huffman) {
        let (literals, distances, codes) = (try take(5) + 257, try take(5) + 1, try take(4) + 4)
        guard literals <= 286, distances <= 30 else { throw .code }
        var order = [Int](repeating: 0, count: 19)
        for place in Inflate.codeOrder.prefix(codes) { order[place] = try take(3) }
        let table = try Inflate.table(order)
        var lengths: [Int] = []
        while lengths.count < literals + distances {
            let symbol = try decode(table)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .code }
                lengths += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
            case 18: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
            default: lengths.append(symbol)
            }
        }
        guard lengths.count == literals + distances else { throw .code }
        return (try Inflate.table(Array(lengths[..<literals])), try Inflate.table(Array(lengths[literals...])))
    }

    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthExtra = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097,
        6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    private static let distanceExtra = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let fixedLengths = Huffman(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    )
    private static let fixedDistances = Huffman([Int](repeating: 5, count: 30))
}
