import Traffic
import Web
import Wire

/// Reads the members of a control document. The first mistake ends it, with a JSON pointer to the member.
struct ControlFields: Sendable {
    private let object: JSONObject
    /// Where the object stands in the document.
    let pointer: String
    /// Which members are known; nil where nobody would be told.
    private let log: MemberLog?

    /// The body of a control call.
    init(_ exchange: Exchange) throws(Refusal) {
        try self.init(ControlFields.json(exchange.request.body), pointer: "", log: exchange.members)
    }

    /// A body as JSON.
    static func json(_ body: [UInt8], maximumDepth: Int = JSON.maximumDepth) throws(Refusal) -> JSON {
        do {
            return try JSON.parse(body, maximumDepth: maximumDepth)
        } catch {
            let evidence = "byte \(error.offset)"
            throw Refusal(.failed("body.json", error.reason, at: .body(error.pointer), evidence: evidence))
        }
    }

    init(_ json: JSON, pointer: String, log: MemberLog? = nil) throws(Refusal) {
        guard case .object(let object) = json else {
            throw Refusal(.failed("body", ControlFault.bodyNotObject, at: .body(pointer), evidence: json.typeName))
        }
        self.object = object
        self.pointer = pointer
        self.log = log
        log?.add(object, at: pointer)
    }

    /// Says which members there are, all of them, before any is read: others are told even when one of these is wrong.
    func expect(_ names: String...) { log?.declare(names, at: pointer) }

    /// Takes a member that says once more what the path says, as a document does that GET answered.
    func expect(_ name: String, again value: String) {
        if object[name]?.string == value { log?.know(name, at: pointer) }
    }

    /// The object for who keeps it whole or knows its members better.
    var whole: JSONObject {
        log?.knowAll(at: pointer)
        return object
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    func value(_ name: String) -> JSON? {
        log?.know(name, at: pointer)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func string(_ name: String) throws(Refusal) -> String {
        guard let text = try optionalString(name) else { throw missing(name) }
        return text
    }

    func optionalString(_ name: String) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, !text.isEmpty else { throw invalid(name, "a text of at least one character") }
        return text
    }

    func bool(_ name: String, default fallback: Bool) throws(Refusal) -> Bool {
        guard let value = value(name) else { return fallback }
        guard let flag = value.bool else { throw invalid(name, "true or false") }
        return flag
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.wholeNumber, range.contains(number) else {
            throw invalid(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of the words of an enum.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(Refusal) -> Word? {
        guard let value = value(name) else { return nil }
        guard let word = value.string.flatMap(Word.init(rawValue:)) else {
            throw invalid(name, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    func requiredWord<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(Refusal) -> Word {
        guard let word = try word(name, type) else { throw missing(name) }
        return word
    }

    func array(_ name: String) throws(Refusal) -> [JSON] {
        guard let value = value(name) else { return [] }
        guard let items = value.array else { throw invalid(name, "a list") }
        return items
    }

    func strings(_ name: String) throws(Refusal) -> [String] {
        var texts: [String] = []
        for (index, item) in try array(name).enumerated() {
            guard let text = item.string else { throw invalid("\(name)/\(index)", "a text") }
            texts.append(text)
        }
        return texts
    }

    func fields(_ name: String) throws(Refusal) -> ControlFields? {
        guard let value = value(name) else { return nil }
        return try part(value, JSONPointer.escape(name))
    }

    /// An object inside.
    ///
    /// - Parameter place: from here, as in a pointer but for the first slash.
    func part(_ value: JSON, _ place: String) throws(Refusal) -> ControlFields {
        try ControlFields(value, pointer: "\(pointer)/\(place)", log: log)
    }

    /// The objects of a list.
    func list(_ name: String) throws(Refusal) -> [ControlFields] {
        var list: [ControlFields] = []
        for (index, item) in try array(name).enumerated() {
            list.append(try part(item, "\(JSONPointer.escape(name))/\(index)"))
        }
        return list
    }

    func missing(_ name: String) -> Refusal { refusal(name, .fieldMissing, evidence: "\(name) is missing") }

    /// - Parameter wanted: what would be right.
    func invalid(_ name: String, _ wanted: String) -> Refusal {
        refusal(name, .fieldInvalid, evidence: "\(name); wanted \(wanted)")
    }

    func refusal(_ name: String, _ fault: ControlFault, evidence: String? = nil) -> Refusal {
        refusal(name, .failed("body.\(name)", fault, evidence: evidence))
    }

    func refusal(_ name: String, _ fault: some DiagnosisSubject, evidence: String? = nil) -> Refusal {
        refusal(name, .failed("body.\(name)", fault, evidence: evidence))
    }

    /// A refusal of the domain about one member.
    func refusal(_ name: String, _ check: Check) -> Refusal {
        Refusal(check.at(.body(pointer + "/" + name)))
    }
}
