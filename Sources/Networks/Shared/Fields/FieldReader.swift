import Core
import Masking
import Traffic
import Web
import Wire

/// Reads the members of a request body and notes what is wrong with each; nothing stops at the first mistake.
struct FieldReader<Field: RequestField> {
    private let cursor: JSONCursor
    /// Which members there are; what else is there is told.
    var table: FieldTable<Field>
    let strictness: Strictness
    private(set) var checks: [Check] = []
    /// False when the body is not a JSON object; then no field is called missing.
    let isReadable: Bool
    /// The members stand in the query, not in the body.
    private let isQuery: Bool

    private init(
        _ cursor: JSONCursor,
        _ table: FieldTable<Field>,
        strictness: Strictness,
        isReadable: Bool = true,
        isQuery: Bool = false
    ) {
        self.cursor = cursor
        self.table = table
        self.strictness = strictness
        self.isReadable = isReadable
        self.isQuery = isQuery
    }

    /// Reads the exchange's body; a body that cannot be read leaves an empty reader, so that no field is blamed.
    init(_ exchange: inout Exchange, _ table: FieldTable<Field>, strictness: Strictness) {
        var object: JSONObject?
        do {
            let json = try JSON.parse(exchange.request.body)
            object = json.object
            if object == nil {
                let evidence = json.typeName
                exchange.note(.failed("body.json", DocumentFault.notObject, at: .body(""), evidence: evidence))
            }
        } catch {
            exchange.note(.failed("body.json", error.reason, at: .body(error.pointer), evidence: error.place))
        }
        let cursor = JSONCursor(object ?? JSONObject())
        self.init(cursor, table, strictness: strictness, isReadable: object != nil)
    }

    /// A document that is already read, for bodies of other shapes.
    init(object: JSONObject, _ table: FieldTable<Field>, strictness: Strictness) {
        self.init(JSONCursor(object), table, strictness: strictness)
    }

    /// Reads the query; of a parameter that is given twice the first counts.
    init(queryOf exchange: Exchange, _ table: FieldTable<Field>, strictness: Strictness) {
        var object = JSONObject()
        for (name, value) in exchange.request.query where object[name] == nil { object[name] = .string(value) }
        self.init(JSONCursor(object), table, strictness: strictness, isQuery: true)
    }

    /// Notes members that the table does not have, and hands all checks over.
    mutating func finish(into exchange: inout Exchange) {
        let unknown = unknownMembers
        if !unknown.isEmpty {
            let outer = cursor.pointer.isEmpty ? "" : cursor.pointer.dropFirst() + "/"
            let evidence = unknown.prefix(20).map { outer + Masking.excerpt($0, 40) }.joined(separator: ", ")
            let place = isQuery ? nil : Check.Place.body(cursor.pointer)
            note(.warning("body.members", DocumentFault.unknownMember, at: place, evidence: evidence))
        }
        exchange.note(checks)
        checks = []
    }

    /// Members that the table does not have.
    var unknownMembers: [String] { cursor.object.keys.filter { !table.contains($0) } }

    mutating func note(_ check: Check) { checks.append(check) }
    mutating func note(contentsOf more: [Check]) { checks.append(contentsOf: more) }

    /// What can be understood is accepted, with a warning.
    var isLenient: Bool { strictness == .lenient }

    /// The member is there, if only as null.
    func names(_ field: Field) -> Bool { cursor.object[field.rawValue] != nil }

    func has(_ field: Field) -> Bool { cursor.value(field.rawValue) != nil }

    /// The member as it is; null counts as absent.
    func value(_ field: Field) -> JSON? {
        assert(table.contains(field.rawValue), "the table lacks \(field.rawValue)")
        return cursor.value(field.rawValue)
    }

    /// The member, and a note when it must be there and is not.
    private mutating func wanted(_ field: Field) -> JSON? {
        let value = value(field)
        if value == nil, isReadable, table.required.contains(field) { fail(field, .missing) }
        return value
    }

