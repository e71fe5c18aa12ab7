import Masking
import Wire

/// Reads one object of a fault rule. Every member must be known, because a misspelt condition would match too much.
struct RuleFields: MemberReader {
    let cursor: JSONCursor

    init(_ cursor: JSONCursor) { self.cursor = cursor }

    static func notObject(_ value: JSON, at pointer: String) -> FaultRuleFault {
        FaultRuleFault(.value, pointer, "an object is wanted, this is \(value.typeName)")
    }

    func missing(_ name: String) -> FaultRuleFault { fault(.memberMissing, name, "\(name) is missing") }

    func invalid(_ name: String, _ wanted: String) -> FaultRuleFault { fault(.value, name, wanted) }

    /// - Parameter wanted: what would be right for the object as a whole.
    func invalid(_ wanted: String) -> FaultRuleFault { FaultRuleFault(.value, cursor.pointer, wanted) }

    func fault(_ reason: FaultCode, _ name: String, _ detail: String) -> FaultRuleFault {
        FaultRuleFault(reason, cursor.pointer(to: name), detail)
    }

    /// The same object, which has no members but these.
    func knowing(_ known: [String]) throws(FaultRuleFault) -> RuleFields {
        guard let name = cursor.names(besides: known).first else { return self }
        let shown = JSONPointer.escape(Masking.excerpt(name, 64))
        throw fault(.memberUnknown, shown, "known are \(known.joined(separator: ", "))")
    }

    /// An object inside that must be there.
    func inner(_ name: String, knowing known: String...) throws(FaultRuleFault) -> RuleFields {
        try required(name, fields(name)).knowing(known)
    }

    func text(_ name: String) throws(FaultRuleFault) -> String? {
        try read(name, "a text is wanted") { value in value.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// A number with or without a fraction.
    func number(_ name: String) throws(FaultRuleFault) -> Double? {
        try read(name, "a number is wanted") { value in
            guard case .number(let text) = value, let number = Double(text), number.isFinite else { return nil }
            return number
        }
    }

    /// Header fields by name.
    ///
    /// - Parameter value: takes what stands for a name, with the name as a pointer has it; throws for what cannot.
    func headers<Value>(
        _ name: String,
        _ convert: (_ name: String, _ value: JSON, _ step: String) throws(FaultRuleFault) -> Value
    ) throws(FaultRuleFault) -> [Value] {
        var headers: [Value] = []
        for member in try read(name, "an object of texts", \.object)?.members ?? [] {
            let step = "\(name)/\(JSONPointer.escape(Masking.excerpt(member.key, 64)))"
            headers.append(try convert(member.key, member.value, step))
        }
        return headers
    }
}
