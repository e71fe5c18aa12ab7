/// Why bytes are not the BER or DER that was looked for, and where.
package struct BERFault: Error, Equatable, Sendable {
    /// What is wrong; the reader's caller turns it into a diagnosis of its own subject.
    package enum Reason: String, Sendable {
        /// The bytes end inside an element.
        case truncated
        /// More bytes than the reader looks at.
        case tooLarge
        /// More levels of nesting than the reader follows.
        case tooDeep
        /// Something follows where the structure ends.
        case trailingBytes
        /// The structure ends, or an element is of another kind, where a certain one is needed.
        case unexpectedElement
        /// A length that reaches beyond the element around it.
        case lengthBeyondParent
        /// A length of a form that X.690 reserves, or too long to be true.
        case lengthForm
        /// A length that is not the shortest one, where DER is required.
        case lengthNotMinimal
        /// An indefinite length where DER is required, or on a primitive element.
        case indefiniteLength
        /// A tag number that is not the shortest one or is beyond 2^28.
        case tagForm
        /// The content does not fit the type: an empty INTEGER, a BOOLEAN of two bytes, a date that does not exist.
        case contentForm
    }

    /// What is wrong.
    package let reason: Reason
    /// Byte offset from the start of the outermost bytes.
    package let offset: Int
    /// The kind of element that was looked for, when there was one.
    package let expected: BERTag?

    /// A reason and its place.
    package init(_ reason: Reason, at offset: Int, expected: BERTag? = nil) {
        self.reason = reason
        self.offset = offset
        self.expected = expected
    }
}

extension BERFault: CustomStringConvertible {
    /// Reason and place in words.
    package var description: String {
        let wanted = expected.map { ", \($0) expected" } ?? ""
        return "\(reason.rawValue) at byte \(offset)\(wanted)"
    }
}
