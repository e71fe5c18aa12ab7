import Sandbox
import SandboxTesting
import Testing
import Wire

/// What HTTP itself wants of the control API's refusals (RFC 9110, RFC 6750).
struct ControlHTTPTests {
    struct Method: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let allow: String?
        var testDescription: String { "\(method) \(path)" }
    }

    @Test(arguments: [
        Method(method: "TRACE", path: "/v1/tokens", allow: "GET, POST, HEAD, OPTIONS"),
        Method(method: "DELETE", path: "/v1/tokens", allow: "GET, POST, HEAD, OPTIONS"),
        Method(method: "TRACE", path: "/healthz", allow: "GET, HEAD, OPTIONS"),
        Method(method: "PATCH", path: "/v1/clock/advance", allow: "POST, OPTIONS"),
        Method(method: "TRACE", path: "/v1/nothing", allow: nil),
    ])
    func `a method that the path does not have is 405 with those it has`(_ row: Method) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control(row.method, row.path)
            #expect(Problem(reply).status == (row.allow == nil ? 404 : 405))
            #expect(reply.header("content-type") == "application/problem+json")
            #expect(reply.header("allow") == row.allow)
        }
    }

    @Test func `a 401 says how to authenticate`() async throws {
        try await withSandbox(configure: { $0.controlToken = "secret" }) { sandbox in
            let realm = "Bearer realm=\"tsp-sandbox control\""
            let missing = try await sandbox.control("GET", "/v1/tokens")
            #expect(Problem(missing) == Problem(401, "CONTROL_TOKEN_MISSING"))
            #expect(missing.header("www-authenticate") == realm)
            let wrong = try await sandbox.control("GET", "/v1/tokens", headers: [("authorization", "Bearer x")])
            #expect(Problem(wrong) == Problem(401, "CONTROL_TOKEN_WRONG"))
            #expect(wrong.header("www-authenticate") == realm + ", error=\"invalid_token\"")
            let right = try await sandbox.control("GET", "/v1/tokens", headers: [("authorization", "Bearer secret")])
            #expect(right.status == 200)
            #expect(right.header("www-authenticate") == nil)
        }
    }
}
