import Core
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

    static func make(_ draws: inout Draws) -> String {
        while true {
            let id = "req-" + Hex.encode(draws.bytes(10))
            if isUsable(id) { return id }
        }
    }

    /// What the journal would mask: such an id could not be found there. Dots and underscores count as hyphens.
    private static func holdsCardNumber(_ text: String) -> Bool {
        let bytes = text.utf8.map { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        return Masking.holdsCardNumber(text) || Masking.holdsCardNumber(String(decoding: bytes, as: UTF8.self))
    }
}
