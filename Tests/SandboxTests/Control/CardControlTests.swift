import Core
import SandboxTesting
import Testing
import Wire

/// `/v1/cards`, `/v1/tokens` and the inbox of one-time codes.
struct CardControlTests {
    private static let card: JSON = [
        "issuerId": "DEMOBANK01", "issuerCardRefId": "new-card", "consumerId": "consumer-ana",
        "pan": "4242424242424242", "exp": "1232", "cardHolderName": "ANA PRUEBA",
    ]

    @Test func `a card comes back masked, in the shape of the contract`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.control("POST", "/v1/cards", Self.card)
            #expect(made.status == 201)
            let wanted: [(String, JSON)] = [
                ("issuerCardRefId", "new-card"), ("issuerId", "DEMOBANK01"), ("consumerId", "consumer-ana"),
                ("network", "visa"), ("panSuffix", "4242"), ("expiryDate", "1232"), ("state", "active"),
            ]
            for (name, value) in wanted { #expect(made[name] == value) }
            #expect(try await sandbox.control("GET", "/v1/cards/new-card").json == made.json)
            let items = try await sandbox.control("GET", "/v1/cards")["items"].array
            #expect(items?.last == made.json && (items?.count ?? 0) >= 6)
            let again = try await sandbox.control("POST", "/v1/cards", Self.card)
            #expect(Problem(again) == Problem(409, "CARD_EXISTS", "/issuerCardRefId"))
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let member: String
        let value: JSON
        let problem: Problem
        var testDescription: String { "\(member) is \(value.text.prefix(24))" }

        init(_ member: String, _ value: JSON, _ status: Int, _ code: String) {
            self.member = member
            self.value = value
            problem = Problem(status, code, "/" + member)
        }
    }

    static let wrong: [Case] = [
        Case("issuerId", .null, 400, "FIELD_MISSING"), Case("issuerId", "NOBODY0001", 404, "ISSUER_NOT_FOUND"),
        Case("issuerCardRefId", .null, 400, "CARD_REF_MISSING"),
        Case("issuerCardRefId", "4111111111111111", 400, "CARD_REF_IS_PAN"),
        Case("issuerCardRefId", "card-4242424242424242", 400, "CARD_REF_IS_PAN"),
        Case("issuerCardRefId", "4242-4242-4242-4242", 400, "CARD_REF_IS_PAN"),
        Case("issuerCardRefId", "a b", 400, "CARD_REF_MALFORMED"), Case("pan", .null, 400, "FIELD_MISSING"),
        Case("pan", 4_242_424_242_424_242, 400, "FIELD_INVALID"), Case("pan", "4242 4242", 400, "FIELD_INVALID"),
        Case("pan", "4539578763621486", 400, "PAN_NOT_TEST"),
        Case("pan", "9999999999999995", 400, "PAN_NETWORK_UNKNOWN"),
        Case("exp", .null, 400, "FIELD_MISSING"), Case("exp", "12/32", 400, "FIELD_INVALID"),
        Case("exp", "1332", 400, "FIELD_INVALID"), Case("consumerId", 1, 400, "FIELD_INVALID"),
    ]

