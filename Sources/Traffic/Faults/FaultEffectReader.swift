import Core
import Masking
import Web
import Wire

/// Reads the member `effect` of a rule: an object of one member, or two for a decision with its reason.
enum FaultEffectReader {
    static func effect(_ json: JSON, _ pointer: String) throws(FaultRuleFault) -> FaultEffect {
        let known = FaultEffect.Kind.allCases.map(\.rawValue)
        let fields = try RuleFields(json, pointer, known: known + ["reason"])
        let names = fields.object.keys.filter { $0 != "reason" }
        guard names.count == 1, let name = names.first, let kind = FaultEffect.Kind(rawValue: name),
            let value = fields.value(name)
        else { throw FaultRuleFault(.value, pointer, "exactly one of \(known.joined(separator: ", "))") }
        if kind != .decision, fields.object["reason"] != nil {
            throw FaultRuleFault(.memberUnknown, fields.at("reason"), "only a decision has a reason")
        }
        let place = fields.at(name)
        switch kind {
        case .delay: return .delay(try delay(value, place))
        case .respond: return .respond(try respond(value, place))
        case .networkError: return .networkError(try fields.text(name) ?? "")
        case .decision: return .decision(try decision(fields))
        case .connection: return .connection(try word(fields, name))
        case .dribble: return try dribble(value, place)
        case .corrupt: return .corrupt(try word(fields, name))
        case .commitThen: return .commitThen(try later(value, place))
        case .callback: return .callback(try word(fields, name))
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ fields: RuleFields,
        _ name: String
    ) throws(FaultRuleFault) -> Word {
        guard let word = try fields.word(name, Word.self) else { throw fields.fault(name, "a word is wanted") }
        return word
    }

    private static func later(_ json: JSON, _ pointer: String) throws(FaultRuleFault) -> FaultEffect {
        let effect = try effect(json, pointer)
        switch effect {
        case .respond, .connection, .delay: return effect
        default: throw FaultRuleFault(.value, pointer, "commitThen takes respond, connection or delay")
        }
    }

    private static func decision(_ fields: RuleFields) throws(FaultRuleFault) -> ForcedDecision {
        guard let decision = try fields.word("decision", Decision.self) else {
            throw fields.fault("decision", "one of green, yellow, red")
        }
        let reason = try fields.text("reason")
        if let reason, reason.utf8.count > 200 { throw fields.fault("reason", "at most 200 bytes") }
        return ForcedDecision(decision, reason: reason)
    }

    private static func delay(_ json: JSON, _ pointer: String) throws(FaultRuleFault) -> FaultDelay {
        let fields = try RuleFields(json, pointer, known: ["fixedMs", "uniformMs", "lognormal"])
        guard fields.object.keys.count == 1 else {
            throw FaultRuleFault(.value, pointer, "exactly one of fixedMs, uniformMs, lognormal")
        }
        let range = 0...FaultDelay.limitMilliseconds
        if let fixed = try fields.integer("fixedMs", range) { return .fixed(milliseconds: fixed) }
        if let bounds = fields.value("uniformMs") {
            guard let items = bounds.array, items.count == 2 else {
                throw fields.fault("uniformMs", "a list of two whole numbers, the lower first")
            }
            let low = try RuleFields.integer(items[0], range, fields.at("uniformMs/0"))
            let high = try RuleFields.integer(items[1], range, fields.at("uniformMs/1"))
            guard low <= high else { throw fields.fault("uniformMs", "the lower number first") }
            return .uniform(milliseconds: low...high)
        }
        let shape = try RuleFields(fields.required("lognormal"), fields.at("lognormal"), known: ["medianMs", "sigma"])
        guard let median = try shape.number("medianMs"), median > 0, median <= Double(FaultDelay.limitMilliseconds)
        else {
            throw shape.fault("medianMs", "a number above 0, up to \(FaultDelay.limitMilliseconds)")
        }
        guard let sigma = try shape.number("sigma"), sigma >= 0, sigma <= 5 else {
            throw shape.fault("sigma", "a number from 0 to 5")
        }
        return .lognormal(medianMilliseconds: median, sigma: sigma)
    }

    private static func dribble(_ json: JSON, _ pointer: String) throws(FaultRuleFault) -> FaultEffect {
        let fields = try RuleFields(json, pointer, known: ["bytes", "everyMs"])
        guard let bytes = try fields.integer("bytes", 1...1_048_576) else {
            throw FaultRuleFault(.memberMissing, fields.at("bytes"), "bytes is missing")
        }
        guard let pause = try fields.integer("everyMs", 1...60_000) else {
            throw FaultRuleFault(.memberMissing, fields.at("everyMs"), "everyMs is missing")
        }
        return .dribble(bytes: Int(bytes), everyMilliseconds: Int(pause))
    }

    /// Headers that say how long the message is, or belong to the connection, are the server's.
    private static let ownHeaders: Set<String> = [
        "content-length", "transfer-encoding", "connection", "trailer", "upgrade", "keep-alive", "date",
    ]

    private static func respond(_ json: JSON, _ pointer: String) throws(FaultRuleFault) -> FaultResponse {
        let fields = try RuleFields(json, pointer, known: ["status", "headers", "body"])
        guard let status = try fields.integer("status", 200...599) else {
            throw FaultRuleFault(.memberMissing, fields.at("status"), "status is missing")
        }
        var headers = HTTPHeaders()
        let given = fields.value("headers") ?? .object(JSONObject())
        guard case .object(let members) = given else { throw fields.fault("headers", "an object of texts") }
        for (name, value) in members.members {
            let place = fields.at("headers") + "/" + JSONPointer.escape(Masking.excerpt(name, 64))
            guard HeaderForm.isName(name), !ownHeaders.contains(name.lowercased()) else {
                throw FaultRuleFault(.value, place, "the name of a header that is not about length or connection")
            }
            guard let text = value.string, HeaderForm.isValue(text) else {
                throw FaultRuleFault(.value, place, "a text without control characters")
            }
            headers[HTTPHeaderName(name)] = text
        }
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
            throw fields.fault("body", "no body, because the status is \(status)")
        }
        return FaultResponse(status: Int(status), headers: headers, body: body)
    }
}
