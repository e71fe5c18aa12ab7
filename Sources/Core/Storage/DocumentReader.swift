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

    /// A member that must be a text.
    package func string(_ name: String) throws(RecordFault) -> String {
        guard let value = json[name]?.string else { throw RecordFault(kind: kind, member: name) }
        return value
    }

    /// Nil when the member is absent or null.
    package func optionalString(_ name: String) throws(RecordFault) -> String? {
        present(name) == nil ? nil : try string(name)
    }

    /// A member that must be a whole number.
    package func integer(_ name: String) throws(RecordFault) -> Int64 {
        guard let value = json[name]?.integer else { throw RecordFault(kind: kind, member: name) }
        return value
    }

    /// Nil when the member is absent or null.
    package func optionalInteger(_ name: String) throws(RecordFault) -> Int64? {
        present(name) == nil ? nil : try integer(name)
    }

    /// False when the member is absent.
    package func bool(_ name: String) throws(RecordFault) -> Bool {
        guard let value = json[name] else { return false }
        guard let flag = value.bool else { throw RecordFault(kind: kind, member: name) }
        return flag
    }

    /// A member that must be a time.
    package func instant(_ name: String) throws(RecordFault) -> Instant {
        Instant(milliseconds: try integer(name))
    }

    /// A time, or nil for a member that is missing or null.
    package func optionalInstant(_ name: String) throws(RecordFault) -> Instant? {
        try optionalInteger(name).map(Instant.init(milliseconds:))
    }

    /// A value that is stored by its raw value.
    package func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type) throws(RecordFault) -> Word {
        guard let value = json[name]?.string.flatMap(Word.init(rawValue:)) else {
            throw RecordFault(kind: kind, member: name)
        }
        return value
    }

    /// One of a type's words, or nil for a member that is missing or null.
    package func optionalWord<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type
    ) throws(RecordFault) -> Word? {
        present(name) == nil ? nil : try word(name, type)
    }

    /// Empty when the member is absent.
    package func strings(_ name: String) throws(RecordFault) -> [String] {
        let items = try array(name)
        let texts = items.compactMap(\.string)
        guard texts.count == items.count else { throw RecordFault(kind: kind, member: name) }
        return texts
    }

    /// Values that are stored by their raw values; empty when the member is absent.
    package func words<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type
    ) throws(RecordFault) -> [Word] {
        let texts = try strings(name)
        let words = texts.compactMap(Word.init(rawValue:))
        guard words.count == texts.count else { throw RecordFault(kind: kind, member: name) }
        return words
    }

    /// Empty when the member is absent.
    package func array(_ name: String) throws(RecordFault) -> [JSON] {
        guard let value = json[name] else { return [] }
        guard let items = value.array else { throw RecordFault(kind: kind, member: name) }
        return items
    }

    /// Nil when the member is absent.
    package func optionalObject(_ name: String) throws(RecordFault) -> JSONObject? {
        guard let value = json[name] else { return nil }
        guard let object = value.object else { throw RecordFault(kind: kind, member: name) }
        return object
    }

    /// A member as it is; nil when it is missing.
    package func value(_ name: String) -> JSON? { json[name] }

    private func present(_ name: String) -> JSON? {
        guard let value = json[name], !value.isNull else { return nil }
        return value
    }

    /// Bytes that are stored as base64.
    package func bytes(_ name: String) throws(RecordFault) -> [UInt8] {
        guard let text = json[name]?.string, let bytes = try? Base64.decode(text) else {
            throw RecordFault(kind: kind, member: name)
        }
        return bytes
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
