import Crypto

/// Everything random that the sandbox decides itself, drawn from a seed: same seed, same draws.
///
/// Each draw hashes seed and counter, so that the numbers a client sees do not give the next ones away.
package struct Draws: Sendable, Equatable {
    /// What everything is drawn from.
    package let seed: UInt64
    /// Draws made so far.
    package private(set) var count: UInt64

    /// Made of its members.
    package init(seed: UInt64, count: UInt64 = 0) {
        self.seed = seed
        self.count = count
    }

    /// Draws that are counted in memory, of a process that must not repeat those of another one: each epoch begins where none
    /// before it comes.
    package init(seed: UInt64, epoch: Int64) {
        self.init(seed: seed, count: UInt64(truncatingIfNeeded: epoch) << 40)
    }

    /// `length` bytes.
    package mutating func bytes(_ length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var block: UInt64 = 0
        while bytes.count < length {
            bytes.append(contentsOf: Hash.sha256.digest(Draws.bigEndian(seed, count, block)))
            block += 1
        }
        count += 1
        return Array(bytes.prefix(length))
    }

    /// Leaves one draw to whoever has a copy of this value.
    package mutating func skip() { count += 1 }

    /// `length` decimal digits.
    package mutating func digits(_ length: Int) -> String {
        // A byte modulo 10 is off by 2 %, which does not matter for test numbers.
        String(decoding: bytes(length).map { 0x30 + $0 % 10 }, as: UTF8.self)
    }

    private static func bigEndian(_ words: UInt64...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 8)
        for word in words {
            for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * byte))) }
        }
        return bytes
    }
}
