/// What a check can be made with: a code, or a case of a subject's enum.
package protocol Diagnosed {
    var code: DiagnosisCode { get }
}

/// The stable name of one mistake, with its cause and cure as `Docs/errors.md` prints them.
package struct DiagnosisCode: Sendable {
    /// The name that goes on the wire, for example `JWT_EXPIRED`.
    package let name: String
    package let kind: RefusalKind
    /// What is wrong, in one sentence.
    package let cause: String
    /// What the caller does about it, in one sentence.
    package let cure: String
    /// The case that it was made of, so that nobody looks for it by its name; nil for a code that is in no enum.
    package let subject: (any DiagnosisSubject)?

    package init(
        name: String,
        kind: RefusalKind,
        cause: String,
        cure: String,
        subject: (any DiagnosisSubject)? = nil
    ) {
        self.name = name
        self.kind = kind
        self.cause = cause
        self.cure = cure
        self.subject = subject
    }
}

extension DiagnosisCode: Diagnosed {
    package var code: DiagnosisCode { self }
}

extension DiagnosisCode: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One subject's codes: an enum whose raw values are the names, so that the list is complete by construction.
package protocol DiagnosisSubject: Diagnosed, RawRepresentable<String>, CaseIterable, Hashable,
    Sendable
{
    /// Kind, cause and cure of each case.
    var meaning: (kind: RefusalKind, cause: String, cure: String) { get }
}

extension DiagnosisSubject {
    package var code: DiagnosisCode {
        let meaning = meaning
        return DiagnosisCode(
            name: rawValue,
            kind: meaning.kind,
            cause: meaning.cause,
            cure: meaning.cure,
            subject: self
        )
    }

    /// Every code of the subject, in the order of the enum.
    package static var codes: [DiagnosisCode] { allCases.map(\.code) }
}
