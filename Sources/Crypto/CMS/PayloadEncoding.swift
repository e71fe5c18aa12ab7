package import Wire

/// The text form in which a payload arrived, recognised from the text alone.
package enum PayloadEncoding: String, Sendable, CaseIterable {
    case hexLower = "hex"
    case hexUpper = "HEX"
    case hexMixed = "hex, mixed case"
    case hexSpaces = "hex with white space"
    case hexPrefix = "hex after 0x"
    case base64 = "base64"
    case base64Lines = "base64 with line breaks"
    case base64URL = "base64url"
    case base64Padding = "base64 with wrong padding"
    case base64URLPadding = "base64url with padding or white space"
    case pemPKCS7 = "PEM, label PKCS7"
    case pemCMS = "PEM, label CMS"
    case base64OfHex = "base64 of hex"
    case base64OfBase64 = "base64 of base64"
    case hexOfHex = "hex of hex"
    case hexOfBase64 = "hex of base64"
    case smime = "S/MIME text"
    case hexOfSMIME = "hex of S/MIME text"
    case base64OfSMIME = "base64 of S/MIME text"

    /// Whether it is the documented form.
    package var isHex: Bool { self == .hexLower || self == .hexUpper || self == .hexMixed }

    /// Whether it is hexadecimal with something between or before the digits.
    private var isUntidyHex: Bool { self == .hexSpaces || self == .hexPrefix }
}

/// A payload's bytes and the form they came in.
package struct RecognisedPayload: Sendable, Equatable {
    /// What the text stands for.
    package let bytes: [UInt8]
    /// The form that was recognised.
    package let encoding: PayloadEncoding
}

extension PayloadEncoding {
    /// Longest text that is looked at: 1 MiB in hexadecimal.
    static let maximumLength = 2 << 20

    /// What `text` is. The value stands beside a warning when the form is not hexadecimal digits and nothing else: the
    /// caller decides. An odd number of digits is not a slip of form: something was lost, so there is no value.
    package static func recognise(
        _ text: String,
        name: String = "encryptedPayload.encoding"
    ) -> Checked<RecognisedPayload> {
        let characters = Array(text.utf8)
        if characters.isEmpty { return refused(name, .empty, "") }
        if characters.count > maximumLength { return refused(name, .tooLong, "\(characters.count) characters") }
        let joined = characters.filter { !isSpace($0) }
        // Before base64 is tried, of which all of these could be a text.
        if !joined.count.isMultiple(of: 2), isHexDigits(joined) {
            return refused(name, .hexOdd, "\(joined.count) digits")
        }
        let prefixed = joined.starts(with: Array("0x".utf8)) || joined.starts(with: Array("0X".utf8))
        if prefixed, isHexDigits(joined.dropFirst(2)) || joined[1] == UInt8(ascii: "x") {
            guard joined.count > 2, let bytes = try? Hex.decode(joined.dropFirst(2)) else {
                return refused(name, .hexPrefix, "what follows 0x is not hexadecimal text of even length")
            }
            return accepted(RecognisedPayload(bytes: bytes, encoding: .hexPrefix), name)
        }
        // A text of base64 may have these letters too, but not so few others.
        if bentHex(joined) { return refused(name, .hexCharacter, slip(in: characters)) }
        if let found = decode(text, characters, joined) { return accepted(found, name) }
        return refusal(of: characters, name)
    }

    private static func accepted(_ found: RecognisedPayload, _ name: String) -> Checked<RecognisedPayload> {
        let found = unwrapped(found)
        let evidence = "\(found.encoding.rawValue), \(found.bytes.count) bytes"
        if found.encoding.isHex { return Checked(value: found, checks: [.passed(name, evidence: evidence)]) }
        let fault = PayloadEncodingFault.form(of: found.encoding)
        return Checked(value: found, checks: [.warning(name, fault, evidence: evidence)])
    }

