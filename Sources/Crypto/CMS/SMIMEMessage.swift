import Wire

/// A MIME message around CMS (RFC 8551, section 3), which OpenSSL and PHP write unless told to write DER.
struct SMIMEMessage {
    /// The CMS bytes, or nil when the body is not base64.
    let body: [UInt8]?

    /// Most header lines that are looked at.
    private static let headerLimit = 32

    /// Nil when `characters` do not begin with the header of such a message; other headers may stand before it.
    init?(_ characters: [UInt8]) {
        let lines = characters.split(separator: 0x0A, omittingEmptySubsequences: false)
        var isMIME = false
        var bodyStart: Int?
        for (index, line) in lines.prefix(SMIMEMessage.headerLimit).enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty {
                // Some tools write an empty line first.
                if index == 0 { continue }
                bodyStart = index + 1
                break
            }
            // A folded line goes on with the header before it.
            if line.first == 0x20 || line.first == 0x09 { continue }
            guard let name = SMIMEMessage.headerName(line) else { return nil }
            isMIME = isMIME || name == "mime-version" || name == "content-type"
        }
        guard isMIME, let bodyStart else { return nil }
        let text = lines[bodyStart...].joined().filter { $0 > 0x20 }
        body = try? Base64.decode(text)
    }

    /// In lower case; nil when the line is not a header.
    private static func headerName(_ line: ArraySlice<UInt8>) -> String? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }
}
