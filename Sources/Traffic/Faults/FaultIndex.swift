import Core
import Web
import Wire

/// A tenant's rules about one operation, each found by the condition that leaves the fewest requests.
///
/// It never changes, so that requests look into it side by side. The counters of its rules are those of the time when it
/// was made: whether a rule fires is decided by ``FaultBook/claim(_:at:)``.
final class FaultIndex: Sendable {
    private enum Handle: Hashable {
        case token(String)
        case path(String)
        case header(name: HTTPHeaderName, value: String)
        case suffix(String)
        case issuer(String)
    }

    /// In the order they are asked.
    private let rules: [FaultRule]
    /// Places of rules by their handle, and of rules without one.
    private let handled: [Handle: [Int]]
    private let others: [Int]
    private let headerNames: Set<HTTPHeaderName>
    private let hasPaths: Bool
    // The first rules that are found by these only.
    private let firstToken: Int?
    private let firstSuffix: Int?
    private let firstIssuer: Int?

    init(_ all: [FaultRule], face: String, operation: String) {
        rules = all.filter { rule in
            let match = rule.match
            return rule.hasTurns && match.direction == .inbound && (match.face == nil || match.face == face)
                && (match.operation == nil || match.operation == operation)
        }
        var (handled, others, headerNames): ([Handle: [Int]], [Int], Set<HTTPHeaderName>) = ([:], [], [])
        var (hasPaths, token, suffix, issuer): (Bool, Int?, Int?, Int?) = (false, nil, nil, nil)
        for (place, rule) in rules.enumerated() {
            guard let handle = FaultIndex.handle(rule.match) else {
                others.append(place)
                continue
            }
            handled[handle, default: []].append(place)
            switch handle {
            case .header(let name, _): headerNames.insert(name)
            case .path: hasPaths = true
            case .token: token = token ?? place
            case .suffix: suffix = suffix ?? place
            case .issuer: issuer = issuer ?? place
            }
        }
        (self.handled, self.others, self.headerNames) = (handled, others, headerNames)
        (self.hasPaths, firstToken, firstSuffix, firstIssuer) = (hasPaths, token, suffix, issuer)
    }

    private static func handle(_ match: FaultMatch) -> Handle? {
        if let path = match.path?.literal { return .path(path) }
        for header in match.headers {
            if let value = header.value.literal { return .header(name: header.name, value: value) }
        }
        if let tokenID = match.tokenID { return .token(tokenID) }
        if let suffix = match.cardLast4 { return .suffix(suffix) }
        return match.issuerID.map(Handle.issuer)
    }

    /// What the rules may want of the request.
    func reach(of request: HTTPRequest) -> FaultBook.Reach {
        guard others.isEmpty else { return .request }
        if hasPaths, handled[.path(String(request.path))] != nil { return .request }
        for name in headerNames where request.headers[name] != nil {
            let values = request.headers.all(name)
            if values.contains(where: { handled[.header(name: name, value: $0)] != nil }) { return .request }
        }
        return firstToken == nil && firstSuffix == nil && firstIssuer == nil ? .none : .subject
    }

    /// Rules that match a request and have not ended.
    ///
    /// - Parameter isFinal: false while the handler may still find out more of the subject.
    func find(
        _ request: HTTPRequest,
        _ subject: FaultSubject,
        isFinal: Bool,
        at now: Instant
    ) -> FaultBook.Finding {
        var finding = FaultBook.Finding()
        if !isFinal { finding.openOrder = firstPlace(askingMoreThan: subject).map { rules[$0].order } }
        for place in places(request, subject) {
            let rule = rules[place]
            guard rule.isActive(at: now), rule.match.matches(request) else { continue }
            switch rule.match.matches(subject, isFinal: isFinal) {
            case true?: finding.rules.append(rule)
            case nil: finding.openOrder = min(finding.openOrder ?? rule.order, rule.order)
            case false?: break
            }
        }
        return finding
    }

    /// Places of the rules that may match, in order.
    private func places(_ request: HTTPRequest, _ subject: FaultSubject) -> [Int] {
        if handled.isEmpty { return others }
        var places = others
        func add(_ handle: Handle) { if let found = handled[handle] { places += found } }
        if hasPaths { add(.path(String(request.path))) }
        for name in headerNames {
            for value in request.headers.all(name) { add(.header(name: name, value: value)) }
        }
        if firstToken != nil { for id in subject.tokenIDs { add(.token(id)) } }
        if firstSuffix != nil { for suffix in subject.cardSuffixes { add(.suffix(suffix)) } }
        if firstIssuer != nil { for id in subject.issuerIDs { add(.issuer(id)) } }
        return places.count == others.count ? places : Array(Set(places)).sorted()
    }

    /// The first rule that waits for something that is not known of the subject yet.
    private func firstPlace(askingMoreThan subject: FaultSubject) -> Int? {
        var first = Int.max
        if subject.tokenIDs.isEmpty, let firstToken { first = firstToken }
        if subject.cardSuffixes.isEmpty, let firstSuffix { first = min(first, firstSuffix) }
        if subject.issuerIDs.isEmpty, let firstIssuer { first = min(first, firstIssuer) }
        return first == .max ? nil : first
    }
}

extension FaultMatch {
    /// Whether method, path and headers fit.
    func matches(_ request: HTTPRequest) -> Bool {
        if let method, method != request.method.rawValue { return false }
        if let path, !path.matches(request.path) { return false }
        return headers.allSatisfy { header in
            request.headers.all(header.name).contains { header.value.matches($0) }
        }
    }
}
