package import Wire

/// Reads the members of a stored document, naming the one that is missing or wrong.
///
/// A member that may be absent is wrong all the same when it is there with another type.
package struct DocumentReader {
    private let kind: String
    private let json: JSON

    /// Made of its members.
    package init(_ kind: String, _ json: JSON) {
        self.kind = kind
        self.json = json
    }

    /// A member as it is; nil when it is missing.
    package func value(_ name: String) -> JSON? { json[name] }

    /// A member that must be there; `convert` gives nil for what is wrong.
    private func required<Value>(_ name: String, _ convert: (JSON) -> Value?) throws(RecordFault) -> Value {
        guard let value = json[name], let found = convert(value) else { throw RecordFault(kind: kind, member: name) }
        return found
    }

    /// A member that may be absent.
    private func optional<Value>(_ name: String, _ convert: (JSON) -> Value?) throws(RecordFault) -> Value? {
        json[name] == nil ? nil : try required(name, convert)
    }

    /// A member that may be absent or null.
    private func present<Value>(_ name: String, _ convert: (JSON) -> Value?) throws(RecordFault) -> Value? {
        guard let value = json[name], !value.isNull else { return nil }
        return try required(name, convert)
    }

    /// A member that must be a text.
    package func string(_ name: String) throws(RecordFault) -> String { try required(name) { $0.string } }

    /// Nil when the member is absent or null.
    package func optionalString(_ name: String) throws(RecordFault) -> String? { try present(name) { $0.string } }

    /// A member that must be a whole number.
    package func integer(_ name: String) throws(RecordFault) -> Int64 { try required(name) { $0.integer } }

    /// Nil when the member is absent or null.
    package func optionalInteger(_ name: String) throws(RecordFault) -> Int64? { try present(name) { $0.integer } }

    /// False when the member is absent.
    package func bool(_ name: String) throws(RecordFault) -> Bool { try optional(name) { $0.bool } ?? false }

    /// A member that must be a time.
    package func instant(_ name: String) throws(RecordFault) -> Instant { Instant(milliseconds: try integer(name)) }

    /// Nil when the member is absent or null.
    package func optionalInstant(_ name: String) throws(RecordFault) -> Instant? {
        try optionalInteger(name).map(Instant.init(milliseconds:))
    }

    /// A value that is stored by its raw value.
    package func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type) throws(RecordFault) -> Word {
        try required(name) { $0.string.flatMap(Word.init(rawValue:)) }
    }

    /// Nil when the member is absent or null.
    package func optionalWord<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type
    ) throws(RecordFault) -> Word? {
        try present(name) { $0.string.flatMap(Word.init(rawValue:)) }
    }

    /// Empty when the member is absent.
    package func array(_ name: String) throws(RecordFault) -> [JSON] { try optional(name) { $0.array } ?? [] }

    /// Each item of a list; empty when the member is absent.
    private func items<Value>(_ name: String, _ convert: (JSON) -> Value?) throws(RecordFault) -> [Value] {
        let items = try array(name)
        let values = items.compactMap(convert)
        guard values.count == items.count else { throw RecordFault(kind: kind, member: name) }
        return values
    }

    /// Empty when the member is absent.
    package func strings(_ name: String) throws(RecordFault) -> [String] { try items(name) { $0.string } }

    /// Values that are stored by their raw values; empty when the member is absent.
    package func words<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type
    ) throws(RecordFault) -> [Word] {
        try items(name) { $0.string.flatMap(Word.init(rawValue:)) }
    }

    /// Nil when the member is absent.
    package func optionalObject(_ name: String) throws(RecordFault) -> JSONObject? {
        try optional(name) { $0.object }
    }

    /// Bytes that are stored as base64.
    package func bytes(_ name: String) throws(RecordFault) -> [UInt8] {
        try required(name) { value in value.string.flatMap { try? Base64.decode($0) } }
    }
}

extension JSON {
    /// Milliseconds since 1970, as documents store time.
    package static func instant(_ instant: Instant) -> JSON { .number(instant.milliseconds) }
    /// A time as text, null for nil.
    package static func optional(_ instant: Instant?) -> JSON { instant.map(JSON.instant) ?? .null }
    /// Bytes as base64 text.
    package static func base64(_ bytes: [UInt8]) -> JSON { .string(Base64.encode(bytes)) }
}
