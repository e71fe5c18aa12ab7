import Sandbox
import SandboxTesting
import Testing
import Wire

/// Tokens of the control API that are good for one tenant (CONTRACT, section 5, "Safety").
struct TenantTokenTests {
    /// A call with a tenant's token, and how it is answered: the code of a refusal, or nil for one that is let in.
    struct Call: CustomTestStringConvertible {
        let method: String
        let path: String
        var body: String?
        var tenant: String?
        /// With access read, and with access full.
        let codes: [String?]

        var testDescription: String { "\(method) \(path) \(tenant ?? "")" }

        init(
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            as tenant: String? = nil,
            read: String?,
            full: String?
        ) {
            self.method = method
            self.path = path
            self.body = body
            self.tenant = tenant
            codes = [read, full]
        }
    }

    private static let other = "CONTROL_TOKEN_OTHER_TENANT"
    private static let server = "CONTROL_TOKEN_OF_TENANT"
    private static let reads = "CONTROL_TOKEN_READS"

    static let calls = [
        Call("GET", "/v1/cards", read: nil, full: nil),
        Call("GET", "/v1/cards", as: "ours", read: nil, full: nil),
        Call("GET", "/v1/cards", as: "theirs", read: other, full: other),
        Call("GET", "/v1/cards", as: "default", read: other, full: other),
        Call("GET", "/v1/version", read: nil, full: nil),
        Call("GET", "/openapi/tpc.json", read: nil, full: nil),
        Call("GET", "/v1/journal", read: nil, full: nil),
        Call("GET", "/v1/journal/export", read: nil, full: nil),
        Call("GET", "/v1/journal/wait?count=1&timeout=0", read: nil, full: nil),
        Call("POST", "/v1/explain", #"{"kind":"jws","value":"a.b.c"}"#, read: nil, full: nil),
        Call("GET", "/v1/export", read: reads, full: nil),
        Call("POST", "/v1/clock/advance", #"{"seconds":1}"#, read: reads, full: nil),
        Call("POST", "/v1/clock/advance", #"{"seconds":1}"#, as: "theirs", read: other, full: other),
        Call("DELETE", "/v1/journal", read: reads, full: nil),
        Call("POST", "/v1/seal", "{}", read: reads, full: "FIELD_MISSING"),
        Call("GET", "/v1/tenants", read: server, full: server),
        Call("POST", "/v1/tenants", #"{"name":"more"}"#, read: server, full: server),
        Call("GET", "/metrics", read: server, full: server),
        Call("GET", "/v1/tenants/ours", read: nil, full: nil),
        Call("GET", "/v1/tenants/theirs", read: other, full: other),
        Call("GET", "/v1/tenants/none", read: other, full: other),
        Call("PATCH", "/v1/tenants/ours", #"{"strictness":"strict"}"#, read: reads, full: nil),
        Call("PATCH", "/v1/tenants/theirs", #"{"strictness":"strict"}"#, read: other, full: other),
        Call("POST", "/v1/tenants/ours/reset", read: reads, full: nil),
        Call("POST", "/v1/tenants/theirs/reset", read: other, full: other),
        Call("POST", "/v1/tenants/ours/fork", #"{"as":"more"}"#, read: server, full: server),
        Call("GET", "/v1/tenants/ours/tokens", read: nil, full: nil),
        Call("GET", "/v1/tenants/theirs/tokens", read: other, full: other),
        Call("POST", "/v1/tenants/ours/tokens", #"{"access":"read"}"#, read: reads, full: nil),
        Call("POST", "/v1/tenants/theirs/tokens", #"{"access":"read"}"#, read: other, full: other),
        Call("DELETE", "/v1/tenants/theirs", read: other, full: other),
        Call("GET", "/v1/nothing", read: "PATH_UNKNOWN", full: "PATH_UNKNOWN"),
        Call("PUT", "/v1/cards", "{}", read: "METHOD_NOT_ALLOWED", full: "METHOD_NOT_ALLOWED"),
    ]

    private static func guarded(_ body: @escaping @Sendable (TestSandbox) async throws -> Void) async throws {
        try await withSandbox(configure: { $0.controlToken = "whole" }) { sandbox in
            for name in ["ours", "theirs"] {
                let made = try await send(sandbox, "whole", "POST", "/v1/tenants", #"{"name":"\#(name)"}"#)
                #expect(made.status == 201)
            }
            try await body(sandbox)
        }
    }

    private static func send(
        _ sandbox: TestSandbox,
        _ token: String?,
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        as tenant: String? = nil
    ) async throws -> TestReply {
        var headers: [(String, String)] = []
        if let token { headers.append(("authorization", "Bearer \(token)")) }
        if let tenant { headers.append(("x-sandbox-tenant", tenant)) }
        return try await sandbox.send(.control, method, path, body.map { Array($0.utf8) }, headers)
    }

    private static func token(
        _ sandbox: TestSandbox,
        _ access: String,
        of tenant: String
    ) async throws -> TestReply {
        try await send(sandbox, "whole", "POST", "/v1/tenants/\(tenant)/tokens", #"{"access":"\#(access)"}"#)
    }

    @Test(arguments: Self.calls, [0, 1])
    func `it is good for its own tenant`(_ call: Call, _ access: Int) async throws {
        try await Self.guarded { sandbox in
            let token = try await Self.token(sandbox, ["read", "full"][access], of: "ours")["token"].string
            let reply = try await Self.send(sandbox, token, call.method, call.path, call.body, as: call.tenant)
            #expect(reply["code"].string == call.codes[access], "\(reply)")
            if call.codes[access]?.hasPrefix("CONTROL_TOKEN") == true { #expect(reply.status == 403) }
        }
    }

    @Test func `it selects its tenant`() async throws {
        try await Self.guarded { sandbox in
            let token = try await Self.token(sandbox, "full", of: "ours")["token"].string
            let frozen = #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#
            #expect(try await Self.send(sandbox, token, "PUT", "/v1/clock", frozen).status == 200)
            for (name, mode) in [("ours", "frozen"), ("theirs", "system"), ("default", "system")] {
                #expect(try await Self.send(sandbox, "whole", "GET", "/v1/clock", as: name)["mode"].string == mode)
            }
        }
    }

    @Test func `it is told once, and listed without it`() async throws {
        try await Self.guarded { sandbox in
            let made = try await Self.token(sandbox, "read", of: "ours")
            let (id, token) = (try #require(made["id"].string), try #require(made["token"].string))
            #expect(made.status == 201 && made["access"] == "read" && made.header("cache-control") == "no-store")
            let listed = try await Self.send(sandbox, "whole", "GET", "/v1/tenants/ours/tokens")
            #expect(listed["items"] == [["id": .string(id), "access": "read"]])
            let one = "/v1/tenants/ours/tokens/\(id)"
            #expect(try await Self.send(sandbox, "whole", "GET", one).json == ["id": .string(id), "access": "read"])
            #expect(try await Self.send(sandbox, "whole", "GET", "/v1/tenants/theirs/tokens/\(id)").status == 404)
            #expect(try await Self.send(sandbox, "whole", "DELETE", one).status == 204)
            #expect(try await Self.send(sandbox, "whole", "DELETE", one)["code"] == "TENANT_TOKEN_NOT_FOUND")
            let after = try await Self.send(sandbox, token, "GET", "/v1/cards")
            #expect(after.status == 401 && after["code"] == "CONTROL_TOKEN_WRONG")
        }
    }

    /// Two servers of one seed: who knows the seed, which is no secret, knows no token.
    @Test func `no seed gives it`() async throws {
        let tokens = Tokens()
        for _ in 0..<2 {
            try await Self.guarded { sandbox in
                await tokens.add(try await Self.token(sandbox, "full", of: "ours")["token"].string)
            }
        }
        #expect(await tokens.values.count == 2)
    }

    private actor Tokens {
        private(set) var values: Set<String> = []
        func add(_ value: String?) { if let value { values.insert(value) } }
    }

    @Test func `a copy of the tenant has none, and the tenant keeps its own`() async throws {
        try await Self.guarded { sandbox in
            let token = try await Self.token(sandbox, "full", of: "ours")["token"].string
            func tokens(_ name: String) async throws -> Int? {
                try await Self.send(sandbox, "whole", "GET", "/v1/tenants/\(name)/tokens")["items"].array?.count
            }
            _ = try await Self.send(sandbox, "whole", "POST", "/v1/tenants/ours/fork", #"{"as":"copy"}"#)
            #expect(try await tokens("copy") == 0)
            let world = try await Self.send(sandbox, token, "GET", "/v1/export")
            #expect(world.status == 200 && !world.text.contains("tenantToken"))
            let moved = try await Self.send(sandbox, "whole", "POST", "/v1/import", world.text, as: "theirs")
            #expect(moved.status == 204)
            #expect(try await tokens("theirs") == 0)
            let snapshot = try await Self.send(sandbox, token, "POST", "/v1/snapshots", "{}")["id"].string ?? ""
            for path in ["/v1/snapshots/\(snapshot)/restore", "/v1/tenants/ours/reset"] {
                #expect((200...204).contains(try await Self.send(sandbox, token, "POST", path).status))
                #expect(try await tokens("ours") == 1)
            }
            #expect(try await Self.send(sandbox, token, "DELETE", "/v1/tenants/ours").status == 204)
            #expect(try await Self.send(sandbox, token, "GET", "/v1/cards").status == 401)
        }
    }

    @Test func `without a control token it only selects`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/tenants/ours/tokens"
            let token = try await Self.send(sandbox, nil, "POST", path, #"{"access":"read"}"#)["token"].string
            let frozen = #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#
            #expect(try await Self.send(sandbox, token, "PUT", "/v1/clock", frozen).status == 200)
            #expect(try await Self.send(sandbox, nil, "GET", "/v1/clock", as: "ours")["mode"] == "frozen")
            #expect(try await Self.send(sandbox, token, "GET", "/v1/clock", as: "default")["mode"] == "system")
            #expect(try await Self.send(sandbox, token, "GET", "/v1/tenants").status == 200)
            #expect(try await Self.send(sandbox, "nobody's", "GET", "/v1/clock")["mode"] == "system")
        }
    }

    @Test func `a tenant has so many`() async throws {
        try await Self.guarded { sandbox in
            for _ in 0..<100 { #expect(try await Self.token(sandbox, "read", of: "ours").status == 201) }
            let more = try await Self.token(sandbox, "read", of: "ours")
            #expect(more.status == 409 && more["code"] == "TENANT_TOKEN_LIMIT")
            #expect(try await Self.token(sandbox, "read", of: "theirs").status == 201)
        }
    }

    @Test(arguments: [#"{}"#, #"{"access":"all"}"#, #"{"access":null}"#, #"{"access":1}"#])
    func `access is one of two words`(_ body: String) async throws {
        try await Self.guarded { sandbox in
            let reply = try await Self.send(sandbox, "whole", "POST", "/v1/tenants/ours/tokens", body)
            #expect(reply.status == 400 && reply["pointer"] == "/access")
        }
    }
}
