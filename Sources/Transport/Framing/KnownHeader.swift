internal import Web

/// Header names that clients send often, found without making a string.
struct KnownHeader {
    /// Names that decide about framing.
    enum Role {
        case none
        case host
        case transferEncoding
        case expect
    }

    let name: HTTPHeaderName
    let role: Role
    private let bytes: [UInt8]

    /// One entry of the table.
    private init(_ text: String) {
        name = HTTPHeaderName(text)
        bytes = Array(text.utf8)
        role =
            switch name {
            case .host: .host
            case .transferEncoding: .transferEncoding
            case .expect: .expect
            default: .none
            }
    }

    /// The name that these bytes spell in any case; nil for one that is not in the table.
    static func find(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> KnownHeader? {
        guard text.count < byLength.count else { return nil }
        // Setting bit 5 makes letters lower case. No other token character becomes a letter, a digit or a hyphen by it.
        return byLength[text.count].first { known in
            zip(text, known.bytes).allSatisfy { ($0.0 | 0x20) == $0.1 }
        }
    }

    private static let byLength: [[KnownHeader]] = {
        let names = [
            "host", "accept", "user-agent", "connection", "content-type", "content-length", "accept-encoding",
            "accept-language", "authorization", "cache-control", "expect", "origin", "referer", "pragma", "cookie",
            "transfer-encoding", "x-request-id", "x-sandbox-tenant", "x-sandbox-fault", "x-sandbox-diagnosis",
            "x-correlation-id", "x-api-key", "x-pay-token", "x-amex-api-key", "x-amex-request-id", "date", "digest",
            "traceparent", "x-forwarded-for", "x-forwarded-proto", "keep-alive", "upgrade", "if-none-match",
        ]
        let longest = names.map(\.utf8.count).max() ?? 0
        var table = [[KnownHeader]](repeating: [], count: longest + 1)
        for name in names { table[name.utf8.count].append(KnownHeader(name)) }
        return table
    }()
}
