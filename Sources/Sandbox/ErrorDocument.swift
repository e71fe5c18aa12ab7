import Networks
import Wire

/// `Docs/errors.md`: every diagnosis code with cause and cure, made from the catalogue.
package enum ErrorDocument {
    /// The whole file.
    package static var text: String {
        ([introduction] + DiagnosisCatalogue.sections.map(section)).joined(separator: "\n") + "\n"
    }

    private static let introduction = """
        # Diagnosis codes

        Every refusal carries `X-Sandbox-Diagnosis`: the codes of all that is wrong, the one that chose the answer
        first. Codes are stable; texts may change. Evidence (what was seen) and hints are in the journal:
        `GET /v1/journal/{requestId}` on the control port, the id from the header `x-request-id`. `X-Sandbox-Retryable` says
        whether the same request may succeed later: `true` for what is `unavailable` and for statuses 408, 429, 502, 503 and
        504, else `false`.

        The second column says what kind of mistake it is; each face words a kind in its own way (status, number,
        body). A `warning` refuses nothing and stands in the journal only.

        This file is generated from the code. A test compares the two; `UPDATE_GOLDENS=1 scripts/test` writes it anew.

        """

    private static func section(_ section: DiagnosisSection) -> String {
        let rows = section.codes.map { code in
            "| `\(code.name)` | \(code.kind.rawValue) | \(cell(code.cause)) | \(cell(code.cure)) |"
        }
        let head = ["## \(section.title)", "", "| Code | Kind | Cause | Cure |", "|---|---|---|---|"]
        return (head + rows).joined(separator: "\n") + "\n"
    }

    /// Text that keeps a table's row on one line and in its cells.
    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
            .replacing("<", with: "&lt;").replacing("{", with: "\\{")
    }
}
