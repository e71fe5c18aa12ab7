import Compression
import Masking
import Traffic
import Web
import Wire

/// Content codings of requests (RFC 9110, section 8.4). No answer has one.
extension Pipeline {
    /// Refuses what no operation takes; nil for gzip, for a body that is not coded, and when there is none. Some clients
    /// send the header with every request.
    func codingFailure(_ request: HTTPRequest) -> Check? {
        guard BodySize.announced(request) > 0, case .unsupported(let codings) = ContentCoding(request.headers) else {
            return nil
        }
        return .failed(
            "http.contentEncoding",
            HTTPFault.contentEncoding,
            at: .header("content-encoding"),
            evidence: Masking.excerpt(codings, 40)
        )
    }

    /// Takes the coding off the body: handlers, rules and the journal see what was meant.
    ///
    /// - Parameter limit: what the operation takes, in bytes without the coding.
    /// - Returns: why the request is refused; nil when the body can be read.
    func decodeBody(of visit: inout Visit, limit: Int) -> Check? {
        let request = visit.exchange.request
        if let failure = codingFailure(request) { return failure }
        guard !request.body.isEmpty, ContentCoding(request.headers) == .gzip else { return nil }
        do throws(Gzip.Fault) {
            visit.exchange.replaceBody(try Gzip.decode(request.body, limit: limit))
            visit.isDecoded = true
            return nil
        } catch {
            return Self.check(error, request.body.count, limit)
        }
    }

    private static func check(_ fault: Gzip.Fault, _ count: Int, _ limit: Int) -> Check {
        func broken(_ evidence: String) -> Check {
            .failed(
                "http.contentEncoding",
                HTTPFault.contentEncodingBroken,
                at: .header("content-encoding"),
                evidence: evidence
            )
        }
        return switch fault {
        case .tooLarge:
            .failed("http.body", HTTPFault.bodyTooLarge, evidence: "more than \(limit) bytes without the coding")
        case .cut: broken("the stream does not end within the \(count) bytes")
        case .broken(let words, let offset): broken("\(words), before byte \(offset)")
        case .exhausted: .failed("http.contentEncoding", HTTPFault.overloaded, evidence: "no memory to decode")
        }
    }
}

extension Pipeline.Visit {
    /// The request as the journal keeps it. What is still coded could hide a card number from the masking, so only its
    /// length is told.
    func journaled(_ request: HTTPRequest) -> HTTPRequest {
        var seen = request
        if isDecoded {
            seen.body = exchange.request.body
        } else if !request.body.isEmpty, ContentCoding(request.headers) != .identity {
            seen.body = Array("<\(request.body.count) coded bytes>".utf8)
        }
        return seen
    }
}

/// How a body is coded, by its header fields.
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
