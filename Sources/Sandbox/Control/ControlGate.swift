import Networks
import Traffic
import Web
import Wire

/// From where the control API may be used: from a program of this machine or one with a token, and from no web page (CONTRACT,
/// section 5, "Safety"). Whose the token is, ``ControlAccess`` says.
///
/// A page of another origin can send requests to loopback, and after it moved its own name there (DNS rebinding) read the
/// answers. The first brings a foreign `Origin` or a body that is not declared as JSON, the second a foreign `Host`.
struct ControlGate: Sendable {
    /// Names that lead to this machine from itself or from a container on it.
    static let usualHosts = ["localhost", "*.localhost", "host.docker.internal", "host.containers.internal"]

    /// Paths that a health probe asks, from wherever it stands.
    private static let open: Set<Substring> = ["/healthz", "/readyz"]

    private let needsToken: Bool
    /// Names in lower case; one that begins with `*.` stands for all below it.
    private let hosts: [String]

    /// - Parameters:
    ///   - needsToken: whether each request must show one.
    ///   - hosts: names under which a client without a token may ask, besides loopback addresses.
    init(needsToken: Bool, hosts: [String]) {
        self.needsToken = needsToken
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// The challenge of a 401 (RFC 6750, section 3): a wrong token is named, a missing one only asked for.
    static func challenge(_ deciding: Check) -> String {
        let realm = "Bearer realm=\"tsp-sandbox control\""
        return deciding.code == ControlFault.tokenWrong.code ? realm + ", error=\"invalid_token\"" : realm
    }

    /// Whether anybody must be allowed to send the request: a probe need not.
    static func guards(_ request: HTTPRequest) -> Bool { !open.contains(request.path) }

    /// Why a request is not served; nil when it is.
    func refusal(of request: HTTPRequest) -> Refusal? {
        guard ControlGate.guards(request) else { return nil }
        if let refusal = refusalOfPage(request) { return refusal }
        if !needsToken, let host = request.headers[.host], !isOwn(host) {
            return Refusal(.failed("control.host", ControlFault.hostForeign, at: .header("host"), evidence: host))
        }
        return nil
    }

    /// A browser names the page that sends, and says when the page is of another site.
    private func refusalOfPage(_ request: HTTPRequest) -> Refusal? {
        let own = request.headers[.host].map { "\(request.isSecure ? "https" : "http")://\($0)".lowercased() }
        if let origin = request.headers[.origin], origin.lowercased() != own {
            let place = Check.Place.header("origin")
            return Refusal(.failed("control.origin", ControlFault.originForeign, at: place, evidence: origin))
        }
        if request.headers[.fetchSite]?.lowercased() == "cross-site" {
            let place = Check.Place.header("sec-fetch-site")
            return Refusal(.failed("control.origin", ControlFault.originForeign, at: place, evidence: "cross-site"))
        }
        return nil
    }

    /// A page may send any text without asking first, but not one that is declared as JSON.
    static func refusalOfBody(_ request: HTTPRequest) -> Refusal? {
        guard FormStage.announcedSize(request) > 0 || request.headers[.transferEncoding] != nil else { return nil }
        let declared = request.headers[.contentType]?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        if let declared, Route.Body.json.takes(declared) { return nil }
        let evidence = declared ?? "none"
        return Refusal(
            .failed(
                "http.contentType",
                HTTPFault.contentTypeUnsupported,
                at: .header("content-type"),
                evidence: evidence
            )
        )
    }

    private func isOwn(_ host: String) -> Bool {
        let name = ControlGate.name(of: host)
        if ControlGate.isLoopback(name) { return true }
        return hosts.contains { pattern in
            pattern.hasPrefix("*.") ? name.hasSuffix(pattern.dropFirst()) : name == pattern
        }
    }

    /// The host without its port, in lower case and without the dot that may end it.
    static func name(of host: String) -> String {
        var name = host.lowercased()[...]
        if name.hasPrefix("[") {
            return String(name.dropFirst().prefix { $0 != "]" })
        }
        if let colon = name.lastIndex(of: ":") { name = name[..<colon] }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    private static func isLoopback(_ name: String) -> Bool {
        if name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension HTTPHeaderName {
    fileprivate static let fetchSite = HTTPHeaderName("sec-fetch-site")
}
