/// How clients reach the server through a proxy: `http` or `https`, a host, perhaps a port and a path (RFC 3986).
package struct PublicURL: Sendable, Equatable {
    /// `http` or `https`.
    package let scheme: String
    /// Host and port as they are written, without user information.
    package let authority: String
    /// Without a slash at its end; empty for none.
    package let path: String

    /// The whole of it, as clients use it.
    package var text: String { "\(scheme)://\(authority)\(path)" }

    /// Nil for a text that is not one, also with a query or a fragment.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "?#\\\"<>".contains($0) }),
            let mark = text.firstRange(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased())
        else { return nil }
        let authority = text[mark.upperBound...].prefix { $0 != "/" }
        // The user information ends with the last @.
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard PublicURL.isPlace(place) else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        self.authority = String(place)
        let rest = text[authority.endIndex...]
        path = String(rest.prefix(upTo: rest.lastIndex { $0 != "/" }.map { rest.index(after: $0) } ?? rest.startIndex))
    }

    /// What follows the path in a target that is below it, beginning with a slash; nil for any other target.
    package func rest(of target: String) -> String? {
        guard !path.isEmpty, target.hasPrefix(path) else { return nil }
        let rest = target.dropFirst(path.count)
        switch rest.first {
        case "/": return String(rest)
        case nil, "?": return "/" + rest
        default: return nil
        }
    }

    private static func isPlace(_ place: Substring) -> Bool {
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
