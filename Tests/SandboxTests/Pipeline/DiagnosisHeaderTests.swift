import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// With the tenant's `diagnosisHeader` off an answer is exactly the network's: the sandbox adds no header to it, and
/// takes nothing away.
struct DiagnosisHeaderTests {
    /// One request that is refused, or answered.
    struct Row: CustomTestStringConvertible, Sendable {
        let what: String
        let status: Int
        let method: String
        let path: String
        var body: String?
        var headers: [(String, String)] = []

        var testDescription: String { what }

        init(
            _ what: String,
            _ status: Int,
            _ method: String,
            _ path: String,
            _ body: String? = nil,
            headers: [(String, String)] = []
        ) {
            self.what = what
            self.status = status
            self.method = method
            self.path = path
            self.body = body
            self.headers = headers
        }
    }

    private static let tpc = "/mg/tpc/DEMOBANK01/"
    private static let client = "/d1/client/v1/"
    private static let form = [("Content-Type", "application/x-www-form-urlencoded")]
    private static let payload = "{\"scheme\":\"VISA\",\"encryptedPayload\":\"00\"}"

    static let rows: [Row] = [
        Row("tpc, nothing given", 400, "POST", tpc + "generateAddPaymentPassRequest", "{}"),
        Row("tpc, unknown issuer", 400, "POST", "/mg/tpc/NOBANK0000/getTokens", payload),
        Row("tpc, payload that does not open", 400, "POST", tpc + "getTokens", payload),
        Row("tpc, no JSON", 400, "POST", tpc + "activatePass", "{"),
        Row(
            "tpc, wrong code",
            401,
            "POST",
            tpc + "updateTokenState",
            """
            {"tokenId":"x","tokenRequestorId":"40010030273","scheme":"VISA","authorizationCode":"e30.e30.AAAA","action":"Suspend"}
            """
        ),
        Row(
            "tpc, not digitized",
            400,
            "POST",
            tpc + "isCardDigitized",
            """
            {"deviceId":"none","application":"A1B2C3D4E5.com.demobank.app","primaryAccountNumberSuffix":"1111"}
            """
        ),
        Row("tpc, wrong method", 405, "GET", tpc + "getTokens"),
        Row("tpc, no such path", 404, "POST", tpc + "more", "{}"),
        Row("tpc, slash at the end", 404, "POST", tpc + "getTokens/", "{}"),
        Row(
            "d1, never configured",
            400,
            "POST",
            client + "login",
            """
            {"deviceId":"none","application":"none","context":"app","issuerTokens":[]}
            """
        ),
        Row("d1, no session", 401, "GET", client + "pass-entries"), Row("d1, no path", 404, "GET", client + "none"),
        Row("d1 issuer API, no bearer", 401, "GET", "/banking/v1/issuers/DEMOBANK01/cards/card-visa"),
        Row("d1 issuer API, no such path", 404, "GET", "/banking/v9"),
        Row("d1 token endpoint, no grant", 400, "POST", "/authz/v1/oauth2/token", "x=1", headers: form),
        Row(
            "d1 token endpoint, wrong assertion",
            401,
            "POST",
            "/authz/v1/oauth2/token",
            """
            grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=e30.e30.AAAA
            """,
            headers: form
        ),
        Row("wallet, no such device", 404, "GET", "/wallet/apple/devices/none"),
        Row("wallet, no kind", 400, "POST", "/wallet/apple/devices", "{}"),
        Row("wallet, no such session", 404, "POST", "/wallet/apple/provisioning-sessions/none/pass", "{}"),
        Row("wallet, wrong method", 405, "PUT", "/wallet/apple/devices"),
        Row("no face", 404, "GET", "/nowhere"), Row("an unknown method", 405, "PATCH", tpc + "getTokens", "{}"),
        Row("an answer", 200, "GET", "/wallet/apple/devices"),
        Row("a warning", 400, "POST", tpc + "getTokens", payload, headers: [("Content-Type", "text/plain")]),
        Row("a request id that is replaced", 400, "POST", tpc + "getTokens", "{}", headers: [("x-request-id", "a b")]),
        Row("a named tenant", 400, "POST", tpc + "getTokens", "{}", headers: [("X-Sandbox-Tenant", "default")]),
        Row("a tenant in the path", 400, "POST", "/t/default" + tpc + "getTokens", "{}"),
    ]

