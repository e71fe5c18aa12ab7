import Core
import Masking
import Synchronization
import Wire

/// `x-request-id`: the caller's when it is usable, else one of the tenant's.
package enum RequestID {
    package static func isUsable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            } && !holdsCardNumber(text)
    }

    /// An id from one draw.
    static func make(_ draws: inout Draws) -> String {
        let digits = Hex.encode(draws.bytes(10))
        let id = prefix + digits
        // Nearly every id has no row of digits as long as a card number, and needs no closer look.
        return longestNumber(digits) < shortestCardNumber || isUsable(id) ? id : prefix + lettersOnly(digits)
    }

    private static let shortestCardNumber = 12

    private static func longestNumber(_ text: String) -> Int {
        var (longest, current) = (0, 0)
        for byte in text.utf8 {
            current = byte < 0x3A ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    private static let prefix = "req-"

    /// The same value without a digit, so that no card number is in it.
    private static func lettersOnly(_ digits: String) -> String {
        // 0 to 9 become g to p, which no hexadecimal number has.
        String(decoding: digits.utf8.map { $0 < 0x3A ? $0 + 0x37 : $0 }, as: UTF8.self)
    }

    /// What the journal would mask: such an id could not be found there. Dots and underscores count as hyphens.
    private static func holdsCardNumber(_ text: String) -> Bool {
        let bytes = text.utf8.map { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        return Masking.holdsCardNumber(text) || Masking.holdsCardNumber(String(decoding: bytes, as: UTF8.self))
    }
}

/// Request ids where there is no tenant to draw them from: one that is unknown, or cannot be read.
package final class StrayRequestIDs: Sendable {
    private let draws: Mutex<Draws>

    /// - Parameters:
    ///   - seed: one seed gives one row of ids. No tenant draws the same ones: its own draws have a seed of at most 2^53, and
    ///     its request ids have that one with its bits turned.
    ///   - epoch: of the default tenant, see ``Worlds/epoch(of:)``.
    package init(seed: UInt64, epoch: Int64 = 0) {
        draws = Mutex(Draws(seed: (seed & ~(1 << 62)) | 1 << 63, epoch: epoch))
    }

    package func next() -> String { draws.withLock { RequestID.make(&$0) } }
}
