import Web

/// How large a request's body is, or will be.
enum BodySize {
    /// What the head announces, or what has arrived when that is more.
    static func announced(_ request: HTTPRequest) -> Int {
        max(request.body.count, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }
}
