import Masking
package import Wire

/// Why a query is not a journal filter.
package struct JournalFilterFault: Error, Equatable, Sendable {
    package enum Reason: String, DiagnosisSubject {
        case unknown = "JOURNAL_FILTER_UNKNOWN"
        case repeated = "JOURNAL_FILTER_REPEATED"
        case number = "JOURNAL_FILTER_NUMBER"
        case time = "JOURNAL_FILTER_TIME"
        case word = "JOURNAL_FILTER_VALUE"
        case seconds = "JOURNAL_WAIT_TIMEOUT"
    }

    package let reason: Reason
    /// The parameter's name, masked.
    package let parameter: String
    /// What would be right, when there is more to say than the reason.
    package let detail: String?

    package init(reason: Reason, parameter: String, detail: String? = nil) {
        self.reason = reason
        self.parameter = Masking.text(parameter)
        self.detail = detail
    }

    /// One sentence that names the parameter. The value is not repeated: it may be anything.
    package var message: String {
        switch reason {
        case .unknown:
            "The parameter `\(parameter)` does not exist; there are \(detail ?? "others")."
        case .repeated: "The parameter `\(parameter)` is given more than once."
        case .number, .time, .seconds, .word: "The parameter `\(parameter)` must be \(detail ?? "of another form")."
        }
    }
}

extension JournalFilterFault.Reason {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .unknown:
            (
                .malformed, "The journal has no filter of this name.",
                "Filter by face, operation, status, tokenId, diagnosis, since, direction, requestId and limit."
            )
        case .word:
            (.malformed, "A filter's value can never match.", "See the detail for those that can.")
        case .repeated: (.malformed, "A filter is given more than once.", "Give each filter once.")
        case .number: (.malformed, "A filter needs a whole number.", "Look at the range in the detail.")
        case .seconds:
            (.malformed, "A long poll's timeout is not a number of seconds from 0 to 60.", "Write it as 30 or 1.5.")
        case .time: (.malformed, "A filter needs a time.", "Write RFC 3339, with the plus sign as %2B, now, or 0.")
        }
    }
}
