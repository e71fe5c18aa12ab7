import Web

/// A form of a request's URL that a client may have signed (CONTRACT, section 7, "Behind a proxy or /t/{tenant}").
package struct SignedURL: Sendable, Equatable {
    /// `http` or `https`.
    package let scheme: String
    /// Host, and port where the client named one.
    package let authority: String
    /// Path and query, still percent-encoded.
    package let target: String
    /// What was done to the URL as it was received, for the journal.
    package let form: String

    package var text: String { "\(scheme)://\(authority)\(target)" }
}

extension Exchange {
    /// The forms to try, in order: the URL as it was received, then without the tenant's prefix, then both with the path of
    /// the public URL put before, or taken away where the client sent it. Scheme and host are those of the public URL, else
    /// the connection's scheme and the `Host` field.
    package var signedURLs: [SignedURL] {
        let scheme = publicURL?.scheme ?? (received.isSecure ? "https" : "http")
        let authority = publicURL?.authority ?? received.headers[.host] ?? ""
        let path = publicURL?.path ?? ""
        let inner = publicURL?.rest(of: received.target) ?? received.target
        let isBelow = inner != received.target
        var forms = [(inner, "as received"), (request.target, "without the tenant's prefix")]
        if !path.isEmpty {
            let whole = forms.map { (path + $0.0, $0.1) }
            let other = isBelow ? "without the public path" : "with the public path"
            let (first, second) = isBelow ? (whole, forms) : (forms, whole)
            forms = first + second.map { ($0.0, $0.1 == "as received" ? other : "\($0.1), \(other)") }
        }
        var urls: [SignedURL] = []
        for (target, form) in forms where !urls.contains(where: { $0.target == target }) {
            urls.append(SignedURL(scheme: scheme, authority: authority, target: target, form: form))
        }
        return urls
    }
}
