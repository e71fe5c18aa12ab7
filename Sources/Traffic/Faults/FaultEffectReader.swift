import Core
import Web
import Wire

/// Reads the member `effect` of a rule: an object of one member, or two for a decision with its reason.
enum FaultEffectReader {
    static func effect(_ object: RuleFields) throws(FaultRuleFault) -> FaultEffect {
        let known = FaultEffect.Kind.allCases.map(\.rawValue)
        let fields = try object.knowing(known + ["reason"])
        let names = fields.cursor.names(besides: ["reason"])
        guard names.count == 1, let name = names.first, let kind = FaultEffect.Kind(rawValue: name), fields.has(name)
        else { throw fields.invalid("exactly one of \(known.joined(separator: ", "))") }
        if kind != .decision, fields.cursor.object["reason"] != nil {
            throw fields.fault(.memberUnknown, "reason", "only a decision has a reason")
        }
        switch kind {
        case .delay: return .delay(try delay(fields.inner(name, knowing: "fixedMs", "uniformMs", "lognormal")))
        case .respond: return .respond(try respond(fields.inner(name, knowing: "status", "headers", "body")))
        case .networkError: return .networkError(try fields.text(name) ?? "")
        case .decision: return .decision(try decision(fields))
        case .connection: return .connection(try word(fields, name))
        case .dribble: return try dribble(fields.inner(name, knowing: "bytes", "everyMs"))
        case .corrupt: return .corrupt(try word(fields, name))
        case .commitThen: return .commitThen(try later(fields, name))
        case .callback: return .callback(try word(fields, name))
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ fields: RuleFields,
        _ name: String
    ) throws(FaultRuleFault) -> Word {
        guard let word = try fields.word(name, Word.self) else { throw fields.invalid(name, "a word is wanted") }
        return word
    }

    private static func later(_ fields: RuleFields, _ name: String) throws(FaultRuleFault) -> FaultEffect {
        let effect = try effect(fields.required(name, fields.fields(name)))
        switch effect {
        case .respond, .connection, .delay: return effect
        default: throw fields.invalid(name, "commitThen takes respond, connection or delay")
        }
    }

    private static func decision(_ fields: RuleFields) throws(FaultRuleFault) -> ForcedDecision {
        guard let decision = try fields.word("decision", Decision.self) else {
            throw fields.invalid("decision", "one of green, yellow, red")
        }
        let reason = try fields.text("reason")
        if let reason, reason.utf8.count > 200 { throw fields.invalid("reason", "at most 200 bytes") }
        return ForcedDecision(decision, reason: reason)
    }

    private static func delay(_ fields: RuleFields) throws(FaultRuleFault) -> FaultDelay {
        guard fields.cursor.object.keys.count == 1 else {
            throw fields.invalid("exactly one of fixedMs, uniformMs, lognormal")
        }
        let range = 0...FaultDelay.limitMilliseconds
        if let fixed = try fields.integer("fixedMs", in: range) { return .fixed(milliseconds: fixed) }
        let pair = "a list of two whole numbers, the lower first"
        if let items = try fields.read("uniformMs", pair, { value in value.array.flatMap { $0.count == 2 ? $0 : nil } })
        {
            var bounds: [Int64] = []
            for (index, item) in items.enumerated() {
                guard let number = item.wholeNumber, range.contains(number) else {
                    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
                    throw fields.invalid("uniformMs/\(index)", wanted)
                }
                bounds.append(number)
            }
            guard bounds[0] <= bounds[1] else { throw fields.invalid("uniformMs", "the lower number first") }
            return .uniform(milliseconds: bounds[0]...bounds[1])
        }
        let shape = try fields.inner("lognormal", knowing: "medianMs", "sigma")
        guard let median = try shape.number("medianMs"), median > 0, median <= Double(FaultDelay.limitMilliseconds)
        else {
            throw shape.invalid("medianMs", "a number above 0, up to \(FaultDelay.limitMilliseconds)")
        }
        guard let sigma = try shape.number("sigma"), sigma >= 0, sigma <= 5 else {
            throw shape.invalid("sigma", "a number from 0 to 5")
        }
        return .lognormal(medianMilliseconds: median, sigma: sigma)
    }

    private static func dribble(_ fields: RuleFields) throws(FaultRuleFault) -> FaultEffect {
        let bytes = try fields.required("bytes", fields.integer("bytes", in: 1...1_048_576))
        let pause = try fields.required("everyMs", fields.integer("everyMs", in: 1...60_000))
        return .dribble(bytes: Int(bytes), everyMilliseconds: Int(pause))
    }

    /// Headers that say how long the message is, or belong to the connection, are the server's.
    private static let ownHeaders: Set<String> = [
        "content-length", "transfer-encoding", "connection", "trailer", "upgrade", "keep-alive", "date",
    ]

    private static func respond(_ fields: RuleFields) throws(FaultRuleFault) -> FaultResponse {
        let status = try fields.required("status", fields.integer("status", in: 200...599))
        let given = try fields.headers("headers") { (name, value, step) throws(FaultRuleFault) in
            guard HeaderForm.isName(name), !ownHeaders.contains(name.lowercased()) else {
                throw fields.invalid(step, "the name of a header that is not about length or connection")
            }
            guard let text = value.string, HeaderForm.isValue(text) else {
                throw fields.invalid(step, "a text without control characters")
            }
            return (HTTPHeaderName(name), text)
        }
        var headers = HTTPHeaders()
        for (name, text) in given { headers[name] = text }
        var body: [UInt8] = []
        switch fields.value("body") {
        case nil: break
        case .string(let text):
            body = Array(text.utf8)
            if headers[.contentType] == nil, !body.isEmpty { headers[.contentType] = "text/plain; charset=utf-8" }
        case .some(let json):
            body = json.bytes
            if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        }
        if status == 204 || status == 304, !body.isEmpty {
            throw fields.invalid("body", "no body, because the status is \(status)")
        }
        return FaultResponse(status: Int(status), headers: headers, body: body)
    }
}