    @Test(arguments: wrong)
    func `a wrong card is refused with the place`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let body = Self.card.replacing(example.member, example.value)
            let reply = try await sandbox.control("POST", "/v1/cards", body)
            #expect(Problem(reply) == example.problem)
        }
    }

    @Test func `an issuer's events change the card; its tokens follow a close only`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.provision(try await sandbox.device(), .visa, .visa).text("tokenId")
            let path = "/v1/cards/test-visa/events"
            let fpanID = try await sandbox.control("GET", "/v1/cards/test-visa").text("primaryAccountIdentifier")
            let table: [(body: JSON, card: String, token: String)] = [
                (["event": "block"], "1111 1232 blocked", "active"),
                (["event": "unblock"], "1111 1232 active", "active"),
                (["event": "renew"], "1111 1235 active", "active"),
                (["event": "renew", "exp": "0140"], "1111 0140 active", "active"),
                (["event": "replace", "pan": "4012888888881881", "exp": "0141"], "1881 0141 active", "active"),
                (["event": "close"], "1881 0141 closed", "deleted"),
            ]
            for (body, card, state) in table {
                let reply = try await sandbox.control("POST", path, body)
                let seen = ["panSuffix", "expiryDate", "state"].map { reply.text($0) }.joined(separator: " ")
                #expect(seen == card, "\(body.text) \(reply.summary)")
                #expect(reply.text("primaryAccountIdentifier") == fpanID)
                #expect(try await sandbox.token(token).text("state") == state)
            }
            #expect(
                try await Problem(sandbox.control("POST", path, ["event": "unblock"])) == Problem(409, "CARD_IS_CLOSED")
            )
            let unknown = try await sandbox.control("POST", "/v1/cards/none/events", ["event": "block"])
            #expect(Problem(unknown) == Problem(404, "CARD_UNKNOWN"))
            let word = try await sandbox.control("POST", path, ["event": "eat"])
            #expect(Problem(word) == Problem(400, "FIELD_INVALID", "/event"))
        }
    }

    @Test func `a replaced card's pass shows the new suffix under the same token and FPAN id`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let replace: JSON = ["event": "replace", "pan": "4012888888881881"]
            _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", replace)
            let pass = try await sandbox.passes(phone, query: "last4=1881")["localPasses"].array?.first
            let before = made["pass"]["secureElementPass"] ?? .null
            #expect(pass?["secureElementPass"] == before.replacing("primaryAccountNumberSuffix", "1881"))
        }
    }

    @Test func `a card is not replaced by one of another network`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let replace: JSON = ["event": "replace", "pan": "5555555555554444"]
            let reply = try await sandbox.control("POST", "/v1/cards/test-visa/events", replace)
            #expect(Problem(reply) == Problem(400, "PAN_NETWORK_MISMATCH", "/pan"))
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("network") == "visa")
        }
    }

    @Test func `two issuers may use one reference, and a path must say which`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            try await sandbox.register(.visa, issuerID: "DEMOBANK02")
            #expect(
                try await Problem(sandbox.control("GET", "/v1/cards/test-visa"))
                    == Problem(409, "CARD_REFERENCE_AMBIGUOUS")
            )
            let one = try await sandbox.control("GET", "/v1/cards/test-visa?issuerId=DEMOBANK02")
            #expect(one.text("issuerId") == "DEMOBANK02")
        }
    }

    private func wanted(_ phone: String, _ changes: (String, JSON)...) -> JSON {
        let good: JSON = [
            "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(phone),
            "application": .string(TestSandbox.application), "state": "active",
        ]
        return changes.reduce(good) { $0.replacing($1.0, $1.1) }
    }

    @Test(arguments: ["inactive", "active", "suspended", "deleted"])
    func `a token is made in the wanted state`(_ state: String) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let body = wanted(phone, ("state", .string(state)), ("tokenId", "my-token"))
            let made = try await sandbox.control("POST", "/v1/tokens", body)
            let keys = [
                "tokenId", "network", "issuerId", "issuerCardRefId", "state", "suspenders", "tokenRequestorId",
                "deviceId", "serialNumber", "tokenSuffix", "expiryDate", "history",
            ]
            #expect([String(made.status), made.text("state"), made.text("tokenId")] == ["201", state, "my-token"])
            #expect(made.json.object?.keys == keys)
            #expect(made["history"].array?.first?.object?.keys == ["at", "event", "by", "reason", "from", "to"])
            #expect(made["tokenRequestorId"] == "40010030273")
            #expect(try await sandbox.token("my-token").json == made.json)
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"] == [made.json])
            let count = state == "deleted" ? 0 : 1
            #expect(try await sandbox.passes(phone)["localPasses"].array?.count == count)
        }
    }

    @Test func `a token that cannot be is refused with the place`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.control("POST", "/v1/tokens", wanted(phone, ("tokenId", "taken")))
            let other = try await sandbox.device()
            let table: [(body: JSON, problem: Problem)] = [
                (wanted(phone), Problem(409, "TOKEN_ALREADY_ON_DEVICE", "/deviceId")),
                (wanted(other, ("tokenId", "taken")), Problem(409, "TOKEN_EXISTS", "/tokenId")),
                (wanted(other, ("tokenId", "4111111111111111")), Problem(400, "FIELD_INVALID", "/tokenId")),
                (wanted(other, ("network", "amex")), Problem(400, "FIELD_INVALID", "/network")),
                (wanted(other, ("network", "VISA")), Problem(400, "FIELD_INVALID", "/network")),
                (wanted(other, ("state", "gone")), Problem(400, "FIELD_INVALID", "/state")),
                (wanted(other, ("issuerCardRefId", "none")), Problem(404, "CARD_UNKNOWN", "/issuerCardRefId")),
                (wanted("dev-none"), Problem(404, "DEVICE_UNKNOWN", "/deviceId")),
                (wanted(other, ("deviceId", .null)), Problem(400, "FIELD_MISSING", "/deviceId")),
                (wanted(other, ("application", "x")), Problem(400, "APPLICATION_IDENTIFIER_FORM", "/application")),
            ]
            for (body, problem) in table {
                #expect(try await Problem(sandbox.control("POST", "/v1/tokens", body)) == problem)
            }
        }
    }

    @Test func `token events come from any party, and what the life cycle refuses is 409`() async throws {
        try await withSandbox { sandbox in
            let body = wanted(try await sandbox.device(), ("tokenId", "t"), ("state", "inactive"))
            _ = try await sandbox.control("POST", "/v1/tokens", body)
            let path = "/v1/tokens/t/events"
            let table: [(event: String, by: String, seen: String)] = [
                ("suspend", "issuer", "409 TOKEN_REQUIRES_ACTIVATION"), ("activate", "network", "active"),
                ("suspend", "requestor", "suspended requestor"), ("suspend", "network", "suspended requestor network"),
                ("suspend", "network", "409 ALREADY_IN_REQUESTED_STATE"),
                ("resume", "issuer", "409 SUSPENDED_BY_OTHER"),
                ("resume", "network", "suspended requestor"), ("resume", "requestor", "active"),
                ("expire", "network", "409 TOKEN_DOES_NOT_EXPIRE"), ("delete", "cardholder", "deleted"),
                ("activate", "issuer", "409 TOKEN_DELETED"),
            ]
            for (event, by, seen) in table {
                let body: JSON = ["event": .string(event), "by": .string(by), "reason": "test"]
                let reply = try await sandbox.control("POST", path, body)
                let suspenders = reply["suspenders"].array?.compactMap(\.string) ?? []
                let words =
                    reply.status == 200
                    ? ([reply.text("state")] + suspenders).joined(separator: " ")
                    : "\(reply.status) \(reply.text("code"))"
                #expect(words == seen, "\(event) by \(by)")
                // The answer is the token as GET shows it, with its whole history (CONTRACT, section 5).
                if reply.status == 200 { #expect(reply.json == (try await sandbox.token("t")).json) }
            }
            let last = try await sandbox.token("t")["history"].array?.last
            let entry: JSON = [
                "at": "2030-01-01T00:00:00Z", "event": "delete", "by": "cardholder", "reason": "test",
                "from": "active", "to": "deleted",
            ]
            #expect(last == entry)
            for (body, pointer) in [(["event": "eat"], "/event"), (["event": "delete", "by": "me"], "/by")]
                as [(JSON, String)]
            {
                #expect(
                    try await Problem(sandbox.control("POST", path, body)) == Problem(400, "FIELD_INVALID", pointer)
                )
            }
            let none = try await sandbox.control("POST", "/v1/tokens/none/events", ["event": "delete"])
            #expect(Problem(none) == Problem(404, "TOKEN_UNKNOWN"))
        }
    }

    @Test func `an inactive token expires, and the inbox holds its codes only`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = (try await sandbox.device(), try await sandbox.device())
            for (device, id) in [(phone, "a"), (watch, "b")] {
                let made = try await sandbox.control(
                    "POST",
                    "/v1/tokens",
                    wanted(device, ("tokenId", .string(id)), ("state", "inactive"))
                )
                let path = "/wallet/apple/devices/\(device)/passes/\(made.text("serialNumber"))/activation-code"
                #expect(try await sandbox.api("POST", path, ["method": "SMS"]).status == 202)
            }
            #expect(try await sandbox.control("GET", "/v1/activation-codes")["items"].array?.count == 2)
            let one = try await sandbox.control("GET", "/v1/activation-codes?tokenId=a")["items"].array
            #expect(one?.compactMap { $0["tokenId"]?.string } == ["a"])
            let expired = try await sandbox.control(
                "POST",
                "/v1/tokens/a/events",
                ["event": "expire", "by": "network"]
            )
            #expect(expired.text("state") == "deleted")
        }
    }

    @Test func `of two issuers with one reference, body or query names one`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            try await sandbox.register(.visa, issuerID: "DEMOBANK02")
            let path = "/v1/cards/test-visa"
            let one: JSON = ["event": "block"]
            let vague = try await sandbox.control("POST", path + "/events", one)
            #expect(Problem(vague) == Problem(409, "CARD_REFERENCE_AMBIGUOUS"))
            let inBody = try await sandbox.control("POST", path + "/events", one.adding("issuerId", "DEMOBANK02"))
            #expect([inBody["issuerId"], inBody["state"]] == ["DEMOBANK02", "blocked"], "\(inBody.summary)")
            let query = path + "/events?issuerId=DEMOBANK01"
            #expect(try await sandbox.control("POST", query, one)["issuerId"] == "DEMOBANK01")
            let both = try await sandbox.control("POST", query, one.adding("issuerId", "DEMOBANK01"))
            #expect(both.status == 200 && both.header("x-sandbox-warning") == nil)
            let apart = try await sandbox.control("POST", query, one.adding("issuerId", "DEMOBANK02"))
            #expect(Problem(apart) == Problem(400, "FIELD_INVALID", "/issuerId"))
            let none = try await sandbox.control("POST", path + "/events", one.adding("issuerId", "NOBODY0001"))
            #expect(Problem(none) == Problem(404, "CARD_UNKNOWN"))
        }
    }
}
