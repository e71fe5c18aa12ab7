package import Wire

/// Reads the members of a stored document, naming the one that is missing or wrong.
package struct DocumentReader {
    private let kind: String
    private let json: JSON

    package init(_ kind: String, _ json: JSON) {
        self.kind = kind
        self.json = json
    }

    package func string(_ name: String) throws(RecordFault) -> String {
        guard let value = json[name]?.string else { throw RecordFault(kind: kind, member: name) }
        return value
    }

    package func optionalString(_ name: String) -> String? { json[name]?.string }

    package func integer(_ name: String) throws(RecordFault) -> Int64 {
        guard let value = json[name]?.integer else { throw RecordFault(kind: kind, member: name) }
        return value
    }

    package func bool(_ name: String) -> Bool { json[name]?.bool ?? false }

    package func instant(_ name: String) throws(RecordFault) -> Instant {
        Instant(milliseconds: try integer(name))
    }

    package func optionalInstant(_ name: String) -> Instant? {
        json[name]?.integer.map(Instant.init(milliseconds:))
    }

    /// A value that is stored by its raw value.
    package func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type) throws(RecordFault) -> Word {
        guard let value = json[name]?.string.flatMap(Word.init(rawValue:)) else {
            throw RecordFault(kind: kind, member: name)
        }
        return value
    }

    package func strings(_ name: String) -> [String] { json[name]?.array?.compactMap(\.string) ?? [] }

    package func array(_ name: String) -> [JSON] { json[name]?.array ?? [] }

    package func value(_ name: String) -> JSON? { json[name] }

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
    package static func optional(_ instant: Instant?) -> JSON { instant.map(JSON.instant) ?? .null }
    package static func base64(_ bytes: [UInt8]) -> JSON { .string(Base64.encode(bytes)) }
}
