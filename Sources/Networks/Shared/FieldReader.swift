import Core
import Masking
import Traffic
import Web
import Wire

/// Reads the members of a request body and notes what is wrong with each; nothing stops at the first mistake.
struct FieldReader {
    private let object: JSONObject
    /// Where the object stands in the body, as a JSON pointer.
    let pointer: String
    let strictness: Strictness
    private(set) var checks: [Check] = []
    private var known: Set<String> = []
    /// False when the body is not a JSON object; then no field is called missing.
    let isReadable: Bool

    /// Reads the exchange's body; a body that cannot be read leaves an empty reader, so that no field is blamed.
    init(_ exchange: inout Exchange, strictness: Strictness) {
        self.strictness = strictness
        pointer = ""
        do {
            let json = try JSON.parse(exchange.request.body)
            guard case .object(let object) = json else {
                exchange.note(.failed("body.json", DocumentFault.notObject, at: .body(""), evidence: json.typeName))
                self.object = JSONObject()
                isReadable = false
                return
            }
            self.object = object
            isReadable = true
        } catch {
            exchange.note(.failed("body.json", error.reason, at: .body(error.pointer), evidence: error.place))
            object = JSONObject()
            isReadable = false
        }
    }

    /// A document that is already read, for bodies of other shapes and for objects inside.
    ///
    /// - Parameter pointer: where the object stands in the body.
    init(object: JSONObject, at pointer: String = "", strictness: Strictness) {
        self.object = object
        self.pointer = pointer
        self.strictness = strictness
        isReadable = true
    }

    /// Notes members that no call asked for, and hands all checks over.
    mutating func finish(into exchange: inout Exchange) {
        let unknown = unknownMembers
        if !unknown.isEmpty {
            let outer = pointer.isEmpty ? "" : pointer.dropFirst() + "/"
            let evidence = unknown.prefix(20).map { outer + Masking.excerpt($0, 40) }.joined(separator: ", ")
            note(.warning("body.members", DocumentFault.unknownMember, at: .body(pointer), evidence: evidence))
        }
        exchange.note(checks)
        checks = []
    }

    /// Members that no call asked for so far.
    var unknownMembers: [String] { object.keys.filter { !known.contains($0) } }

    mutating func note(_ check: Check) { checks.append(check) }
    mutating func note(contentsOf more: [Check]) { checks.append(contentsOf: more) }

    /// What can be understood is accepted, with a warning.
    var isLenient: Bool { strictness == .lenient }

    /// The member is there, if only as null.
    func names(_ field: Field) -> Bool { object[field.rawValue] != nil }

    func has(_ field: Field) -> Bool { object[field.rawValue].map { !$0.isNull } ?? false }

    /// The member as it is; null counts as absent.
    mutating func value(_ field: Field) -> JSON? {
        known.insert(field.rawValue)
        guard let value = object[field.rawValue], !value.isNull else { return nil }
        return value
    }

    mutating func optionalString(_ field: Field) -> String? {
        guard let value = value(field) else { return nil }
        guard let text = value.string else {
            fail(field, .wrongType, evidence: "a string is wanted, found \(value.typeName)")
            return nil
        }
        guard text.utf8.count <= field.limit else {
            fail(field, .malformed, evidence: "at most \(field.limit) bytes, found \(text.utf8.count)")
            return nil
        }
        return text
    }

    /// A text of at least one character.
    mutating func string(_ field: Field) -> String? {
        guard value(field) != nil else {
            if isReadable { fail(field, .missing) }
            return nil
        }
        guard let text = optionalString(field) else { return nil }
        guard !text.isEmpty else {
            fail(field, .empty)
            return nil
        }
        return text
    }

    mutating func bool(_ field: Field, default fallback: Bool) -> Bool {
        guard let value = value(field) else { return fallback }
        guard let flag = value.bool else {
            fail(field, .wrongType, evidence: "a boolean is wanted, found \(value.typeName)")
            return fallback
        }
        return flag
    }

    /// A boolean that must be there.
    mutating func requiredBool(_ field: Field) -> Bool? {
        guard value(field) != nil else {
            if isReadable { fail(field, .missing) }
            return nil
        }
        return bool(field, default: false)
    }