    private mutating func read<Value>(
        _ field: Field,
        _ value: JSON,
        _ wanted: String,
        _ convert: (JSON) -> Value?
    ) -> Value? {
        let found = convert(value)
        if found == nil { fail(field, .wrongType, evidence: "\(wanted) is wanted, found \(value.typeName)") }
        return found
    }

    /// A text of at least one character.
    mutating func string(_ field: Field) -> String? {
        guard let value = wanted(field), let text = text(field, value) else { return nil }
        if text.isEmpty { fail(field, .empty) }
        return text.isEmpty ? nil : text
    }

    /// A text that may be empty.
    mutating func optionalString(_ field: Field) -> String? { wanted(field).flatMap { text(field, $0) } }

    private mutating func text(_ field: Field, _ value: JSON) -> String? {
        guard let text = read(field, value, "a string", { $0.string }) else { return nil }
        let limit = field.form.textLimit
        guard text.utf8.count <= limit else {
            fail(field, .malformed, evidence: "at most \(limit) bytes, found \(text.utf8.count)")
            return nil
        }
        return text
    }

    mutating func bool(_ field: Field) -> Bool? {
        wanted(field).flatMap { read(field, $0, "a boolean") { $0.bool } }
    }

    mutating func array(_ field: Field) -> [JSON]? {
        wanted(field).flatMap { read(field, $0, "an array") { $0.array } }
    }

    /// The objects of a list, each with the table that this one has for them. Where the form allows it an object stands for
    /// a list of it alone.
    ///
    /// - Parameter most: how many are read.
    /// - Returns: the readers, and how many items there are; nil when there is no list.
    mutating func objects(_ field: Field, most: Int) -> (readers: [FieldReader], count: Int)? {
        guard let value = wanted(field) else { return nil }
        let inner = table.inside[field] ?? FieldTable()
        if case .listOrOne = field.form, let inside = cursor.inside(value, field.rawValue) {
            return ([FieldReader(inside, inner, strictness: strictness)], 1)
        }
        guard let items = read(field, value, "an array", { $0.array }) else { return nil }
        var readers: [FieldReader] = []
        for (index, item) in items.prefix(most).enumerated() {
            if let inside = cursor.inside(item, "\(field.rawValue)/\(index)") {
                readers.append(FieldReader(inside, inner, strictness: strictness))
            } else {
                fail(field, .wrongType, evidence: "a list of objects is wanted, found \(item.typeName)")
            }
        }
        return (readers, items.count)
    }

    /// Bytes in base64, at least one.
    ///
    /// - Parameter sibling: a field that the same program wrote. Where it is certainly hexadecimal and that is accepted,
    ///   digits that could be both are read as hexadecimal here too.
    mutating func bytes(_ field: Field, writtenLike sibling: Field? = nil) -> [UInt8]? {
        guard let text = string(field) else { return nil }
        if isLenient, let sibling, let bytes = try? Hex.decode(text), bytes.count <= field.form.byteLimit {
            // Without the other member the digits alone speak: base64 of random bytes hardly ever looks so.
            let speaks = has(sibling) ? isHexadecimal(sibling) : BytesField.looksHexadecimal(text)
            if speaks {
                let evidence = has(sibling) ? "accepted, like \(sibling.rawValue)" : "accepted"
                warn(field, DocumentFault.hex, evidence: evidence)
                return bytes
            }
        }
        return decode(text, field)
    }

    /// Whether the member is a text that can only be meant as hexadecimal.
    private func isHexadecimal(_ field: Field) -> Bool {
        guard let text = cursor.value(field.rawValue)?.string, text.utf8.count <= field.form.textLimit else {
            return false
        }
        return BytesField.read(text)?.deviation == .hex
    }

    /// Bytes in base64; nil for an empty text.
    mutating func optionalBytes(_ field: Field) -> [UInt8]? {
        guard let text = optionalString(field), !text.isEmpty else { return nil }
        return decode(text, field)
    }

