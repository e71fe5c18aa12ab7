import Masking
import Wire

/// The name of one isolated world: `[a-z0-9][a-z0-9-]{0,62}`.
package struct TenantName: Hashable, Sendable, Comparable {
    /// 1 to 63 of a to z, 0 to 9 and hyphen.
    package let text: String

    /// Nil when the text is not a tenant name.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...63).contains(bytes.count), bytes[0] != UInt8(ascii: "-"),
            bytes.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        // The name stands in store, journal and log.
        if Masking.holdsCardNumber(text) { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    /// The world of a request that names none.
    package static let `default` = TenantName(known: "default")

    /// In the order of the letters.
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