    /// Status, headers but those named, and body.
    private static func bytes(_ reply: TestReply, without hidden: (String) -> Bool) -> [String] {
        let headers = reply.response.headers.fields.filter { !hidden($0.name.text) }
        return [String(reply.status)] + headers.map { "\($0.name.text): \($0.value)" } + [reply.text]
    }

    private static func isSandboxHeader(_ name: String) -> Bool { name.hasPrefix("x-sandbox-") }

    private static func diagnosis(_ sandbox: TestSandbox, on: Bool) async throws {
        let reply = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": .bool(on)])
        #expect(reply.status == 200)
    }

    @Test(arguments: rows)
    func `only the sandbox's own headers differ, and off there are none`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            // One id for both, where the row has none of its own.
            let hasID = row.headers.contains { $0.0 == "x-request-id" }
            let headers = row.headers + (hasID ? [] : [("x-request-id", "same-1")])
            let body = row.body.map { Array($0.utf8) }
            let on = try await sandbox.send(.api, row.method, row.path, body, headers)
            #expect(on.status == row.status, "\(on.summary)")
            #expect(on.diagnosis.isEmpty == (row.status < 400))
            try await Self.diagnosis(sandbox, on: false)
            let off = try await sandbox.send(.api, row.method, row.path, body, headers)
            // Over a socket the two may lie in different seconds; an id that the sandbox made is new each time.
            func hides(_ name: String) -> Bool { name == "date" || (hasID && name == "x-request-id") }
            let (left, right) = (
                Self.bytes(on) { Self.isSandboxHeader($0) || hides($0) }, Self.bytes(off, without: hides)
            )
            #expect(left == right)
            #expect(!off.response.headers.fields.contains { Self.isSandboxHeader($0.name.text) })
        }
    }

    @Test(arguments: BrokenRequest.Reason.allCases)
    func `bytes that are not a request are answered without the sandbox's headers too`(
        _ reason: BrokenRequest.Reason
    ) async throws {
        try await withSandbox { sandbox in
            let head = HTTPRequest(
                method: .post,
                target: Self.tpc + "getTokens",
                headers: HTTPHeaders([(.requestID, "same-1"), (.sandboxTenant, "default")])
            )
            let broken = BrokenRequest(reason: reason, detail: "x", head: head, peer: head.peer)
            let on = TestReply(await sandbox.application.api.respond(to: broken))
            try await Self.diagnosis(sandbox, on: false)
            let off = TestReply(await sandbox.application.api.respond(to: broken))
            #expect(!on.diagnosis.isEmpty)
            #expect(Self.bytes(on, without: Self.isSandboxHeader) == Self.bytes(off) { _ in false })
        }
    }

    @Test func `the setting holds for the first request after a start, even to a path that does not exist`()
        async throws
    {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                for tenant in ["default", "cold"] {
                    let made = try await sandbox.control(
                        "PATCH",
                        "/v1/tenants/\(tenant)",
                        body: "{\"diagnosisHeader\":false}",
                        headers: [("X-Sandbox-Tenant", tenant)]
                    )
                    #expect(made.status == 200)
                }
            }
            for target in ["/nowhere", "/t/cold/nowhere", "/t/cold/mg/tpc/DEMOBANK01/more", "/mg/tpc/none"] {
                try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                    let reply = try await sandbox.api("GET", target)
                    #expect(reply.status >= 400)
                    #expect(!reply.response.headers.fields.contains { Self.isSandboxHeader($0.name.text) }, "\(target)")
                }
            }
        }
    }

    @Test func `a mistyped path makes no tenant`() async throws {
        try await withSandbox { sandbox in
            #expect(try await sandbox.api("GET", "/t/nobody/nowhere").status == 404)
            let names = try await sandbox.control("GET", "/v1/tenants")["items"].array?.map { $0["name"]?.string }
            #expect(names == ["default"])
        }
    }
}
