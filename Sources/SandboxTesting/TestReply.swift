package import Web
package import Wire

/// What the sandbox answered.
public struct TestReply: Sendable {
    package let response: HTTPResponse

    package init(_ response: HTTPResponse) { self.response = response }

    /// The HTTP status.
    public var status: Int { response.status }

    /// The body as text.
    public var text: String { String(decoding: response.body, as: UTF8.self) }

    /// The first value of a header.
    public func header(_ name: String) -> String? { response.headers[HTTPHeaderName(name)] }

    /// The codes of `X-Sandbox-Diagnosis`, the one that chose the answer first.
    public var diagnosis: [String] {
        header("x-sandbox-diagnosis")?.split(separator: ",").map(String.init) ?? []
    }

    /// The body as JSON; `null` when it is not JSON.
    package var json: JSON { (try? JSON.parse(response.body)) ?? .null }

    package subscript(key: String) -> JSON { json[key] ?? .null }
}
