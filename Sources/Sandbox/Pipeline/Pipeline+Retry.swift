import Traffic
import Web
import Wire

extension Pipeline.Visit {
    /// Whether the same request may succeed later, for a client that sends it again by itself: what cannot be answered now
    /// (RFC 9110, sections 15.5.9, 15.6.3 to 15.6.5; RFC 6585, section 4), also in a face that words it as something else.
    func isRetryable(_ response: HTTPResponse) -> Bool {
        [408, 429, 502, 503, 504].contains(response.status) || deciding?.code?.kind == .unavailable
    }
}
