import Masking

/// Why a text is not JSON that this server reads (RFC 8259, and the stricter rules of I-JSON, RFC 7493).
package struct JSONFault: Error, Equatable, Sendable {
    package enum Reason: String, DiagnosisSubject {
        case empty = "JSON_EMPTY"
        case syntax = "JSON_SYNTAX"
        case duplicateKey = "JSON_DUPLICATE_KEY"
        case trailingComma = "JSON_TRAILING_COMMA"
        case trailingBytes = "JSON_TRAILING_BYTES"
        case byteOrderMark = "JSON_BYTE_ORDER_MARK"
        case invalidUTF8 = "JSON_INVALID_UTF8"
        case loneSurrogate = "JSON_LONE_SURROGATE"
        case invalidEscape = "JSON_INVALID_ESCAPE"
        case controlCharacter = "JSON_CONTROL_CHARACTER"
        case numberFormat = "JSON_NUMBER_FORMAT"
        case numberRange = "JSON_NUMBER_RANGE"
        case depth = "JSON_TOO_DEEP"
        case truncated = "JSON_TRUNCATED"
    }

    package let reason: Reason
    /// Byte offset from the start of the text.
    package let offset: Int
    /// JSON pointer (RFC 6901) of the place, empty for the document itself.
    package let pointer: String

    package init(reason: Reason, offset: Int, pointer: String) {
        self.reason = reason
        self.offset = offset
        self.pointer = pointer
    }
}

extension JSONFault {
    /// Where it is, for evidence: `byte 7` or `byte 7, /a`.
    package var place: String {
        pointer.isEmpty ? "byte \(offset)" : "byte \(offset), \(Masking.excerpt(pointer, 80))"
    }

    /// Whether a number at `pointer` is too long: so fails a card number of 17 digits or more that is not a string.
    package func isLongNumber(at pointer: String) -> Bool { reason == .numberRange && self.pointer == pointer }
}

extension JSONFault.Reason {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .empty: (.malformed, "The body is empty where a JSON document is needed.", "Send the JSON document.")
        case .syntax: (.malformed, "The text is not JSON.", "Look at the byte offset in the evidence.")
        case .duplicateKey: (.malformed, "An object has a member twice.", "Send each member once.")
        case .trailingComma: (.malformed, "A comma stands before a closing bracket.", "Remove the comma.")
        case .trailingBytes: (.malformed, "Something follows the JSON document.", "Send one document and nothing else.")
        case .byteOrderMark:
            (.malformed, "The text begins with a byte order mark.", "Write UTF-8 without a byte order mark.")
        case .invalidUTF8: (.malformed, "The text is not UTF-8.", "Encode the body as UTF-8.")
        case .loneSurrogate: (.malformed, "An escape names half of a surrogate pair.", "Escape both halves or neither.")
        case .invalidEscape:
            (.malformed, "A backslash escape does not exist.", "Use the escapes of RFC 8259, section 7.")
        case .controlCharacter: (.malformed, "A string holds a raw control character.", "Escape control characters.")
        case .numberFormat:
            (.malformed, "A number is not written as JSON writes numbers.", "No leading zeros, no plus sign.")
        case .numberRange:
            (
                .malformed, "A number is beyond 2^53 and would lose digits.",
                "Send long numbers, a PAN above all, as strings."
            )
        case .depth: (.malformed, "The document is nested too deeply.", "Stay within 64 levels.")
        case .truncated:
            (.malformed, "The document ends in the middle.", "Compare Content-Length with the document's length.")
        }
    }
}
