/// The character classes of RFC 9110 and RFC 9112.
enum Characters {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3A

    /// `tchar`: what names and methods consist of.
    static func isToken(_ byte: UInt8) -> Bool {
        if byte < 64 { return (tokensBelow64 >> UInt64(byte)) & 1 != 0 }
        return byte < 128 && (tokensFrom64 >> UInt64(byte - 64)) & 1 != 0
    }

    /// What a header value may hold: no controls but the tab.
    static func isValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == tab }

    /// What a request target may hold: visible ASCII.
    static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    /// Space or tab.
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    // One bit for each token character, so that the test is a shift: 0 to 63, then 64 to 127.
    private static let tokensBelow64: UInt64 = 0x03FF6CFA00000000
    private static let tokensFrom64: UInt64 = 0x57FFFFFFC7FFFFFE
}
