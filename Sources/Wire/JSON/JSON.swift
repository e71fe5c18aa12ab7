/// A JSON value as a tree. Objects keep the order of their members, numbers keep their text.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// The number as it was written, for example `1.50`.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON: Equatable {
    /// Same types, same texts by their bytes, members in the same order; numbers as they were written.
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension String {
    /// Equality byte by byte. `==` also takes texts for equal that only look alike, as `K` and the Kelvin sign.
    package func hasSameBytes(as other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }
}

extension JSON {
    package subscript(key: String) -> JSON? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let items) = self { items } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The value of an integer literal: no fraction, no exponent, within 64 bits.
    package var integer: Int64? {
        if case .number(let text) = self { Int64(text) } else { nil }
    }

    /// The value of a number without a fraction, up to 2^53, however it is written: `5`, `5.0` and `5e0` are the same
    /// integer to JSON Schema (2020-12 validation, section 6.1.1).
    package var wholeNumber: Int64? {
        if let integer { return integer }
        guard case .number(let text) = self, let number = Double(text).flatMap(Int64.init(exactly:)),
            (-(1 << 53)...(1 << 53)).contains(number)
        else { return nil }
        return number
    }

    /// The object with one more member, or with the member replaced.
    package func adding(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }

    package var isNull: Bool { self == .null }

    /// The word that errors use for the type.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
    package init(nilLiteral: ()) { self = .null }

    package static func number(_ value: some BinaryInteger) -> JSON { .number(String(value)) }
    /// The text, or `null`.
    package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
    package static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }
}

/// An object's members in order. Members are few, so look-up is a walk.
package struct JSONObject: Sendable, Equatable {
    package private(set) var members: [(key: String, value: JSON)]

    package init(_ members: [(String, JSON)] = []) {
        self.members = members.map { (key: $0.0, value: $0.1) }
    }

    package subscript(key: String) -> JSON? {
        get { members.first { $0.key.hasSameBytes(as: key) }?.value }
        set {
            if let index = members.firstIndex(where: { $0.key.hasSameBytes(as: key) }) {
                if let newValue {
                    members[index].value = newValue
                } else {
                    members.remove(at: index)
                }
            } else if let newValue {
                members.append((key: key, value: newValue))
            }
        }
    }

    package var keys: [String] { members.map(\.key) }

    /// Appends without looking for the key: the parser has made sure that it is new.
    mutating func append(_ key: String, _ value: JSON) { members.append((key: key, value: value)) }

    package static func == (left: Self, right: Self) -> Bool {
        left.members.elementsEqual(right.members) { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
    }
}
