package import Wire

/// One block of textual encoding (RFC 7468).
package struct PEM: Sendable {
    /// What stands after BEGIN.
    package let label: String
    /// The decoded body.
    package let bytes: [UInt8]

    /// A block to be written.
    package init(label: String, bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }

    /// The text with lines of 64 characters.
    package var text: String {
        var lines = ["-----BEGIN \(label)-----"]
        let body = Array(Base64.encode(bytes).utf8)
        for start in stride(from: 0, to: body.count, by: 64) {
            lines.append(String(decoding: body[start..<min(start + 64, body.count)], as: UTF8.self))
        }
        lines.append("-----END \(label)-----\n")
        return lines.joined(separator: "\n")
    }

    /// Far more than a key, a certificate chain or a payload needs. Longer texts have no blocks: they would keep the
    /// thread for a second or more.
    static let longest = 64 << 10

    /// All blocks of `text`, in order; what stands outside of blocks is skipped, white space inside is ignored.
    ///
    /// - Throws: ``EncodingFault`` when a body is not base64. No block at all gives an empty array.
    package static func blocks(in text: String) throws(EncodingFault) -> [PEM] {
        var blocks: [PEM] = []
        guard text.utf8.count <= longest else { return blocks }
        var label: String?
        var body: [UInt8] = []
        // A block pasted into one line, with or without "\n" written as two characters, is still recognised.
        let unfolded = text.replacing("\\n", with: "\n").replacing("-----BEGIN", with: "\n-----BEGIN")
            .replacing("-----END", with: "\n-----END")
        for line in unfolded.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") {
                let rest = line.dropFirst(11)
                guard let close = rest.firstRange(of: "-----") else { continue }
                label = String(rest[..<close.lowerBound])
                body = rest[close.upperBound...].utf8.filter { !isSpace($0) }
            } else if line.hasPrefix("-----END "), let current = label {
                blocks.append(PEM(label: current, bytes: try Base64.decode(body)))
                label = nil
            } else if label != nil, !line.contains(":") {
                body.append(contentsOf: line.utf8.filter { !isSpace($0) })
            }
        }
        return blocks
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
