/// What sort of mistake a refusal is about. Each face maps every kind onto its own wire answer, exhaustively.
package enum RefusalKind: String, Sendable, CaseIterable {
    /// Not a refusal: the request goes on, the journal carries the remark.
    case warning
    /// The issuer named by the path or owning the card does not exist.
    case unknownIssuer
    /// A field the operation needs is absent.
    case missing
    /// A field is there and cannot be read: wrong type, wrong alphabet, wrong form.
    case malformed
    /// A signed credential can be read and is not accepted.
    case unauthenticated
    /// An encrypted payload does not open.
    case undecryptable
    /// A certificate chain does not lead to the anchor it must lead to.
    case untrusted
    /// The decrypted text lacks a member.
    case contentMissing
    /// The decrypted text, or a member of it, has the wrong form.
    case contentMalformed
    /// The data can be read and cannot be true: an impossible number, an expiry in the past, a conflict.
    case invalidData
    /// No such token for this issuer and network.
    case unknownToken
    /// The life cycle does not allow the step from the state the thing is in.
    case transition
    /// No such object, other than a token.
    case notFound
    /// The object exists, or was used, and the request contradicts that.
    case conflict
    /// The object existed and its time is over.
    case expired
    /// The application or credential has no right to ask.
    case notEntitled
    /// The cardholder said no.
    case userCancelled
    /// The network or the issuer decided against it.
    case declined
    /// Activation data or an activation code was checked and is wrong.
    case activation
    /// The card is not digitized (TPC 116).
    case notDigitized
    /// The method does not exist on this path.
    case methodNotAllowed
    /// The method exists nowhere.
    case notImplemented
    /// The content type or coding is not accepted.
    case unsupportedMedia
    /// A size limit was passed.
    case tooLarge
    /// The server cannot answer now and a later try may succeed.
    case unavailable
    /// The sandbox itself failed.
    case internalFault
}
