package import Wire

/// The text form in which a payload arrived, recognised from the text alone.
package enum PayloadEncoding: String, Sendable, CaseIterable {
    case hexLower = "hex"
    case hexUpper = "HEX"
    case hexMixed = "hex, mixed case"
    case base64 = "base64"
    case base64Lines = "base64 with line breaks"
    case base64URL = "base64url"
    case pemPKCS7 = "PEM, label PKCS7"
    case pemCMS = "PEM, label CMS"
    case base64OfHex = "base64 of hex"
    case base64OfBase64 = "base64 of base64"
    case hexOfHex = "hex of hex"
    case hexOfBase64 = "hex of base64"

    /// Whether it is the documented form.
    package var isHex: Bool { self == .hexLower || self == .hexUpper || self == .hexMixed }
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

    /// What `text` is. The value stands beside a warning when the form is not hexadecimal: the caller decides.
    package static func recognise(
        _ text: String,
        name: String = "encryptedPayload.encoding"
    ) -> Checked<RecognisedPayload> {
        let characters = Array(text.utf8)
        if characters.isEmpty { return refused(name, .empty, "") }
        if characters.count > maximumLength { return refused(name, .tooLong, "\(characters.count) characters") }
        // Before base64 is tried, of which both could be a text.
        if characters.starts(with: Array("0x".utf8)) { return refused(name, .hexPrefix, "") }
        if !characters.count.isMultiple(of: 2), (try? Hex.decode(characters.dropLast())) != nil,
            (try? Hex.decode(characters.suffix(2))) != nil
        {
            return refused(name, .hexOdd, "\(characters.count) digits")
        }
        if let found = decode(text, characters) {
            let found = unwrapped(found)
            let evidence = "\(found.encoding.rawValue), \(found.bytes.count) bytes"
            if found.encoding.isHex { return Checked(value: found, checks: [.passed(name, evidence: evidence)]) }
            let fault = PayloadEncodingFault.form(of: found.encoding)
            return Checked(value: found, checks: [.warning(name, fault, evidence: evidence)])
        }
        return refusal(of: characters, name)
    }

    /// Whether `bytes` are the text of base64 of some length.
    static func looksBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 16 && (try? Base64.decode(bytes.filter { !isSpace($0) })) != nil
    }

    private static func decode(_ text: String, _ characters: [UInt8]) -> RecognisedPayload? {
        if characters.starts(with: Array("-----BEGIN".utf8)) { return decodePEM(characters) }
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
        let joined = characters.filter { !isSpace($0) }
        guard joined.count < characters.count, !joined.isEmpty else { return nil }
        guard let bytes = try? Base64.decode(joined), (try? Hex.decode(joined)) == nil else { return nil }
        return RecognisedPayload(bytes: bytes, encoding: .base64Lines)
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
        if let bytes = try? Hex.decode(found.bytes), bytes.first == 0x30 {
            return RecognisedPayload(bytes: bytes, encoding: found.encoding.isHex ? .hexOfHex : .base64OfHex)
        }
        if let bytes = try? Base64.decode(found.bytes), bytes.first == 0x30 {
            return RecognisedPayload(bytes: bytes, encoding: found.encoding.isHex ? .hexOfBase64 : .base64OfBase64)
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
        let joined = characters.filter { !isSpace($0) }
        if joined.count < characters.count, (try? Hex.decode(joined)) != nil {
            let offset = characters.firstIndex(where: isSpace) ?? 0
            return refused(name, .hexSpaces, "white space at character \(offset)")
        }
        if joined.split(separator: UInt8(ascii: ".")).count >= 3 { return refused(name, .jose, "") }
        do throws(EncodingFault) {
            _ = try Hex.decode(characters)
            return refused(name, .other, "")
        } catch {
            return refused(name, .other, "character \(error.offset) is not a hexadecimal digit")
        }
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
