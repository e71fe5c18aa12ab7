import Core
import Networks
import Traffic
import Web
import Wire

/// Rules of the head that strict mode alone insists on.
extension Pipeline {
    /// A body that is not declared as what the operation takes is read all the same, but for strict mode.
    func checkContentType(_ visit: inout Visit, _ route: Destination) async {
        let request = visit.exchange.request
        guard BodySize.announced(request) > 0 else { return }
        let declared = request.headers[.contentType]?.split(separator: ";").first?
            .lowercased().filter { $0 != " " }
        let fault: HTTPFault
        switch declared {
        case nil: fault = .contentTypeMissing
        case .some(let type) where route.route.body.takes(type): return
        case .some: fault = .contentTypeUnsupported
        }
        await note(
            "http.contentType",
            fault,
            at: .header("content-type"),
            declared ?? "none",
            strict: .contentTypeUnsupported,
            &visit,
            route
        )
    }

    /// Several spaces between `Bearer` and the token are allowed (RFC 9110, section 11.4), and servers of the field refuse
    /// them.
    func checkAuthorization(_ visit: inout Visit, _ route: Destination) async {
        guard let text = visit.exchange.request.headers[.authorization], text.lowercased().hasPrefix("bearer ") else {
            return
        }
        let field = text.utf8
        guard let space = field.firstIndex(of: 0x20), let next = field[space...].firstIndex(where: { $0 != 0x20 })
        else { return }
        let (start, count) = (field.distance(from: field.startIndex, to: space), field.distance(from: space, to: next))
        guard count > 1 else { return }
        let evidence = "\(count) spaces, from character \(start)"
        await note(
            "http.authorization",
            .authorizationSpaces,
            at: .header("authorization"),
            evidence,
            strict: .authorizationSpaces,
            &visit,
            route
        )
    }

    private func note(
        _ name: String,
        _ fault: HTTPFault,
        at place: Check.Place,
        _ evidence: String,
        strict: HTTPFault,
        _ visit: inout Visit,
        _ route: Destination
    ) async {
        let strictness: Strictness
        do {
            strictness = try await route.endpoint.strictness(for: visit.exchange)
        } catch {
            return visit.exchange.note(failure(error, route.route.name))
        }
        visit.exchange.note(
            strictness == .strict
                ? .failed(name, strict, at: place, evidence: evidence)
                : .warning(name, fault, at: place, evidence: evidence)
        )
    }
}

extension Route.Body {
    fileprivate func takes(_ type: String) -> Bool {
        switch self {
        case .json: type == "application/json" || type.hasSuffix("+json")
        case .form: type == "application/x-www-form-urlencoded"
        case .file: true
        }
    }
}
