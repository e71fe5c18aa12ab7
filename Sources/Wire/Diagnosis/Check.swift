import Masking

/// One rule that was looked at, and what came of it.
///
/// Evidence and hints never hold a PAN, a security code, a key or a one-time code; the journal masks them once more.
package struct Check: Sendable, Equatable {
    /// The rule, as `subject.rule`, for example `authorizationCode.signature`. It is for people and is never taken apart.
    package let name: String
    /// False only when the rule refuses the request. A warning passes and has a code.
    package let passed: Bool
    package let code: DiagnosisCode?
    /// Where in the request the rule looked; nil when it is about no single place of it.
    package private(set) var place: Place?
    /// What was seen, for example the time of the server and the time in the token.
    package let evidence: String?
    /// What to do about it; the code's cure when nothing more exact is known.
    package let hint: String?

    /// Longest evidence that is kept.
    private static let evidenceLimit = 400

    private init(name: String, passed: Bool, code: DiagnosisCode?, place: Place?, evidence: String?, hint: String?) {
        self.name = name
        self.passed = passed
        self.code = code
        self.place = place
        self.evidence = evidence.map { text in
            text.utf8.count > Check.evidenceLimit ? Masking.excerpt(text, Check.evidenceLimit) + " …" : text
        }
        self.hint = hint
    }

    package static func passed(_ name: String, evidence: String? = nil) -> Check {
        Check(name: name, passed: true, code: nil, place: nil, evidence: evidence, hint: nil)
    }

    package static func failed(
        _ name: String,
        _ fault: some Diagnosed,
        at place: Place? = nil,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        let code = fault.code
        return Check(name: name, passed: false, code: code, place: place, evidence: evidence, hint: hint ?? code.cure)
    }

    package static func warning(
        _ name: String,
        _ fault: some Diagnosed,
        at place: Place? = nil,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        let code = fault.code
        return Check(name: name, passed: true, code: code, place: place, evidence: evidence, hint: hint ?? code.cure)
    }

    /// A refusal that is named after the place alone, for example `query.last4`.
    package static func failed(
        _ place: Place,
        _ fault: some Diagnosed,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        failed(place.name, fault, at: place, evidence: evidence, hint: hint)
    }

    /// The same finding, told without refusing: a policy lets the request go on.
    package var asRemark: Check {
        Check(name: name, passed: true, code: code, place: place, evidence: evidence, hint: hint)
    }

    /// The same finding at `place`, unless it has a place already: who calls a verifier knows where its input stood.
    package func at(_ place: Place) -> Check {
        var check = self
        check.place = check.place ?? place
        return check
    }
}

extension Sequence<Check> {
    /// Each at `place`, but for those that have a place already.
    package func at(_ place: Check.Place) -> [Check] { map { $0.at(place) } }
}
