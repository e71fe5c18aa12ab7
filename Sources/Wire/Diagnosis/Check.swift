import Masking

/// One rule that was looked at, and what came of it.
///
/// Evidence and hints never hold a PAN, a security code, a key or a one-time code; the journal masks them once more.
package struct Check: Sendable, Equatable {
    /// The rule, as `subject.rule`, for example `authorizationCode.signature`.
    package let name: String
    /// False only when the rule refuses the request. A warning passes and has a code.
    package let passed: Bool
    package let code: DiagnosisCode?
    /// What was seen, for example the time of the server and the time in the token.
    package let evidence: String?
    /// What to do about it; the code's cure when nothing more exact is known.
    package let hint: String?

    /// Longest evidence that is kept.
    private static let evidenceLimit = 400

    private init(name: String, passed: Bool, code: DiagnosisCode?, evidence: String?, hint: String?) {
        self.name = name
        self.passed = passed
        self.code = code
        self.evidence = evidence.map { text in
            text.utf8.count > Check.evidenceLimit ? Masking.excerpt(text, Check.evidenceLimit) + " …" : text
        }
        self.hint = hint
    }

    package static func passed(_ name: String, evidence: String? = nil) -> Check {
        Check(name: name, passed: true, code: nil, evidence: evidence, hint: nil)
    }

    package static func failed(
        _ name: String,
        _ code: DiagnosisCode,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        Check(name: name, passed: false, code: code, evidence: evidence, hint: hint ?? code.cure)
    }

    package static func failed(
        _ name: String,
        _ fault: some DiagnosisSubject,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        failed(name, fault.code, evidence: evidence, hint: hint)
    }

    /// The same finding, told without refusing: a policy lets the request go on.
    package var asRemark: Check { Check(name: name, passed: true, code: code, evidence: evidence, hint: hint) }

    package static func warning(
        _ name: String,
        _ fault: some DiagnosisSubject,
        evidence: String? = nil,
        hint: String? = nil
    ) -> Check {
        let code = fault.code
        return Check(name: name, passed: true, code: code, evidence: evidence, hint: hint ?? code.cure)
    }
}