    /// A list of byte strings in base64. Forms that clients are known to send instead are named.
    mutating func bytesList(_ field: Field) -> [[UInt8]]? {
        guard let value = wanted(field), let items = list(value, field) else { return nil }
        guard !items.isEmpty else {
            fail(field, .empty)
            return nil
        }
        var list: [[UInt8]] = []
        for item in items {
            guard let text = read(field, item, "a list of strings", \.string), let bytes = decode(text, field) else {
                return nil
            }
            list.append(bytes)
        }
        return list
    }

    private mutating func list(_ value: JSON, _ field: Field) -> [JSON]? {
        switch value {
        case .object(let object): return accept(.stringifiedObject, field) ? object.members.map(\.value) : nil
        case .string(let text):
            let inner = try? JSON.parse(text)
            guard let items = inner?.array ?? inner?.object?.members.map(\.value) else { break }
            return accept(.stringifiedArray, field) ? items : nil
        default: break
        }
        return read(field, value, "an array") { $0.array }
    }

    private mutating func decode(_ text: String, _ field: Field) -> [UInt8]? {
        guard let reading = BytesField.read(text), !reading.bytes.isEmpty else {
            fail(field, .malformed, evidence: "base64 is wanted; \(text.utf8.count) characters in no known encoding")
            return nil
        }
        if let deviation = reading.deviation {
            guard accept(deviation, field) else { return nil }
        } else if case .bytes(_, _, areRandom: true) = field.form, BytesField.looksHexadecimal(text) {
            // It is base64 by its letters, so it is read as such; the wallet would find a wrong nonce much later.
            doubt(field, DocumentFault.hex, evidence: "looks hexadecimal, read as base64")
        }
        let limit = field.form.byteLimit
        guard reading.bytes.count <= limit else {
            fail(field, .malformed, evidence: "at most \(limit) bytes, found \(reading.bytes.count)")
            return nil
        }
        return reading.bytes
    }

    /// Notes another form than the documented one; true when it may pass.
    private mutating func accept(_ deviation: DocumentFault, _ field: Field) -> Bool {
        if isLenient {
            warn(field, deviation, evidence: "accepted")
        } else {
            fail(field, deviation, evidence: "in \(field.rawValue)")
        }
        return isLenient
    }

    /// Notes a mistake that any member can have.
    mutating func fail(_ field: Field, _ fault: FieldFault, evidence: String? = nil, hint: String? = nil) {
        // A code that many members share does not say which one is meant.
        let seen =
            Field.hasOwnCodes
            ? evidence
            : [cursor.pointer(to: field.rawValue), evidence].compactMap(\.self)
                .joined(separator: "; ")
        fail(field, field.code(fault), evidence: seen, hint: hint)
    }

    /// Notes a mistake with a member.
    mutating func fail(_ field: Field, _ fault: some Diagnosed, evidence: String? = nil, hint: String? = nil) {
        note(.failed(name(field), fault, at: place(field), evidence: evidence, hint: hint))
    }

    /// Notes what is odd about a member that is taken all the same.
    mutating func warn(_ field: Field, _ fault: some Diagnosed, evidence: String? = nil) {
        note(.warning(name(field), fault, at: place(field), evidence: evidence))
    }

    /// Notes what is taken with a warning, and refused where exactness is wanted.
    mutating func doubt(_ field: Field, _ fault: some Diagnosed, evidence: String? = nil) {
        strictness == .strict ? fail(field, fault, evidence: evidence) : warn(field, fault, evidence: evidence)
    }

    private func name(_ field: Field) -> String { "body.\(field.rawValue)" }

    func place(_ field: Field) -> Check.Place {
        isQuery ? .query(field.rawValue) : .body(cursor.pointer(to: JSONPointer.escape(field.rawValue)))
    }
}
