import Crypto
import Wire

/// Shortens what the journal would cut: a file in base64 inside a JSON text becomes `<n bytes, sha256 …>`, so that two
/// journals can be compared. It reads no more of the text than the members it looks for, so broken JSON is no hindrance.
enum BulkMembers {
    /// Shorter texts stay as they are, in bytes.
    private static let shortest = 256

    /// The body with the texts of these members told by length and digest.
    static func shortened(_ body: [UInt8], _ names: [String]) -> [UInt8] {
        let keys = names.map { Array("\"\($0)\"".utf8) }
        guard body.count > shortest, !keys.isEmpty else { return body }
        var shortened: [UInt8] = []
        var (copied, index) = (0, 0)
        while let quote = body[index...].firstIndex(of: 0x22) {
            index = end(ofTextAt: quote, in: body)
            guard keys.contains(where: { body[quote..<index].elementsEqual($0) }),
                let value = textValue(after: index, in: body)
            else { continue }
            index = value.upperBound
            guard value.count > shortest else { continue }
            shortened += body[copied..<value.lowerBound]
            shortened += description(of: Array(body[value].dropFirst().dropLast())).utf8.map { $0 }
            copied = index
        }
        return copied == 0 ? body : shortened + body[copied...]
    }

    /// A file by its length and digest.
    static func description(ofFile bytes: [UInt8]) -> String {
        "<\(bytes.count) bytes, sha256 \(Hex.encode(Hash.sha256.digest(bytes)))>"
    }

    private static func description(of text: [UInt8]) -> String {
        let string = String(decoding: text, as: UTF8.self)
        return "\"\(description(ofFile: (try? Base64.decode(string)) ?? text))\""
    }

    /// Past the closing quote of the text that begins at `start`; the end of the body where none closes it.
    private static func end(ofTextAt start: Int, in body: [UInt8]) -> Int {
        var index = start + 1
        while index < body.count {
            if body[index] == 0x22 { return index + 1 }
            index += body[index] == 0x5C ? 2 : 1
        }
        return body.count
    }

    /// The text, with its quotes, that is the value of a member whose name ends at `index`.
    private static func textValue(after index: Int, in body: [UInt8]) -> Range<Int>? {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        guard let colon = body[index...].firstIndex(where: { !isBlank($0) }), body[colon] == 0x3A,
            let start = body[(colon + 1)...].firstIndex(where: { !isBlank($0) }), body[start] == 0x22
        else { return nil }
        return start..<end(ofTextAt: start, in: body)
    }
}
