/// Finds private keys in PEM (RFC 7468), of any label that ends in `PRIVATE KEY`.
enum PrivateKeySearch {
    private static let begin = Array("-----BEGIN".utf8)
    private static let end = Array("-----END".utf8)
    private static let label = Array("PRIVATE".utf8)
    private static let dashes = Array("-----".utf8)

    /// Each block from its first dash to its last, replaced. A block without an end goes to the end of the text, or of
    /// the JSON string it begins.
    static func edits(in bytes: [UInt8]) -> MaskingEdits {
        var edits = MaskingEdits()
        var index = 0
        while let start = find(begin, in: bytes, from: index) {
            let afterBegin = start + begin.count
            guard let headerEnd = find(dashes, in: bytes, from: afterBegin, limit: afterBegin + 64),
                find(label, in: bytes, from: afterBegin, limit: headerEnd) != nil
            else {
                index = afterBegin
                continue
            }
            let bodyStart = headerEnd + dashes.count
            // Inside a JSON string the block ends with it.
            var bound = bytes.count
            if start > 0, bytes[start - 1] == 0x22, let quote = bytes[bodyStart...].firstIndex(of: 0x22) {
                bound = quote
                while bound > bodyStart, bytes[bound - 1] == 0x5C { bound -= 1 }
            }
            var stop = bound
            if let closing = find(end, in: bytes, from: bodyStart, limit: bound) {
                let afterEnd = closing + end.count
                let last = find(dashes, in: bytes, from: afterEnd, limit: min(bound, afterEnd + 64))
                stop = last.map { $0 + dashes.count } ?? afterEnd
            }
            edits.replace(start..<stop, with: "<masked private key>")
            index = stop
        }
        return edits
    }

    /// Whether a run of base64 or hexadecimal begins as the DER of a private key without its PEM lines: a SEQUENCE that
    /// begins with the version 0 or 1, and then an AlgorithmIdentifier (PKCS #8), a modulus (PKCS #1) or the octets of a
    /// key on a curve (RFC 5915).
    static func beginsAsKey(_ run: Span<UInt8>) -> Bool {
        guard run.count >= EncodedText.shortestRun else { return false }
        let head = run.extracting(0..<min(24, run.count))
        if head[0] == 0x4D { return isKey(EncodedText.base64(head)) }
        return head[0] == 0x33 && head[1] == 0x30 && isKey(EncodedText.hex(head))
    }

    private static func isKey(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 9, bytes[0] == 0x30 else { return false }
        let version =
            switch bytes[1] {
            case 0x82: 4
            case 0x81: 3
            case ..<0x80: 2
            default: bytes.count
            }
        guard version + 3 < bytes.count, bytes[version] == 0x02, bytes[version + 1] == 1, bytes[version + 2] <= 1 else {
            return false
        }
        // A modulus is longer than any number of another sequence that begins so.
        let next = bytes[version + 3]
        return next == 0x30 || next == 0x04 || next == 0x02 && bytes[1] == 0x82
    }

    /// Where `needle` first stands wholly between `from` and `limit`.
    private static func find(_ needle: [UInt8], in bytes: [UInt8], from: Int, limit: Int = .max) -> Int? {
        var index = from
        let last = min(bytes.count, limit) - needle.count
        while index <= last {
            if bytes[index] == needle[0], bytes[index..<index + needle.count].elementsEqual(needle) { return index }
            index += 1
        }
        return nil
    }
}