    /// Bytes in base64, at least one and at most `limit`.
    ///
    /// - Parameter sibling: a field that the same program wrote. Where it is certainly hexadecimal and that is accepted,
    ///   digits that could be both are read as hexadecimal here too.
    mutating func bytes(_ field: Field, limit: Int, writtenLike sibling: Field? = nil) -> [UInt8]? {
        guard let text = string(field) else { return nil }
        if isLenient, let sibling, isHexadecimal(sibling), let bytes = try? Hex.decode(text), bytes.count <= limit {
            warn(field, DocumentFault.hex, evidence: "accepted, like \(sibling.rawValue)")
            return bytes
        }
        return decode(text, field, limit: limit)
    }

    /// Whether the member is a text that can only be meant as hexadecimal.
    private func isHexadecimal(_ field: Field) -> Bool {
        guard let text = object[field.rawValue]?.string, text.utf8.count <= field.limit else { return false }
        return BytesField.read(text)?.deviation == .hex
    }

    mutating func optionalBytes(_ field: Field, limit: Int) -> [UInt8]? {
        guard let text = optionalString(field), !text.isEmpty else { return nil }
        return decode(text, field, limit: limit)
    }

    /// A list of byte strings in base64. Forms that clients are known to send instead are named.
    mutating func bytesList(_ field: Field, limit: Int) -> [[UInt8]]? {
        guard let value = value(field) else {
            if isReadable { fail(field, .missing) }
            return nil
        }
        guard let items = list(value, field) else { return nil }
        guard !items.isEmpty else {
            fail(field, .empty)
            return nil
        }
        var list: [[UInt8]] = []
        for item in items {
            guard let text = item.string else {
                fail(field, .wrongType, evidence: "a list of strings is wanted, found \(item.typeName)")
                return nil
            }
            guard let bytes = decode(text, field, limit: limit) else { return nil }
            list.append(bytes)
        }
        return list
    }

    private mutating func list(_ value: JSON, _ field: Field) -> [JSON]? {
        switch value {
        case .array(let items): return items
        case .object(let object):
            guard accept(.stringifiedObject, field) else { return nil }
            return object.members.map(\.value)
        case .string(let text):
            guard let inner = try? JSON.parse(text) else {
                fail(field, .wrongType, evidence: "an array is wanted, found string")
                return nil
            }
            guard let items = inner.array ?? inner.object?.members.map(\.value) else {
                fail(field, .wrongType, evidence: "an array is wanted, found string")
                return nil
            }
            return accept(.stringifiedArray, field) ? items : nil
        default:
            fail(field, .wrongType, evidence: "an array is wanted, found \(value.typeName)")
            return nil
        }
    }

    private mutating func decode(_ text: String, _ field: Field, limit: Int) -> [UInt8]? {
        guard let reading = BytesField.read(text), !reading.bytes.isEmpty else {
            fail(field, .malformed, evidence: "base64 is wanted; \(text.utf8.count) characters in no known encoding")
            return nil
        }
        if let deviation = reading.deviation, !accept(deviation, field) { return nil }
        if reading.deviation == nil, [.nonce, .nonceSignature].contains(field), BytesField.looksHexadecimal(text) {
            // It is base64 by its letters, so it is read as such; the wallet would find a wrong nonce much later.
            warn(field, DocumentFault.hex, evidence: "looks hexadecimal, read as base64")
        }
        guard reading.bytes.count <= limit else {
            fail(field, .malformed, evidence: "at most \(limit) bytes, found \(reading.bytes.count)")
            return nil
        }
        return reading.bytes
    }

    /// Notes another form than the documented one; true when it may pass.
    private mutating func accept(_ deviation: DocumentFault, _ field: Field) -> Bool {
        if strictness == .lenient {
            warn(field, deviation, evidence: "accepted")
            return true
        }
        fail(field, deviation, evidence: "in \(field.rawValue)")
        return false
    }

    mutating func fail(_ field: Field, _ defect: Field.Defect, evidence: String? = nil, hint: String? = nil) {
        fail(field, field.code(defect), evidence: evidence, hint: hint)
    }

    /// Notes a mistake with a member.
    mutating func fail(_ field: Field, _ fault: some Diagnosed, evidence: String? = nil, hint: String? = nil) {
        note(.failed(name(field), fault, at: place(field), evidence: evidence, hint: hint))
    }

    /// Notes what is odd about a member that is taken all the same.
    mutating func warn(_ field: Field, _ fault: some Diagnosed, evidence: String? = nil) {
        note(.warning(name(field), fault, at: place(field), evidence: evidence))
    }

    private func name(_ field: Field) -> String { "body.\(field.rawValue)" }

    func place(_ field: Field) -> Check.Place { .body("\(pointer)/\(field.rawValue)") }
}
