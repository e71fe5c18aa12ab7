import Web

/// How a body is coded, by its header fields (RFC 9110, section 8.4). No answer has a coding.
enum ContentCoding: Equatable {
    /// Not at all.
    case identity
    /// Once; `x-gzip` is the same (RFC 9110, section 8.4.1.3).
    case gzip
    /// As the header says.
    case unsupported(String)

    init(_ headers: HTTPHeaders) {
        let fields = headers.all(.contentEncoding)
        let codings = fields.flatMap { $0.lowercased().split(separator: ",") }.map(Self.trimmed)
            .filter { !$0.isEmpty && $0 != "identity" }
        switch codings {
        case []: self = .identity
        case ["gzip"], ["x-gzip"]: self = .gzip
        default: self = .unsupported(fields.joined(separator: ", "))
        }
    }

    /// Without the white space that a list may have around its members (RFC 9110, section 5.6.1).
    private static func trimmed(_ member: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        let rest = member.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? ""
    }
}
