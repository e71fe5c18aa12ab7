import Core
import SandboxTesting
import Testing
import Wire

/// A member that nobody knows is ignored, and told in `X-Sandbox-Warning`.
struct UnknownMemberTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let call: String
        let body: JSON
        let status: Int
        /// The pointers that are told; nil when there is no header.
        let told: String?

        var testDescription: String { "\(call) \(body.text.prefix(90))" }

        init(_ call: String, _ body: JSON, _ status: Int, _ told: String?) {
            (self.call, self.body, self.status, self.told) = (call, body, status, told)
        }
    }

    private static let tenant = "PATCH /v1/tenants/default"
    private static let issuer = "PUT /v1/issuers/DEMOBANK02"
    private static let metadata = "PUT /v1/issuers/DEMOBANK01/pass-metadata/visa"
    private static let application = "PUT /v1/applications/A1B2C3D4E5.com.demobank.app"
    private static let card: JSON = [
        "issuerId": "DEMOBANK01", "issuerCardRefId": "new", "pan": "4111111111111111", "exp": "1230",
    ]

    static let rows: [Row] = [
        Row(tenant, ["strictnes": "strict"], 200, "/strictnes"),
        Row(tenant, ["strictnes": nil, "magicdata": false, "magicData": true], 200, "/strictnes, /magicdata"),
        Row(tenant, ["name": "default", "strictness": "lenient"], 200, nil),
        Row(tenant, ["name": "other"], 200, "/name"),
        // What was not read when the mistake was found is not a slip; what nobody knows is.
        Row(tenant, ["strictness": "loose", "magicData": true, "sed": 1], 400, "/sed"),
        Row("POST /v1/tenants", ["name": "t-1", "seed": 1, "magicdata": true], 201, "/magicdata"),
        Row("POST /v1/tenants", ["nam": "t-1", "seed": 1], 400, "/nam"),
        Row("POST /v1/tenants/default/fork", ["as": "t-2", "seed": 5], 201, "/seed"),
        Row("POST /v1/tenants/default/reset", ["seed": 5], 200, "/seed"),
        Row("POST /v1/tenants/default/reset", [:], 200, nil),
        Row("PUT /v1/clock", ["mode": "frozen", "time": "2030-01-01T00:00:00Z"], 200, "/time"),
        Row("POST /v1/clock/advance", ["seconds": 1, "minutes": 1], 200, "/minutes"),
        Row("POST /v1/clock/advance", ["minutes": 1], 400, "/minutes"),
        Row(metadata, ["contactName": "A", "appLaunchUrl": "a://b"], 200, "/appLaunchUrl"),
        Row(metadata, ["issuerId": "DEMOBANK01", "network": "visa", "bank_app": nil], 200, nil),
        Row(metadata, ["network": "amex"], 200, "/network"),
        Row(metadata + "/apply", ["token": "x"], 405, nil),
        Row("POST /v1/issuers/DEMOBANK01/pass-metadata/visa/apply", ["token": "x"], 200, "/token"),
        Row(application, ["issuerId": "DEMOBANK01", "isEntitled": false], 200, "/isEntitled"),
        Row(
            application,
            ["application": "A1B2C3D4E5.com.demobank.app", "issuerId": "DEMOBANK01", "urlScheme": nil],
            200,
            nil
        ),
        Row("POST /v1/cards", card.adding("cvv", "123"), 201, "/cvv"),
        Row("POST /v1/cards", card.replacing("pan", "41").adding("holder", "A"), 400, "/holder"),
        Row("POST /v1/cards/card-visa/events", ["event": "block", "reason": "x"], 200, "/reason"),
        Row("POST /v1/tokens", ["card": "card-visa", "deviceId": "d"], 400, "/card"),
        Row("POST /v1/tokens/none/events", ["event": "suspend", "actor": "issuer"], 404, "/actor"),
        Row("POST /v1/payload-keys/rotate", ["size": 4_096], 201, "/size"),
        Row("POST /v1/snapshots", ["id": "mine"], 201, "/id"),
        Row("POST /v1/explain", ["kind": "pkcs7", "value": "x", "contxt": [:]], 200, "/contxt"),
        Row(
            "POST /v1/explain",
            ["kind": "pkcs7", "value": "x", "context": ["issuer": "DEMOBANK01", "url": "u", "headers": [:]]],
            200,
            "/context/issuer"
        ),
        Row("POST /v1/explain", ["kind": "pass", "value": ["a": 1], "context": ["sessionId": "s"]], 200, nil),
        Row(issuer, ["nme": "x", "policies": ["bindng": "off"]], 200, "/nme, /policies/bindng"),
        Row(
            issuer,
            ["policies": ["bindng": "off", "binding": "never"], "callbacks": [:]],
            400,
            "/policies/bindng"
        ),
        Row(
            issuer,
            [
                "callbacks": ["visa": ["url": "http://x", "secret": "y"], "any": "http://z"],
                "d1": ["audience": "a", "audiance": ["b"]], "accountRanges": [["low": "40", "high": "41", "to": "42"]],
            ],
            200,
            "/accountRanges/0/to, /d1/audiance"
        ),
        Row(
            issuer,
            [
                "networkKeys": [
                    "visa": ["keyset": "1"], "amex": ["secret": "x"], "jcb": [:],
                    "mastercard": ["tav": [], "alias": "x"],
                ]
            ],
            200,
            "/networkKeys/jcb, /networkKeys/mastercard/alias, /networkKeys/visa/keyset, /networkKeys/amex/secret"
        ),
        // Rules and worlds are read by others, who refuse what they do not know.
        Row("POST /v1/faults", ["match": [:], "effect": ["decision": "red"], "triger": [:]], 400, nil),
        Row("POST /v1/import", ["no": "world"], 400, nil),
        // Names that a header field or a log must not have as they are.
        Row(tenant, ["4111111111111111": 1], 200, "/************1111"),
        Row(
            tenant,
            ["a\r\nb: c": 1, "d,e": 1, "f/g~%": 1, "é": 1],
            200,
            "/a%0D%0Ab:%20c, /d%2Ce, /f~1g~0%25, /%C3%A9"
        ),
        Row(
            tenant,
            [
                "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": 1,
                "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee": 1,
            ],
            200,
            "/a, /b, /c, /d, /e, /f, /g, /h"
        ),
        Row(
            tenant,
            ["aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee": 1],
            200,
            "/aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"
        ),
    ]

    @Test(arguments: rows)
    func `a member that nobody knows is told, one that is known is not`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let parts = row.call.split(separator: " ").map(String.init)
            let reply = try await sandbox.control(parts[0], parts[1], row.body)
            #expect(reply.status == row.status, "\(reply.summary)")
            #expect(reply.header("x-sandbox-warning") == row.told.map { "UNKNOWN_MEMBER \($0)" })
        }
    }

    @Test func `the header does not go with the diagnosis header, and what GET answers can be put in silence`()
        async throws
    {
        try await withSandbox { sandbox in
            let off = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false, "x": 1])
            #expect(off.header("x-sandbox-warning") == "UNKNOWN_MEMBER /x")
            for path in [
                "/v1/issuers/DEMOBANK01", "/v1/issuers/DEMOBANK01/pass-metadata/visa", "/v1/clock",
                "/v1/applications/A1B2C3D4E5.com.demobank.app",
            ] {
                let read = try await sandbox.control("GET", path)
                let put = try await sandbox.control("PUT", path, read.json)
                #expect(put.status == 200 && put.header("x-sandbox-warning") == nil, "\(path) \(put.summary)")
            }
        }
    }
}
