import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// The way of every request: tenants, request ids, methods, paths, bodies that are not JSON.
struct PipelineTests {
    private static let devices = "/wallet/apple/devices"

    private func count(_ sandbox: TestSandbox, _ path: String, _ headers: [(String, String)] = []) async throws -> Int?
    {
        try await sandbox.api("GET", path, headers: headers)["items"].array?.count
    }

    @Test func `path prefix and header select a world; worlds do not see each other`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.device()
            let made = try await sandbox.api("POST", "/t/one" + Self.devices, ["kind": "phone"])
            #expect([made.header("x-sandbox-tenant"), made.header("x-sandbox-tenant-created")] == ["one", "true"])
            let header = [("x-sandbox-tenant", "one")]
            let again = try await sandbox.api("GET", Self.devices, headers: header)
            #expect([again.header("x-sandbox-tenant"), again.header("x-sandbox-tenant-created")] == ["one", nil])
            #expect(again["items"] == [made.json])
            // The prefix wins over the header.
            #expect(try await count(sandbox, "/t/two" + Self.devices, header) == 0)
            #expect(try await count(sandbox, Self.devices) == 1)
            let control = try await sandbox.control("GET", "/v1/cards/card-visa", headers: header)
            #expect([control.text("state"), control.header("x-sandbox-tenant")] == ["active", "one"])
            _ = try await sandbox.control("POST", "/v1/tenants/one/reset")
            #expect(try await count(sandbox, Self.devices, header) == 0)
            #expect(try await count(sandbox, Self.devices) == 1)
        }
    }

    @Test func `a card of one world is not one of another, and each world has its own journal`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.provision(try await sandbox.device(), .visa, .visa).text("tokenId")
            let other = [("x-sandbox-tenant", "other")]
            let reply = try await sandbox.control("GET", "/v1/tokens/\(token)", headers: other)
            #expect(Problem(reply) == Problem(404, "TOKEN_UNKNOWN"))
            _ = try await sandbox.api("GET", Self.devices, headers: other)
            let journal = try await sandbox.control("GET", "/v1/journal", headers: other)
            #expect(journal["items"].array?.count == 1)
        }
    }

    @Test(arguments: ["Upper", "-x", "a_b", "", "a.b", "4111111111111111", String(repeating: "a", count: 64)])
    func `a bad tenant name is refused`(_ name: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api("GET", Self.devices, headers: [("x-sandbox-tenant", name)])
            #expect([String(reply.status), reply.text("reason")] == ["400", "TENANT_NAME_INVALID"])
            guard !name.isEmpty else { return }
            let prefixed = try await sandbox.api("GET", "/t/\(name)" + Self.devices)
            #expect(prefixed.status == 400)
        }
    }

    @Test(
        arguments: [
            (["one", "two"], true), (["one", ""], true), (["one", "One"], true), (["one", "one", "two"], true),
            (["one", "one"], false),
        ]
    )
    func `two tenant headers are refused when they differ`(_ names: [String], _ isRefused: Bool) async throws {
        try await withSandbox { sandbox in
            let headers = names.map { ("x-sandbox-tenant", $0) }
            for reply in [
                try await sandbox.api("GET", Self.devices, headers: headers),
                try await sandbox.control("GET", "/v1/cards", headers: headers),
            ] {
                #expect(reply.status == (isRefused ? 400 : 200), "\(reply.summary)")
                #expect(reply.diagnosis == (isRefused ? ["TENANT_NAMED_TWICE"] : []))
            }
            // None of them was made.
            let tenants = try await sandbox.control("GET", "/v1/tenants")["items"].array ?? []
            #expect(tenants.count == (isRefused ? 1 : 2))
            // The prefix goes before any header.
            #expect(try await sandbox.api("GET", "/t/three" + Self.devices, headers: headers).status == 200)
        }
    }

    @Test func `with explicit tenants a new name is unknown`() async throws {
        try await withSandbox(configure: { $0.tenants = .explicit }) { sandbox in
            let reply = try await sandbox.api("GET", "/t/new" + Self.devices)
            #expect([String(reply.status), reply.diagnosis.first] == ["404", "TENANT_UNKNOWN"])
        }
    }

    @Test func `a request of an unknown tenant has an id of its own, and takes none from a tenant`() async throws {
        func ids(strangers: Int) async throws -> (of: [String], default: String) {
            try await withSandbox(configure: { $0.tenants = .explicit }) { sandbox in
                var ids: [String] = []
                for index in 0..<strangers {
                    let path = index.isMultiple(of: 2) ? "/t/new" + Self.devices : Self.devices
                    let reply = try await sandbox.api("GET", path, headers: [("x-sandbox-tenant", "other")])
                    #expect(reply.diagnosis.first == "TENANT_UNKNOWN")
                    ids.append(reply.header("x-request-id") ?? "")
                    let control = try await sandbox.control("GET", "/v1/cards", headers: [("x-sandbox-tenant", "x")])
                    ids.append(control.header("x-request-id") ?? "")
                }
                return (ids, try await sandbox.api("GET", Self.devices).header("x-request-id") ?? "")
            }
        }
        let (some, none) = (try await ids(strangers: 4), try await ids(strangers: 0))
        #expect(Set(some.of).count == 8 && some.of.allSatisfy { $0.hasPrefix("req-") && $0 != "req-none" })
        // The same ones in every run with this seed.
        #expect(try await ids(strangers: 4).of == some.of)
        #expect(some.default == none.default && !some.of.contains(some.default))
    }

    @Test(arguments: ["abc", "A.b_c-9", String(repeating: "x", count: 64)])
    func `a good request id comes back`(_ id: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api("GET", Self.devices, headers: [("x-request-id", id)])
            #expect(reply.header("x-request-id") == id)
            let entries = try await sandbox.control("GET", "/v1/journal/\(id)")["items"].array
            #expect(entries?.first?["requestId"] == .string(id))
        }
    }

    @Test(arguments: ["a b", "", "é", String(repeating: "x", count: 65), "4111111111111111", "id-4111-1111-1111-1111"])
    func `another request id is replaced`(_ id: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api("GET", Self.devices, headers: [("x-request-id", id)])
            let new = reply.header("x-request-id") ?? ""
            #expect(new.hasPrefix("req-") && reply.status == 200, "\(reply.summary)")
            let entry = try await sandbox.control("GET", "/v1/journal/\(new)")["items"].array?.first
            #expect(entry?["diagnosis"] == ["REQUEST_ID_REPLACED"])
        }
    }

    @Test func `retries share an id and count their attempts`() async throws {
        try await withSandbox { sandbox in
            for _ in 0..<3 { _ = try await sandbox.api("GET", Self.devices, headers: [("x-request-id", "same")]) }
            let entries = try await sandbox.control("GET", "/v1/journal/same")["items"].array
            #expect(Set(entries?.compactMap { $0["attempt"]?.integer } ?? []) == [1, 2, 3])
        }
    }

    @Test func `the diagnosis header can be switched off, the answer stays the same`() async throws {
        try await withSandbox { sandbox in
            let path = "/mg/tpc/DEMOBANK01/getTokens"
            let told = try await sandbox.api("POST", path, [:])
            #expect(told.diagnosis == ["SCHEME_MISSING", "ENCRYPTED_PAYLOAD_MISSING"])
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            let silent = try await sandbox.api("POST", path, [:])
            #expect([silent.text, silent.header("x-sandbox-diagnosis")] == [told.text, nil])
            let entry = try await sandbox.control("GET", "/v1/journal")["items"].array?.first
            #expect(entry?["diagnosis"] == ["SCHEME_MISSING", "ENCRYPTED_PAYLOAD_MISSING"])
        }
    }

    struct Route: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let status: Int
        let code: String
        var allow: String?
        var testDescription: String { "\(method) \(path)" }
    }

    static let routes: [Route] = [
        Route(
            method: "GET",
            path: "/mg/tpc/X/getTokens",
            status: 405,
            code: "METHOD_NOT_ALLOWED",
            allow: "POST, OPTIONS"
        ),
        Route(
            method: "PUT",
            path: devices,
            status: 405,
            code: "METHOD_NOT_ALLOWED",
            allow: "GET, POST, HEAD, OPTIONS"
        ),
        Route(method: "POST", path: "/mg/tpc/X/getTokens/", status: 404, code: "TRAILING_SLASH"),
        Route(method: "GET", path: devices + "/", status: 404, code: "TRAILING_SLASH"),
        Route(method: "POST", path: "/mg/tpc/X/gettokens", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "POST", path: "//mg/tpc/X/getTokens", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "POST", path: "/mg//tpc/X/./getTokens", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "GET", path: "/wallet/apple/nothing", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "GET", path: "/wallet", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "GET", path: "/", status: 404, code: "PATH_UNKNOWN"),
        Route(method: "GET", path: "/v1/tokens", status: 404, code: "PATH_UNKNOWN"),
    ]

    @Test(arguments: routes)
    func `row 58: a wrong path or method is answered in the face's shape`(_ route: Route) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api(route.method, route.path)
            #expect(reply.status == route.status)
            #expect(reply.diagnosis == [route.code])
            #expect(reply.header("allow") == route.allow)
            switch route.path {
            case _ where route.path.hasPrefix("/mg/tpc/"):
                let number = route.status == 405 ? "112" : "911"
                let text = route.status == 405 ? "Bad format" : "Operation failed"
                #expect(reply.text == "{\"code\":\(number),\"message\":\"\(number). \(text)\"}")
            case _ where route.path.hasPrefix("/wallet/apple"):
                #expect([reply["reason"], reply["error"]["code"]] == [.string(route.code), 2])
            default: #expect(Problem(reply) == Problem(route.status, route.code))
            }
        }
    }

    /// Paths are compared as they are; what was probably meant is told. An escaped slash is a character of its segment.
    @Test(arguments: [
        ("//v1/tokens", "/v1/tokens"), ("/v1/./tokens", "/v1/tokens"), ("/v1//tokens", "/v1/tokens"),
        ("/V1/Tokens", "/v1/tokens"), ("/./v1/tokens//x", "/v1/tokens/{tokenId}"), ("/v1/%74okens", nil),
        ("/v1%2Ftokens", nil), ("/v1/nothing", nil), ("/", nil), ("/v1/../v1/tokens", nil),
    ])
    func `row 58: a path that is not known names the nearest that is`(_ path: String, _ nearest: String?) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("GET", path)
            #expect(reply.status == 404 && reply["code"] == "PATH_UNKNOWN", "\(reply.summary)")
            let detail = reply.text("detail")
            #expect(
                nearest.map { detail.contains("Seen: nearest: \($0).") } ?? !detail.contains("nearest"),
                "\(detail)"
            )
            let id = try await sandbox.control("GET", "/v1/tokens/a%2Fb")
            #expect(id.status == 404 && id["code"] != "PATH_UNKNOWN" && id["code"] != .null, "\(id.summary)")
            let neutral = try await sandbox.api("GET", "//wallet/apple/devices")
            #expect(neutral.text("detail").contains("Seen: nearest: /wallet/apple/devices."))
            let face = try await sandbox.api("POST", "/mg/tpc/X//getTokens")
            #expect(face.diagnosis == ["PATH_UNKNOWN"] && !face.text.contains("nearest"))
            let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
            #expect(entry?["checks"]?.array?.last?["evidence"] == "nearest: /mg/tpc/{issuerId}/getTokens")
        }
    }

    @Test func `row 30: two spaces after Bearer are remarked, in strict refused with their place`() async throws {
        try await withSandbox { sandbox in
            let bearer = try await sandbox.bearer()
            let path = "/banking/v1/issuers/DEMOBANK01/cards/card-visa"
            for (word, status) in [("lenient", 200), ("documented", 200), ("strict", 400)] {
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": .string(word)])
                let two = try await sandbox.api("GET", path, headers: [("authorization", "Bearer  \(bearer)")])
                #expect(two.status == status, "\(word): \(two.summary)")
                let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
                #expect(entry?["diagnosis"] == ["AUTHORIZATION_SPACES"])
                let check = entry?["checks"]?.array?.first { $0["code"] == "AUTHORIZATION_SPACES" }
                #expect(check?["evidence"] == "2 spaces, from character 6")
                let one = try await sandbox.api("GET", path, headers: [("authorization", "Bearer \(bearer)")])
                #expect(one.status == 200)
            }
        }
    }

    /// What a browser asks for its page (Fetch, section 3.2).
    @Test func `row 60: a page of another origin may call the faces, and never the control API`() async throws {
        try await withSandbox { sandbox in
            let origin = [("origin", "http://localhost:5173")]
            let asked =
                origin + [
                    ("access-control-request-method", "POST"),
                    ("access-control-request-headers", "authorization,content-type,x-sandbox-tenant"),
                ]
            let preflight = try await sandbox.api("OPTIONS", "/t/new" + Self.devices, headers: asked)
            let names = ["origin", "methods", "headers"].map { "access-control-allow-\($0)" }
            #expect(preflight.status == 204)
            #expect(names.map { preflight.header($0) } == ["*", "GET, POST, HEAD, OPTIONS", "*, authorization"])
            #expect(preflight.header("allow") == "GET, POST, HEAD, OPTIONS")
            #expect(preflight.header("access-control-max-age") == "600")
            // Answers and refusals, and nothing for a client that is not a browser.
            for (path, status) in [(Self.devices, 200), ("/mg/tpc/X/getTokens", 405), ("/nowhere", 404)] {
                let reply = try await sandbox.api("GET", path, headers: origin)
                #expect(reply.status == status && reply.header(names[0]) == "*")
                #expect(reply.header("access-control-expose-headers") == "*" && reply.header(names[1]) == nil)
                let plain = try await sandbox.api("GET", path)
                #expect(!plain.response.headers.fields.contains { $0.name.text.hasPrefix("access-control") })
            }
            for headers in [origin, asked] {
                let closed = try await sandbox.control("OPTIONS", "/v1/tokens", headers: headers)
                #expect((closed.status, closed["code"]) == (403, "CONTROL_ORIGIN_FOREIGN"))
                #expect(!closed.response.headers.fields.contains { $0.name.text.hasPrefix("access-control") })
            }
            #expect(try await sandbox.control("GET", "/v1/tokens", headers: origin).header(names[0]) == nil)
            // A fault's answer may say otherwise.
            let rule: JSON = [
                "effect": ["respond": ["status": 200, "headers": ["access-control-allow-origin": "null"]]]
            ]
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            #expect(try await sandbox.api("GET", Self.devices, headers: origin).header(names[0]) == "null")
        }
    }

    @Test func `row 60: HEAD is GET without the body, for every operation`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let parameters = [
                "{deviceId}": phone, "{issuerId}": "DEMOBANK01", "{cardId}": "card-visa",
                "{consumerId}": "consumer-ana",
            ]
            let faces = sandbox.operationLabels.map { (TestPort.api, $0) }
            let control = ["cards", "cards/card-visa", "tokens", "issuers", "tenants/default", "clock", "scenarios"].map
            {
                (TestPort.control, "GET /v1/\($0)")
            }
            let gets = (faces + control).filter { $0.1.hasPrefix("GET ") }
            #expect(gets.count > 20)
            for (port, label) in gets {
                var path = label.split(separator: " ")[1].description
                for (name, value) in parameters { path = path.replacing(name, with: value) }
                path = path.replacing("{", with: "").replacing("}", with: "")
                let ids = [("x-request-id", "same")]
                let get = try await sandbox.send(port, "GET", path, nil, ids)
                let head = try await sandbox.send(port, "HEAD", path, nil, ids)
                func fields(_ reply: TestReply) -> [String] {
                    reply.response.headers.fields.map { "\($0.name.text): \($0.value)" }.filter {
                        !$0.hasPrefix("date:")
                    }
                }
                #expect(head.status == get.status && get.status != 405, "\(path)")
                #expect(fields(head) == fields(get), "\(path)")
                #expect(head.text.isEmpty && (get.status == 204 || !get.text.isEmpty), "\(path)")
            }
        }
    }

    @Test func `row 60: OPTIONS names the methods, HEAD is GET`() async throws {
        try await withSandbox { sandbox in
            let options = try await sandbox.api("OPTIONS", Self.devices)
            #expect([String(options.status), options.header("allow")] == ["204", "GET, POST, HEAD, OPTIONS"])
            #expect(try await sandbox.api("OPTIONS", "/nowhere").status == 404)
            #expect(try await sandbox.api("HEAD", Self.devices).status == 200)
            #expect(try await sandbox.control("OPTIONS", "/v1/tokens").header("allow") == "GET, POST, HEAD, OPTIONS")
        }
    }

    struct Text: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: String
    }

    static let texts: [Text] = [
        Text(testDescription: "", code: "JSON_EMPTY"), Text(testDescription: "{", code: "JSON_TRUNCATED"),
        Text(testDescription: "[]", code: "BODY_NOT_OBJECT"), Text(testDescription: "null", code: "BODY_NOT_OBJECT"),
        Text(testDescription: "{\"a\":1,\"a\":2}", code: "JSON_DUPLICATE_KEY"),
        Text(testDescription: "{} x", code: "JSON_TRAILING_BYTES"),
        Text(testDescription: "{'a':1}", code: "JSON_SYNTAX"),
        Text(testDescription: "{\"a\":01}", code: "JSON_NUMBER_FORMAT"),
        Text(testDescription: "{\"a\":\"\u{1}\"}", code: "JSON_CONTROL_CHARACTER"),
        Text(testDescription: String(repeating: "[", count: 70), code: "JSON_TOO_DEEP"),
    ]

    @Test(arguments: texts)
    func `a body that is not a JSON object is 400 in the face's shape`(_ text: Text) async throws {
        try await withSandbox { sandbox in
            let body = text.testDescription
            let tpc = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body: body)
            #expect([tpc.text] + tpc.diagnosis == ["{\"code\":112,\"message\":\"112. Bad format\"}", text.code])
            let wallet = try await sandbox.api("POST", Self.devices, body: body)
            #expect([String(wallet.status), wallet.text("reason")] == ["400", text.code])
            let control = try await sandbox.control("POST", "/v1/cards", body: body)
            let code = text.code == "BODY_NOT_OBJECT" ? "CONTROL_BODY_NOT_OBJECT" : text.code
            #expect(Problem(control).status == 400 && Problem(control).code == code, "\(control.summary)")
        }
    }

    @Test func `text that is not UTF-8 is 400`() async throws {
        try await withSandbox { sandbox in
            let body = Array("{\"kind\":\"".utf8) + [0xFF, 0xC0] + Array("\"}".utf8)
            let reply = try await sandbox.send(.api, "POST", Self.devices, body, [])
            #expect([String(reply.status), reply.text("reason")] == ["400", "JSON_INVALID_UTF8"])
        }
    }

    @Test func `a content type that is not JSON is a remark, in strict mode a refusal`() async throws {
        try await withSandbox { sandbox in
            let table: [(type: String, code: String, strict: Int)] = [
                ("application/json", "", 201), ("application/json; charset=utf-8", "", 201),
                ("application/vnd.x+json", "", 201), ("text/plain", "CONTENT_TYPE_UNSUPPORTED", 415),
            ]
            for (type, code, strict) in table {
                for (word, status) in [("documented", 201), ("strict", strict)] {
                    _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": .string(word)])
                    let headers = [("content-type", type)]
                    let reply = try await sandbox.api("POST", Self.devices, body: "{\"kind\":\"x\"}", headers: headers)
                    #expect(reply.status == status, "\(word) \(type)")
                    let entry = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
                    #expect(entry?["diagnosis"] == (code.isEmpty ? [] : [.string(code)]), "\(word) \(type)")
                }
            }
        }
    }
}
