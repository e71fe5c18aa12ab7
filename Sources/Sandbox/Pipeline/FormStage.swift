import Compression
import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// The form of a request that has an endpoint: size, content coding, declared type.
struct FormStage: Sendable {
    let mishaps: Mishaps

    /// Notes what is wrong, and takes the content coding off the body: handlers, rules and the journal see what was meant.
    func check(_ progress: inout RequestInProgress) async {
        let (request, route) = (progress.exchange.request, progress.destination.route)
        if let failure = Self.headFailure(request, route) { return progress.exchange.note(failure) }
        if !request.body.isEmpty, ContentCoding(request.headers) == .gzip {
            do throws(Gzip.Fault) {
                progress.exchange.read(body: try Gzip.decode(request.body, limit: route.bodyLimit))
            } catch {
                return progress.exchange.note(Self.check(error, request.body.count, route.bodyLimit))
            }
        }
        await checkContentType(&progress)
        await checkAuthorization(&progress)
    }

    /// What the head announces and no operation, or not this one, takes; nil for gzip, for a body that is not coded, and
    /// when there is none. Some clients send the header with every request.
    static func headFailure(_ request: HTTPRequest, _ route: Route) -> Check? {
        let size = announcedSize(request)
        if size > route.bodyLimit {
            let evidence = "\(size) bytes; at most \(route.bodyLimit)"
            return .failed("http.body", HTTPFault.bodyTooLarge, evidence: evidence)
        }
        guard size > 0, case .unsupported(let codings) = ContentCoding(request.headers) else { return nil }
        return coding(.contentEncoding, Masking.excerpt(codings, 40))
    }

    /// What the head announces, or what has arrived when that is more, in bytes.
    static func announcedSize(_ request: HTTPRequest) -> Int {
        max(request.body.count, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }

    private static func coding(_ fault: HTTPFault, _ evidence: String) -> Check {
        .failed("http.contentEncoding", fault, at: .header("content-encoding"), evidence: evidence)
    }

    private static func check(_ fault: Gzip.Fault, _ count: Int, _ limit: Int) -> Check {
        switch fault {
        case .tooLarge:
            .failed("http.body", HTTPFault.bodyTooLarge, evidence: "more than \(limit) bytes without the coding")
        case .cut: coding(.contentEncodingBroken, "the stream does not end within the \(count) bytes")
        case .broken(let words, let offset): coding(.contentEncodingBroken, "\(words), before byte \(offset)")
        case .exhausted: .failed("http.contentEncoding", HTTPFault.overloaded, evidence: "no memory to decode")
        }
    }

    /// A body that is not declared as what the operation takes is read all the same, but for strict mode.
    private func checkContentType(_ progress: inout RequestInProgress) async {
        let request = progress.exchange.request
        guard Self.announcedSize(request) > 0 else { return }
        let declared = request.headers[.contentType]?.split(separator: ";").first?
            .lowercased().filter { $0 != " " }
        if let declared, progress.destination.route.body.takes(declared) { return }
        await note(
            "http.contentType",
            declared == nil ? .contentTypeMissing : .contentTypeUnsupported,
            at: .header("content-type"),
            declared ?? "none",
            strict: .contentTypeUnsupported,
            &progress
        )
    }

    /// Several spaces between `Bearer` and the token are allowed (RFC 9110, section 11.4), and servers of the field refuse
    /// them.
    private func checkAuthorization(_ progress: inout RequestInProgress) async {
        guard let text = progress.exchange.request.headers[.authorization],
            let space = text.utf8.firstIndex(of: 0x20),
            let next = text.utf8[space...].firstIndex(where: { $0 != 0x20 })
        else { return }
        let count = text.utf8.distance(from: space, to: next)
        guard count > 1, text[..<space].lowercased() == "bearer" else { return }
        await note(
            "http.authorization",
            .authorizationSpaces,
            at: .header("authorization"),
            "\(count) spaces, from character \(text.utf8.distance(from: text.startIndex, to: space))",
            strict: .authorizationSpaces,
            &progress
        )
    }

    private func note(
        _ name: String,
        _ fault: HTTPFault,
        at place: Check.Place,
        _ evidence: String,
        strict: HTTPFault,
        _ progress: inout RequestInProgress
    ) async {
        let strictness: Strictness
        do {
            let endpoint = progress.destination.endpoint
            strictness = try await endpoint?.strictness(for: progress.exchange) ?? progress.exchange.settings.strictness
        } catch {
            return progress.exchange.note(mishaps.check(error, in: progress.destination.route.name))
        }
        progress.exchange.note(
            strictness == .strict
                ? .failed(name, strict, at: place, evidence: evidence)
                : .warning(name, fault, at: place, evidence: evidence)
        )
    }
}

extension Route.Body {
    /// Whether a body may be declared so.
    func takes(_ type: String) -> Bool {
        switch self {
        case .json: type == "application/json" || type.hasSuffix("+json")
        case .form: type == "application/x-www-form-urlencoded"
        case .file: true
        }
    }
}
