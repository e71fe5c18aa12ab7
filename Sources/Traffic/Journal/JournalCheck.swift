import Masking
package import Wire

/// One check as the journal and `explain` show it: masked, and with the code's name only.
package struct JournalCheck: Sendable, Equatable {
    package var name: String
    package var passed: Bool
    package var code: String?
    package var evidence: String?
    package var hint: String?

    package init(masking check: Check) {
        name = Masking.text(check.name)
        passed = check.passed
        code = check.code?.name
        evidence = check.evidence.map(Masking.text)
        hint = check.hint.map(Masking.text)
    }

    /// `name`, `passed`, and `code`, `evidence` and `hint` where known.
    package var json: JSON {
        var members: [(String, JSON)] = [("name", .string(name)), ("passed", .bool(passed))]
        if let code { members.append(("code", .string(code))) }
        if let evidence { members.append(("evidence", .string(evidence))) }
        if let hint { members.append(("hint", .string(hint))) }
        return .object(JSONObject(members))
    }
}