    /// Whether `bytes` are the text of base64 of some length.
    static func looksBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 16 && (try? Base64.decode(bytes.filter { !isSpace($0) })) != nil
    }

    private static func decode(_ text: String, _ characters: [UInt8], _ joined: [UInt8]) -> RecognisedPayload? {
        if characters.starts(with: Array("-----BEGIN".utf8)) { return decodePEM(characters) }
        if let message = SMIMEMessage(characters) {
            return message.body.map { RecognisedPayload(bytes: $0, encoding: .smime) }
        }
        if let bytes = try? Hex.decode(text) {
            let hasLower = characters.contains { (0x61...0x66).contains($0) }
            let hasUpper = characters.contains { (0x41...0x46).contains($0) }
            let encoding: PayloadEncoding = hasLower && hasUpper ? .hexMixed : hasUpper ? .hexUpper : .hexLower
            return RecognisedPayload(bytes: bytes, encoding: encoding)
        }
        if let bytes = try? Base64.decode(characters) { return RecognisedPayload(bytes: bytes, encoding: .base64) }
        if let bytes = try? Base64.decode(characters, .url) {
            return RecognisedPayload(bytes: bytes, encoding: .base64URL)
        }
        guard !joined.isEmpty else { return nil }
        if let bytes = try? Hex.decode(joined) { return RecognisedPayload(bytes: bytes, encoding: .hexSpaces) }
        if let bytes = try? Base64.decode(joined) { return RecognisedPayload(bytes: bytes, encoding: .base64Lines) }
        return decodeBase64OfAnyPadding(joined)
    }

    /// Base64 or base64url with other padding than its variant has. So much else has these letters that only what looks
    /// like DER, or like a second encoding, is taken for it.
    private static func decodeBase64OfAnyPadding(_ joined: [UInt8]) -> RecognisedPayload? {
        let padding = UInt8(ascii: "=")
        let bare = Array(joined.prefix { $0 != padding })
        let rest = joined.dropFirst(bare.count)
        guard rest.count <= 2, rest.allSatisfy({ $0 == padding }) else { return nil }
        let padded = bare + [UInt8](repeating: padding, count: (4 - bare.count % 4) % 4)
        let standard = try? Base64.decode(padded)
        guard let bytes = standard ?? (try? Base64.decode(bare, .url)),
            bytes.first == 0x30 || bytes.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return RecognisedPayload(bytes: bytes, encoding: standard == nil ? .base64URLPadding : .base64Padding)
    }

    private static func isHexDigits(_ characters: some Collection<UInt8>) -> Bool {
        characters.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        }
    }

    private static func decodePEM(_ characters: [UInt8]) -> RecognisedPayload? {
        let text = String(decoding: characters, as: UTF8.self)
        guard let block = try? PEM.blocks(in: text).first else { return nil }
        switch block.label {
        case "PKCS7": return RecognisedPayload(bytes: block.bytes, encoding: .pemPKCS7)
        case "CMS": return RecognisedPayload(bytes: block.bytes, encoding: .pemCMS)
        default: return nil
        }
    }

    /// Looks one layer deeper: DER begins with 30, text in a second encoding does not.
    private static func unwrapped(_ found: RecognisedPayload) -> RecognisedPayload {
        guard found.bytes.first != 0x30 || found.bytes.allSatisfy({ (0x20...0x7E).contains($0) }),
            found.bytes.count >= 16
        else { return found }
        let isHex = found.encoding.isHex || found.encoding.isUntidyHex
        if let bytes = SMIMEMessage(found.bytes)?.body {
            return RecognisedPayload(bytes: bytes, encoding: isHex ? .hexOfSMIME : .base64OfSMIME)
        }
        if let bytes = try? Hex.decode(found.bytes), bytes.first == 0x30 {
            return RecognisedPayload(bytes: bytes, encoding: isHex ? .hexOfHex : .base64OfHex)
        }
        if let bytes = try? Base64.decode(found.bytes), bytes.first == 0x30 {
            return RecognisedPayload(bytes: bytes, encoding: isHex ? .hexOfBase64 : .base64OfBase64)
        }
        return found
    }

    private static func refusal(of characters: [UInt8], _ name: String) -> Checked<RecognisedPayload> {
        let first = characters.first { !isSpace($0) }
        if first == nil { return refused(name, .empty, "only white space") }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return refused(name, .json, "") }
        if characters.starts(with: Array("-----BEGIN".utf8)) {
            return refused(name, .pemLabel, "label or body of the PEM block")
        }
        if SMIMEMessage(characters) != nil { return refused(name, .smime, "its body is not base64") }
        if isCompactJOSE(characters) { return refused(name, .jose, "") }
        return refused(name, .other, slip(in: characters))
    }

    /// The compact serialization of JWS has three parts in base64url, that of JWE five, and the first is a JSON object
    /// (RFC 7515, 7.1; RFC 7516, 7.1).
    private static func isCompactJOSE(_ characters: [UInt8]) -> Bool {
        let text = characters.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = parts.first else { return false }
        let start = try? Base64.decode(Array(header.prefix(4)), .url)
        return start?.first == UInt8(ascii: "{") && parts.joined().allSatisfy(isBase64URL)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Hexadecimal text in which a few characters are not digits: every other encoding has far more of them.
    private static func bentHex(_ joined: [UInt8]) -> Bool {
        guard joined.count >= 64 else { return false }
        let others = joined.count { !isHexDigits(CollectionOfOne($0)) }
        return (1...joined.count / 32).contains(others)
    }

    /// Which character is not a hexadecimal digit, and what it is.
    private static func slip(in characters: [UInt8]) -> String {
        guard let index = characters.firstIndex(where: { !isSpace($0) && !isHexDigits(CollectionOfOne($0)) }) else {
            return ""
        }
        let byte = characters[index]
        let shown = (0x21...0x7E).contains(byte) ? "\"\(Character(UnicodeScalar(byte)))\"" : "0x\(Hex.encode([byte]))"
        return "character \(index + 1) of \(characters.count), \(shown), is not a hexadecimal digit"
    }

    private static func refused(
        _ name: String,
        _ fault: PayloadEncodingFault,
        _ evidence: String
    ) -> Checked<RecognisedPayload> {
        Checked(value: nil, checks: [.failed(name, fault, evidence: evidence.isEmpty ? nil : evidence)])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
