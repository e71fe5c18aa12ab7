package import Wire

/// What is said of fault rules, and of requests that a fault touched.
package enum FaultCode: String, DiagnosisSubject {
    case memberUnknown = "FAULT_RULE_MEMBER_UNKNOWN"
    case memberMissing = "FAULT_RULE_MEMBER_MISSING"
    case value = "FAULT_RULE_VALUE"
    case neverMatches = "FAULT_RULE_NEVER_MATCHES"
    case exists = "FAULT_RULE_EXISTS"
    case notFound = "FAULT_RULE_NOT_FOUND"
    case limit = "FAULT_RULE_LIMIT"
    case header = "FAULT_HEADER_INVALID"
    case headerOff = "FAULT_HEADER_OFF"
    case injected = "FAULT_INJECTED"
    case unavailable = "FAULT_UNAVAILABLE"
    case notApplied = "FAULT_NOT_APPLIED"
}

extension FaultCode {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .memberUnknown:
            (.malformed, "A fault rule has a member that none has.", "See the pointer and Docs/faults.md.")
        case .memberMissing: (.missing, "A fault rule lacks a member.", "See the pointer and Docs/faults.md.")
        case .value:
            (.malformed, "A member of a fault rule has an impossible value.", "See the pointer and the detail.")
        case .neverMatches:
            (
                .malformed, "The fault rule could never take effect.",
                "See the pointer and the detail; GET /v1/scenarios lists operations and errors."
            )
        case .exists: (.conflict, "A fault rule has this id.", "Remove it first, or leave the id out.")
        case .notFound: (.notFound, "There is no such fault rule.", "List them: GET /v1/faults.")
        case .limit:
            (
                .conflict, "The tenant would have more than 1,000 fault rules, or 4 MiB of them.",
                "Remove some: DELETE /v1/faults."
            )
        case .header:
            (
                .malformed, "X-Sandbox-Fault is not a fault.",
                "Send one of delay=500, status=503, connection=reset, networkError=NAME, decision=yellow, or a rule's id."
            )
        case .headerOff:
            (
                .malformed, "This server was started with --request-faults off and obeys no X-Sandbox-Fault.",
                "Leave the header out, or make a fault rule through the control API."
            )
        case .injected: (.warning, "A fault rule changed this answer.", "The entry's member fault names the rule.")
        case .unavailable:
            (.unavailable, "A fault rule made the network unavailable.", "The entry's member fault names the rule.")
        case .notApplied:
            (
                .warning, "A fault rule matched, and there was nothing it could change; it was not counted.",
                "See the evidence."
            )
        }
    }
}

/// Why a document is not a fault rule.
package struct FaultRuleFault: Error, Sendable, Equatable {
    package let reason: FaultCode
    /// JSON pointer to the member.
    package let pointer: String
    /// What would be right.
    package let detail: String

    package init(_ reason: FaultCode, _ pointer: String, _ detail: String) {
        self.reason = reason
        self.pointer = pointer
        self.detail = detail
    }
}
