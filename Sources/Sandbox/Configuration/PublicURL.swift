/// How clients reach the API through a proxy: `http` or `https`, a host, perhaps a port and a path (RFC 3986).
enum PublicURL {
    static func isUsable(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "?#\\\"<>".contains($0) }),
            let mark = text.firstRange(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased())
        else { return false }
        let authority = text[mark.upperBound...].prefix { $0 != "/" }
        // The user information ends with the last @.
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if place.hasPrefix("[") {
            guard let close = place.firstIndex(of: "]") else { return false }
            let address = place[place.index(after: place.startIndex)..<close]
            return address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
                && isPort(place[place.index(after: close)...])
        }
        let host = place.prefix { $0 != ":" }
        return !host.isEmpty && host.allSatisfy { $0.isLetter || $0.isNumber || "-._~".contains($0) }
            && isPort(place[host.endIndex...])
    }

    /// Nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        let digits = text.dropFirst()
        return text.hasPrefix(":") && digits.allSatisfy(\.isNumber) && UInt16(digits).map { $0 > 0 } == true
    }
}
