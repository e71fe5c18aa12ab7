import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// The control API is for programs: no web page changes or reads a world (CONTRACT, section 5, "Safety").
struct ControlGateTests {
    struct Call: CustomTestStringConvertible {
        let testDescription: String
        let headers: [(String, String)]
        /// Nil for one that is served.
        let code: String?
        var token: String?
        var hosts: [String]?
        var body: String?
    }

    static let calls = [
        Call(testDescription: "no host", headers: [], code: nil),
        Call(testDescription: "loopback", headers: [("host", "127.0.0.1:8081")], code: nil),
        Call(testDescription: "another loopback", headers: [("host", "127.9.9.9")], code: nil),
        Call(testDescription: "version 6", headers: [("host", "[::1]:8081")], code: nil),
        Call(testDescription: "localhost", headers: [("host", "LocalHost.:8081")], code: nil),
        Call(testDescription: "below localhost", headers: [("host", "tsp.localhost")], code: nil),
        Call(testDescription: "container", headers: [("host", "host.docker.internal:8081")], code: nil),
        Call(testDescription: "rebound name", headers: [("host", "evil.test:8081")], code: "CONTROL_HOST_FOREIGN"),
        Call(
            testDescription: "like loopback",
            headers: [("host", "127.0.0.1.evil.test")],
            code: "CONTROL_HOST_FOREIGN"
        ),
        Call(testDescription: "like localhost", headers: [("host", "notlocalhost")], code: "CONTROL_HOST_FOREIGN"),
        Call(testDescription: "allowed", headers: [("host", "a.test")], code: nil, hosts: ["*.test"]),
        Call(testDescription: "loopback stays", headers: [("host", "127.0.0.1")], code: nil, hosts: ["a.test"]),
        Call(
            testDescription: "the usual ones are replaced",
            headers: [("host", "localhost")],
            code: "CONTROL_HOST_FOREIGN",
            hosts: ["a.test"]
        ),
        Call(
            testDescription: "token",
            headers: [("host", "evil.test"), ("authorization", "Bearer t")],
            code: nil,
            token: "t"
        ),
        Call(
            testDescription: "page",
            headers: [("host", "localhost:1"), ("origin", "http://evil.test")],
            code: "CONTROL_ORIGIN_FOREIGN"
        ),
        Call(
            testDescription: "page of another port",
            headers: [("host", "localhost:1"), ("origin", "http://localhost:2")],
            code: "CONTROL_ORIGIN_FOREIGN"
        ),
        Call(
            testDescription: "null",
            headers: [("host", "localhost:1"), ("origin", "null")],
            code: "CONTROL_ORIGIN_FOREIGN"
        ),
        Call(
            testDescription: "own page",
            headers: [("host", "localhost:1"), ("origin", "http://localhost:1")],
            code: nil
        ),
        Call(
            testDescription: "page with the token",
            headers: [("origin", "http://evil.test"), ("authorization", "Bearer t")],
            code: "CONTROL_ORIGIN_FOREIGN",
            token: "t"
        ),
        Call(
            testDescription: "cross-site",
            headers: [("sec-fetch-site", "cross-site")],
            code: "CONTROL_ORIGIN_FOREIGN"
        ),
        Call(testDescription: "typed in", headers: [("sec-fetch-site", "none")], code: nil),
        Call(
            testDescription: "text",
            headers: [("content-type", "text/plain")],
            code: "CONTENT_TYPE_UNSUPPORTED",
            body: #"{"kind":"phone"}"#
        ),
        Call(
            testDescription: "form",
            headers: [("content-type", "application/x-www-form-urlencoded")],
            code: "CONTENT_TYPE_UNSUPPORTED",
            body: "a=1"
        ),
        Call(
            testDescription: "JSON",
            headers: [("content-type", "application/problem+json; x=1")],
            code: nil,
            body: "{}"
        ),
    ]

    @Test(arguments: calls)
    func `row 116: pages and foreign names are turned away, programs are not`(_ call: Call) async throws {
        try await withSandbox(configure: { configuration in
            configuration.controlToken = call.token
            if let hosts = call.hosts { configuration.controlAllowedHosts = hosts }
        }) { sandbox in
            let method = call.body == nil ? "GET" : "PUT"
            let path = call.body == nil ? "/v1/export" : "/v1/applications/A1B2C3D4E5.com.demobank.new"
            let reply = try await sandbox.control(method, path, body: call.body, headers: call.headers)
            if let code = call.code {
                #expect(reply["code"] == .string(code), "\(reply.text)")
                #expect(reply.status == (call.body == nil ? 403 : 415))
                #expect(!reply.response.headers.fields.contains { $0.name.text.hasPrefix("access-control") })
            } else {
                #expect(![401, 403, 415].contains(reply.status), "\(reply.text.prefix(200))")
            }
            // A probe asks from wherever it stands.
            let probe = try await sandbox.control("GET", "/healthz", headers: call.headers)
            #expect(probe.status == 200)
        }
    }
}
