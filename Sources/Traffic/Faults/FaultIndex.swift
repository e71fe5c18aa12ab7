import Web

/// Where a tenant's rules about one operation stand, by a condition that can be looked up.
struct FaultIndex {
    /// The condition of a rule that leaves the fewest requests.
    private enum Handle: Hashable {
        case token(String)
        case path(String)
        case header(name: HTTPHeaderName, value: String)
        case suffix(String)
        case issuer(String)
    }

    private var handled: [Handle: [Int]] = [:]
    /// Rules without such a condition.
    private var others: [Int] = []
    private var headerNames: Set<HTTPHeaderName> = []
    private var hasPaths = false
    // The first rules that are found by these only.
    private var firstToken: Int?
    private var firstSuffix: Int?
    private var firstIssuer: Int?

    init(_ rules: [FaultRule], face: String, operation: String) {
        for (place, rule) in rules.enumerated() {
            let match = rule.match
            guard rule.hasTurns, match.direction == .inbound, match.face == nil || match.face == face,
                match.operation == nil || match.operation == operation
            else { continue }
            guard let handle = Self.handle(match) else {
                others.append(place)
                continue
            }
            handled[handle, default: []].append(place)
            switch handle {
            case .header(let name, _): headerNames.insert(name)
            case .path: hasPaths = true
            case .token: firstToken = firstToken ?? place
            case .suffix: firstSuffix = firstSuffix ?? place
            case .issuer: firstIssuer = firstIssuer ?? place
            }
        }
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

    /// Places of the rules that may match, in order.
    func places(_ request: HTTPRequest, _ subject: FaultSubject) -> [Int] {
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

    /// Whether no rule can match the request, whatever it turns out to be about.
    func isIdle(for request: HTTPRequest) -> Bool {
        guard others.isEmpty, firstToken == nil, firstSuffix == nil, firstIssuer == nil else { return false }
        if hasPaths, handled[.path(String(request.path))] != nil { return false }
        return headerNames.allSatisfy { name in
            request.headers.all(name).allSatisfy { handled[.header(name: name, value: $0)] == nil }
        }
    }

    /// The first rule that waits for something that is not known of the subject yet.
    func firstPlace(askingMoreThan subject: FaultSubject) -> Int? {
        var first = Int.max
        if subject.tokenIDs.isEmpty, let firstToken { first = firstToken }
        if subject.cardSuffixes.isEmpty, let firstSuffix { first = min(first, firstSuffix) }
        if subject.issuerIDs.isEmpty, let firstIssuer { first = min(first, firstIssuer) }
        return first == .max ? nil : first
    }
}
