package import Wire

/// A member that requests of a face have. Each face lists its own in an enum, whose raw values are the names on the wire.
package protocol RequestField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// What the member holds.
    var form: FieldForm { get }
    /// What it means, in one sentence; nil where the face's document is written by hand.
    var meaning: String? { get }
    /// Whether mistakes have codes with the member's name, as those of the first faces have. Others share ``FieldFault``, and
    /// the place of the check says which member is meant.
    static var hasOwnCodes: Bool { get }
}

extension RequestField {
    /// A text, if the face does not say something else.
    package var form: FieldForm { .text() }
    /// None.
    package var meaning: String? { nil }
    /// Shared codes.
    package static var hasOwnCodes: Bool { false }

    /// Where it stands in a body that has it at the top.
    package var place: Check.Place { .member(rawValue) }

    /// For example `ENCRYPTED_PAYLOAD_MISSING`, or `FIELD_MISSING`.
    package func code(_ fault: FieldFault) -> DiagnosisCode {
        Self.hasOwnCodes ? fault.code(of: rawValue) : fault.code
    }

    /// The codes that only these members have.
    package static var codes: [DiagnosisCode] {
        hasOwnCodes ? allCases.flatMap { field in FieldFault.allCases.map { field.code($0) } } : []
    }
}

/// What can be wrong with any member of a request.
package enum FieldFault: String, DiagnosisSubject {
    case missing = "FIELD_MISSING"
    case empty = "FIELD_EMPTY"
    case wrongType = "FIELD_WRONG_TYPE"
    case malformed = "FIELD_MALFORMED"
}

extension FieldFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .missing: (.missing, "A member of the body is missing.", "See the pointer.")
        case .empty: (.missing, "A member of the body is an empty text.", "See the pointer.")
        case .wrongType:
            (.malformed, "A member of the body has another JSON type than documented.", "See the pointer and the type.")
        case .malformed: (.malformed, "A member of the body cannot be read.", "See the pointer and what was expected.")
        }
    }

    /// The fault of one member in the faces that were shipped first, each with a code of its own.
    fileprivate func code(of name: String) -> DiagnosisCode {
        let text: (cause: String, cure: String) =
            switch self {
            case .missing: ("The request has no \(name).", "Add the member \(name).")
            case .empty: ("\(name) is an empty text.", "Give \(name) a value.")
            case .wrongType:
                ("\(name) has another JSON type than documented.", "See the evidence for the type that was found.")
            case .malformed: ("\(name) cannot be read.", "See the evidence for what was expected.")
            }
        return DiagnosisCode(
            name: rawValue.replacing("FIELD", with: FieldFault.upperSnake(name)),
            kind: meaning.kind,
            cause: text.cause,
            cure: text.cure
        )
    }

    /// `appGroupID` is `APP_GROUP_ID`: a run of capitals is one word.
    private static func upperSnake(_ name: String) -> String {
        var text = ""
        var wasCapital = false
        for character in name {
            if character.isUppercase, !wasCapital { text.append("_") }
            wasCapital = character.isUppercase
            text.append(contentsOf: character.uppercased())
        }
        return text
    }
}
