extension Masking {
    /// Bytes of a body that the journal keeps.
    package static let bodyLimit = 16 * 1_024

    /// How far beyond the limit a body is read, so that a secret at the cut is recognised.
    private static let lookahead = 1_024

    /// Headers whose whole value is a credential.
    private static let credentials: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie", "x-api-key", "x-pay-token",
    ]

    /// A body as masked text. Bytes that are not UTF-8 become U+FFFD; what is beyond the limit is counted, not kept.
    package static func body(_ bytes: [UInt8], contentType: String? = nil, limit: Int = bodyLimit) -> String {
        // A form is one whatever it is called: a client that forgets to say so has the same secrets in it.
        let isForm =
            contentType.map { $0.lowercased().hasPrefix("application/x-www-form-urlencoded") } ?? false
            || beginsAsForm(bytes)
        let form: Form = isForm ? .parameters : .text
        guard bytes.count > limit else { return whole(bytes, form) }
        let window = Array(bytes.prefix(limit + lookahead))
        var text = String(decoding: masked(window, form, limit: limit) ?? Array(bytes.prefix(limit)), as: UTF8.self)
        // Half a character at the cut.
        if text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
        return text + "<cut, \(bytes.count - limit) bytes>"
    }

    private static func whole(_ bytes: [UInt8], _ form: Form) -> String {
        let plain = String(decoding: bytes, as: UTF8.self)
        if form == .text, let known = CleanTexts.shared.known(plain) { return known }
        if let masked = masked(bytes, form, limit: bytes.count) { return String(decoding: masked, as: UTF8.self) }
        if form == .text { CleanTexts.shared.keep(plain) }
        return plain
    }

    /// A name of letters, digits and `_`, then an equals sign.
    private static func beginsAsForm(_ bytes: [UInt8]) -> Bool {
        let name = bytes.prefix(64).prefix { $0.isLetter || $0.isDigit || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
        return !name.isEmpty && name.count < bytes.count && bytes[name.count] == 0x3D
    }

    /// The masked value of one header; `name` is in lower case.
    package static func header(_ name: String, _ value: String) -> String {
        guard credentials.contains(name) else {
            if let treatment = SensitiveName.treatment(ofHeader: name) {
                return SensitiveName.replacement(for: Array(value.utf8), treatment) ?? value
            }
            return name == "referer" || name == "location" ? target(value) : text(value)
        }
        if value.isEmpty { return value }
        let bytes = Array(value.utf8)
        // `Bearer …`, and `xv2:…` of x-pay-token.
        guard let mark = bytes.firstIndex(where: { $0 == 0x20 || (name == "x-pay-token" && $0 == 0x3A) }),
            (1...24).contains(mark), bytes[0].isLetter, !name.hasSuffix("cookie"),
            bytes[..<mark].allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D })
        else { return "***" }
        let word = String(decoding: bytes[...mark], as: UTF8.self)
        return text(word) == word ? word + "***" : "***"
    }
}
