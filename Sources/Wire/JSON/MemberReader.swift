/// Reads the members of an object and throws at the first mistake, in the words of one kind of document. A member that is
/// null counts as absent.
package protocol MemberReader: Sendable {
    /// What is thrown for a mistake.
    associatedtype Fault: Error

    /// Reads the object that the cursor stands on.
    init(_ cursor: JSONCursor)

    /// The object that is read.
    var cursor: JSONCursor { get }

    /// Where an object is wanted stands something else.
    static func notObject(_ value: JSON, at pointer: String) -> Fault

    /// A member that must be there is not.
    func missing(_ name: String) -> Fault

    /// A member is not what it should be.
    ///
    /// - Parameter wanted: what would be right.
    func invalid(_ name: String, _ wanted: String) -> Fault
}

extension MemberReader {
    /// Reads a value that must be an object.
    package init(_ value: JSON, at pointer: String = "", log: MemberLog? = nil) throws(Fault) {
        guard case .object(let object) = value else { throw Self.notObject(value, at: pointer) }
        self.init(JSONCursor(object, at: pointer, log: log))
    }

    /// See ``JSONCursor/expect(_:)``.
    package func expect(_ names: String...) { cursor.expect(names) }

    /// A member as it is; nil when it is absent or null.
    package func value(_ name: String) -> JSON? { cursor.value(name) }

    /// Whether the member is there and is not null.
    package func has(_ name: String) -> Bool { value(name) != nil }

    /// A member as another type.
    ///
    /// - Parameters:
    ///   - wanted: what would be right.
    ///   - convert: gives nil for what is wrong.
    package func read<Value>(
        _ name: String,
        _ wanted: @autoclosure () -> String,
        _ convert: (JSON) -> Value?
    ) throws(Fault) -> Value? {
        guard let value = value(name) else { return nil }
        guard let found = convert(value) else { throw invalid(name, wanted()) }
        return found
    }

    /// What must be there.
    package func required<Value>(_ name: String, _ value: Value?) throws(Fault) -> Value {
        guard let value else { throw missing(name) }
        return value
    }

    /// A text of at least one character.
    package func optionalString(_ name: String) throws(Fault) -> String? {
        try read(name, "a text of at least one character") { value in value.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// A text as another type; see ``read(_:_:_:)``.
    package func optionalString<Value>(
        _ name: String,
        _ wanted: @autoclosure () -> String,
        _ convert: (String) -> Value?
    ) throws(Fault) -> Value? {
        guard let text = try optionalString(name) else { return nil }
        guard let found = convert(text) else { throw invalid(name, wanted()) }
        return found
    }

    /// A text of at least one character that must be there.
    package func string(_ name: String) throws(Fault) -> String { try required(name, optionalString(name)) }

    /// True or false; `fallback` when the member is absent.
    package func bool(_ name: String, default fallback: Bool) throws(Fault) -> Bool {
        try read(name, "true or false") { $0.bool } ?? fallback
    }

    /// A number without a fraction, however it is written.
    package func integer(_ name: String, in range: ClosedRange<Int64>) throws(Fault) -> Int64? {
        try read(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            value.wholeNumber.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// One of the words of an enum.
    package func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(Fault) -> Word? {
        try read(name, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))") { value in
            value.string.flatMap(Word.init(rawValue:))
        }
    }

    /// One of the words of an enum; it must be there.
    package func requiredWord<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(Fault) -> Word {
        try required(name, word(name, type))
    }

    /// Empty when the member is absent.
    package func array(_ name: String) throws(Fault) -> [JSON] { try read(name, "a list") { $0.array } ?? [] }

    /// Empty when the member is absent.
    package func strings(_ name: String) throws(Fault) -> [String] {
        var texts: [String] = []
        for (index, item) in try array(name).enumerated() {
            guard let text = item.string else { throw invalid("\(name)/\(index)", "a text") }
            texts.append(text)
        }
        return texts
    }

    /// An object inside.
    package func fields(_ name: String) throws(Fault) -> Self? {
        guard let value = value(name) else { return nil }
        return try part(value, JSONPointer.escape(name))
    }

    /// An object further inside.
    ///
    /// - Parameter step: from here, as in a pointer but for the first slash.
    package func part(_ value: JSON, _ step: String) throws(Fault) -> Self {
        guard let inside = cursor.inside(value, step) else {
            throw Self.notObject(value, at: cursor.pointer(to: step))
        }
        return Self(inside)
    }

    /// The objects of a list; empty when the member is absent.
    package func list(_ name: String) throws(Fault) -> [Self] {
        var list: [Self] = []
        for (index, item) in try array(name).enumerated() {
            list.append(try part(item, "\(JSONPointer.escape(name))/\(index)"))
        }
        return list
    }
}
