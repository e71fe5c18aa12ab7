internal import Web

/// What is wrong with the bytes of a request.
struct RequestFault: Error, Equatable, Sendable {
    let reason: BrokenRequest.Reason
    /// Words that are safe to print: never bytes of the request.
    let detail: String

    /// A fault with its words.
    init(_ reason: BrokenRequest.Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
