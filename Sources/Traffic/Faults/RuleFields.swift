import Masking
import Wire

/// Reads one object of a fault rule. Every member must be known, because a misspelt condition would match too much.
struct RuleFields {
    let object: JSONObject
    let pointer: String

    /// - Parameter known: the members that the object may have.
    init(_ json: JSON, _ pointer: String, known: [String]) throws(FaultRuleFault) {
        guard case .object(let object) = json else {
            throw FaultRuleFault(.value, pointer, "an object is wanted, this is \(json.typeName)")
        }
        self.object = object
        self.pointer = pointer
        for key in object.keys where !known.contains(key) {
            throw FaultRuleFault(
                .memberUnknown,
                pointer + "/" + JSONPointer.escape(Masking.excerpt(key, 64)),
                "known are \(known.joined(separator: ", "))"
            )
        }
    }

    /// Nil for a member that is absent, and for null. Not by `flatMap`: there `nil` would be the JSON null.
    func value(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func at(_ name: String) -> String { pointer + "/" + name }

    func required(_ name: String) throws(FaultRuleFault) -> JSON {
        guard let value = value(name) else { throw FaultRuleFault(.memberMissing, at(name), "\(name) is missing") }
        return value
    }

    func fault(_ name: String, _ wanted: String) -> FaultRuleFault { FaultRuleFault(.value, at(name), wanted) }

    func text(_ name: String) throws(FaultRuleFault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, !text.isEmpty else { throw fault(name, "a text is wanted") }
        return text
    }

    func integer(_ name: String, _ range: ClosedRange<Int64>) throws(FaultRuleFault) -> Int64? {
        guard let value = value(name) else { return nil }
        return try Self.integer(value, range, at(name))
    }

    static func integer(_ value: JSON, _ range: ClosedRange<Int64>, _ pointer: String) throws(FaultRuleFault) -> Int64 {
        guard let number = value.wholeNumber, range.contains(number) else {
            throw FaultRuleFault(.value, pointer, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number with or without a fraction.
    func number(_ name: String) throws(FaultRuleFault) -> Double? {
        guard let value = value(name) else { return nil }
        guard case .number(let text) = value, let number = Double(text), number.isFinite else {
            throw fault(name, "a number is wanted")
        }
        return number
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(FaultRuleFault) -> Word? {
        guard let value = value(name) else { return nil }
        guard let word = value.string.flatMap(Word.init(rawValue:)) else {
            throw fault(name, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }
}
