import Wire

/// Reads bytes that a client wrote as text: base64 by contract, other forms recognised and named.
struct BytesField {
    /// What was recognised besides the documented form.
    struct Reading {
        var bytes: [UInt8]
        var deviation: DocumentFault?
    }

    /// Nil when the text is in no encoding that is known.
    static func read(_ text: String) -> Reading? {
        if let bytes = try? Base64.decode(text) {
            // Text of hexadecimal digits is often valid base64 too; a long one is meant as hexadecimal.
            if text.utf8.count >= 32, isHex(text), let hex = try? Hex.decode(text) {
                return Reading(bytes: hex, deviation: .hex)
            }
            if let twice = doubleEncoded(bytes) { return Reading(bytes: twice, deviation: .doubleBase64) }
            return Reading(bytes: bytes, deviation: nil)
        }
        if text.hasPrefix("-----BEGIN"), let bytes = pem(text) { return Reading(bytes: bytes, deviation: .pem) }
        if let bytes = try? Hex.decode(text) { return Reading(bytes: bytes, deviation: .hex) }
        let joined = text.filter { !$0.isWhitespace }
        if joined.utf8.count != text.utf8.count, let bytes = try? Base64.decode(joined) {
            return Reading(bytes: bytes, deviation: .lineBreaks)
        }
        let bare = String(joined.prefix { $0 != "=" })
        if bare.contains(where: { $0 == "-" || $0 == "_" }), let bytes = try? Base64.decode(bare, .url) {
            return Reading(bytes: bytes, deviation: .base64URL)
        }
        let padded = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        if let bytes = try? Base64.decode(padded) { return Reading(bytes: bytes, deviation: .unpadded) }
        return nil
    }

    /// Eight or more hexadecimal digits: base64 of random bytes hardly ever has no other character.
    static func looksHexadecimal(_ text: String) -> Bool { text.utf8.count >= 8 && isHex(text) }

    private static func isHex(_ text: String) -> Bool {
        text.utf8.count % 2 == 0
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
    }

    /// The bytes under a second layer of base64; random bytes of this length are never all base64 characters.
    private static func doubleEncoded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 24, bytes.count % 4 == 0 else { return nil }
        return try? Base64.decode(bytes)
    }

    private static func pem(_ text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count >= 3 else { return nil }
        return try? Base64.decode(lines.filter { !$0.hasPrefix("-----") }.joined())
    }
}
