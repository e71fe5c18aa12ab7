import Core
import SandboxTesting
import Testing
import Wire

/// `/v1/clock`: frozen, running, moved.
struct ClockControlTests {
    private static let path = "/v1/clock"
    private static let start = "2030-01-01T00:00:00Z"

    private static func clock(_ mode: String, _ now: String) -> JSON { ["mode": .string(mode), "now": .string(now)] }

    @Test func `a clock is frozen, set, moved and given back to the system`() async throws {
        let table: [(method: String, body: String?, mode: String, now: String)] = [
            ("GET", nil, "system", Self.start), ("PUT", "{\"mode\":\"frozen\"}", "frozen", Self.start),
            ("GET", nil, "frozen", Self.start), ("POST", "{\"seconds\":0}", "frozen", Self.start),
            ("POST", "{\"seconds\":1.5}", "frozen", "2030-01-01T00:00:01.500Z"),
            ("POST", "{\"seconds\":0.500}", "frozen", "2030-01-01T00:00:02Z"),
            ("POST", "{\"seconds\":1e1}", "frozen", "2030-01-01T00:00:12Z"),
            (
                "PUT", "{\"mode\":\"frozen\",\"now\":\"2020-02-29T23:59:59.999+01:00\"}", "frozen",
                "2020-02-29T22:59:59.999Z"
            ),
            ("POST", "{\"seconds\":315576000}", "frozen", "2030-03-01T10:59:59.999Z"),
            ("PUT", "{\"mode\":\"system\",\"now\":\"2040-05-06T07:08:09Z\"}", "system", "2040-05-06T07:08:09Z"),
            ("POST", "{\"seconds\":60}", "system", "2040-05-06T07:09:09Z"),
            ("PUT", "{\"mode\":\"frozen\",\"now\":null}", "frozen", "2040-05-06T07:09:09Z"),
            ("PUT", "{\"mode\":\"frozen\",\"now\":\"1970-01-01T00:00:00Z\"}", "frozen", "1970-01-01T00:00:00Z"),
            ("PUT", "{\"mode\":\"frozen\",\"now\":\"9999-12-31T23:59:59.999Z\"}", "frozen", "9999-12-31T23:59:59.999Z"),
            ("PUT", "{\"mode\":\"system\"}", "system", Self.start),
        ]
        try await withSandbox { sandbox in
            for (method, body, mode, now) in table {
                let path = method == "POST" ? Self.path + "/advance" : Self.path
                let reply = try await sandbox.control(method, path, body: body)
                #expect(
                    reply.status == 200 && reply.json == Self.clock(mode, now),
                    "\(method) \(body ?? "") \(reply.summary)"
                )
            }
        }
    }

    @Test func `a running clock goes on with the system's, a frozen one does not`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PUT", Self.path, Self.clock("system", "2000-01-01T00:00:00Z"))
            sandbox.clock.advance(seconds: 5)
            #expect(try await sandbox.control("GET", Self.path).json == Self.clock("system", "2000-01-01T00:00:05Z"))
            _ = try await sandbox.control("PUT", Self.path, ["mode": "frozen"])
            sandbox.clock.advance(seconds: 5)
            #expect(try await sandbox.control("GET", Self.path).json == Self.clock("frozen", "2000-01-01T00:00:05Z"))
        }
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        let path: String
        let body: String
        let code: String
        let pointer: String?
        var testDescription: String { "\(path) \(body)" }

        static func set(_ body: String, _ code: String, _ pointer: String?) -> Mistake {
            Mistake(path: "/v1/clock", body: body, code: code, pointer: pointer)
        }

        static func advance(_ value: String) -> Mistake {
            Mistake(
                path: "/v1/clock/advance",
                body: "{\"seconds\":\(value)}",
                code: "FIELD_INVALID",
                pointer: "/seconds"
            )
        }
    }

    static let mistakes: [Mistake] =
        [
            .set("{}", "FIELD_MISSING", "/mode"), .set("{\"mode\":\"stopped\"}", "FIELD_INVALID", "/mode"),
            .set("[]", "CONTROL_BODY_NOT_OBJECT", ""),
            Mistake(path: "/v1/clock/advance", body: "{}", code: "FIELD_MISSING", pointer: "/seconds"),
            Mistake(path: "/v1/clock/advance", body: "{\"seconds\":null}", code: "FIELD_MISSING", pointer: "/seconds"),
        ]
        + [
            "1893456000", "\"\"", "\"2030-01-01\"", "\"2030-01-01T00:00:00\"", "\"2030-02-30T00:00:00Z\"",
            "\"1969-12-31T23:59:59.999Z\"", "\"1970-01-01T00:00:00+00:01\"", "\"9999-12-31T23:59:59-00:01\"",
            "\"10000-01-01T00:00:00Z\"", "\"0000-01-01T00:00:00Z\"", "true",
        ].map { .set("{\"mode\":\"frozen\",\"now\":\($0)}", "FIELD_INVALID", "/now") }
        + [
            "-1", "-0.001", "0.0001", "1.2345", "315576000.001", "315576001", "9007199254740991",
            "-9007199254740991", "4.5e15", "-4.5e15", "1e-4", "1e-99999999999999999999", "\"60\"", "true", "[]",
            "123456789012345678901234567890e-20",
        ].map { .advance($0) }
        // What no JSON reader keeps exactly is refused before anyone looks at the member.
        + [
            "9223372036854775807", "-9223372036854775808", "99999999999999999999999999", "1e300", "-1e300", "1e400",
        ].map {
            let body = "{\"seconds\":\($0)}"
            return Mistake(path: "/v1/clock/advance", body: body, code: "JSON_NUMBER_RANGE", pointer: "/seconds")
        }

    @Test(arguments: mistakes)
    func `a wrong value is refused where it stands, and the clock stays`(_ mistake: Mistake) async throws {
        try await withSandbox { sandbox in
            let method = mistake.path == Self.path ? "PUT" : "POST"
            let reply = try await sandbox.control(method, mistake.path, body: mistake.body)
            #expect(Problem(reply) == Problem(400, mistake.code, mistake.pointer))
            #expect(try await sandbox.control("GET", Self.path).json == Self.clock("system", Self.start))
        }
    }

    @Test(arguments: ["0", "-0", "-0.0", "0e5", "0.001", "1e-3", "100e-2", "1.000000", "3155760e2"])
    func `every way to write a right number is taken`(_ number: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("POST", "/v1/clock/advance", body: "{\"seconds\":\(number)}")
            #expect(reply.status == 200, "\(reply.summary)")
        }
    }

    @Test func `nothing leads past the year 9999`() async throws {
        try await withSandbox { sandbox in
            for mode in ["frozen", "system"] {
                _ = try await sandbox.control("PUT", Self.path, Self.clock(mode, "9999-12-31T23:59:59Z"))
                let past = try await sandbox.control("POST", Self.path + "/advance", ["seconds": 1])
                #expect(Problem(past) == Problem(400, "FIELD_INVALID", "/seconds"))
                #expect(
                    try await sandbox.control("POST", Self.path + "/advance", body: "{\"seconds\":0.999}").status == 200
                )
            }
            // A running clock that reaches the end stands there, and the sandbox goes on.
            sandbox.clock.advance(seconds: 86_400)
            let end = Self.clock("system", "9999-12-31T23:59:59.999Z")
            #expect(try await sandbox.control("GET", Self.path).json == end)
            #expect(try await !sandbox.device().isEmpty)
        }
    }

    @Test(arguments: ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])
    func `the faces work at both ends of the clock`(_ end: String) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            _ = try await sandbox.control("PUT", Self.path, Self.clock("frozen", end))
            let phone = try await sandbox.device()
            #expect(try await sandbox.session(phone, .visa, .visa).status == 201)
            let request = try await sandbox.passRequest(sandbox.session(phone, .visa, .visa), .visa, .visa)
            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            #expect(try await sandbox.api("POST", path, request).status == 401)
            let made = try await sandbox.manualEntry(
                phone,
                TestCard("test-visa", pan: TestCard.visa.pan, exp: "1242"),
                .visa
            )
            #expect([String(made.status), made.text("decision")] == ["201", "yellow"], "\(made.summary)")
            #expect(try await sandbox.passes(phone)["localPasses"].array?.count == 1)
        }
    }

    @Test func `each tenant has its clock, in the answers and in the journal`() async throws {
        try await withSandbox { sandbox in
            let times = [("one", "2031-01-01T00:00:00Z"), ("two", "2032-02-02T02:02:02.222Z")]
            for (tenant, now) in times {
                let headers = [("x-sandbox-tenant", tenant)]
                let body = Self.clock("frozen", now).text
                let reply = try await sandbox.control("PUT", Self.path, body: body, headers: headers)
                #expect(reply.status == 200)
            }
            for (tenant, now) in times + [("default", Self.start)] {
                let headers = [("x-sandbox-tenant", tenant)]
                #expect(try await sandbox.control("GET", Self.path, headers: headers).text("now") == now)
                _ = try await sandbox.api("GET", "/wallet/apple/devices", headers: headers)
                let entry = try await sandbox.control("GET", "/v1/journal", headers: headers)["items"].array?.first
                #expect(entry?["at"] == .string(now))
            }
            let one = [("x-sandbox-tenant", "one")]
            _ = try await sandbox.control("POST", Self.path + "/advance", body: "{\"seconds\":1}", headers: one)
            let others = try await sandbox.control("GET", Self.path, headers: [("x-sandbox-tenant", "two")])
            #expect(others.text("now") == times[1].1)
            // The next request's entry already has the new time.
            _ = try await sandbox.api("GET", "/wallet/apple/devices", headers: one)
            let entry = try await sandbox.control("GET", "/v1/journal", headers: one)["items"].array?.first
            #expect(entry?["at"] == "2031-01-01T00:00:01Z")
        }
    }

    @Test func `a reset gives the clock back to the system`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PUT", Self.path, Self.clock("frozen", "2040-01-01T00:00:00Z"))
            _ = try await sandbox.control("POST", "/v1/tenants/default/reset")
            #expect(try await sandbox.control("GET", Self.path).json == Self.clock("system", Self.start))
        }
    }
}
