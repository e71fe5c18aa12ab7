import Core
import SandboxTesting
import Testing
import Wire

/// Consumers and cards through D1's issuer API.
struct CardAPITests {
    static let base = "v2/issuers/DEMOBANK01"
    static let pan = "4761731000000043"

    private func withBearer(_ body: (TestSandbox, String) async throws -> Void) async throws {
        try await withSandbox { sandbox in try await body(sandbox, try await sandbox.bearer()) }
    }

    private func registration(_ sandbox: TestSandbox, pan: String = pan, exp: String = "1230") throws -> JSON {
        [
            "consumerId": "consumer-new", "cardProductId": "gold",
            "encryptedData": .string(try TestIssuer(sandbox).encryptedData(pan, exp: exp)),
        ]
    }

    private func register(
        _ sandbox: TestSandbox,
        _ bearer: String,
        _ id: String,
        pan: String = pan
    ) async throws
        -> TestReply
    {
        let consumer: JSON = ["language": "es-MX", "firstName": "Nina", "lastName": "Prueba"]
        let made = try await sandbox.banking("PUT", Self.base + "/consumers/consumer-new", bearer, consumer)
        #expect(made.status == 204)
        return try await sandbox.banking(
            "PUT",
            Self.base + "/cards/\(id)",
            bearer,
            try registration(sandbox, pan: pan)
        )
    }

    @Test func `a registered card goes through the extension to an active token, and D1 tells its issuer`() async throws
    {
        try await withBearer { sandbox, bearer in
            #expect(try await register(sandbox, bearer, "card-new").status == 204)
            let card = try await sandbox.banking("GET", "v1/issuers/DEMOBANK01/cards/card-new", bearer)
            #expect((card["scheme"], card["last4"], card["state"]) == ("VISA", "0043", "ACTIVE"))
            #expect((card["expiry"], card["consumerId"], card["cardProductId"]) == ("1230", "consumer-new", "gold"))

            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-new", "0043")], consumer: "consumer-new")
            let session = try await sandbox.session(phone, consumer: "consumer-new")
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", session)["items"].array?.first)
            #expect(entry["cardholderName"] == "NINA PRUEBA")
            let made = try await sandbox.addThroughExtension(phone, session, entry)
            #expect((made.status, made["decision"]) == (201, "green"))
            let tokenID = made["tokenId"]

            let callbacks = try await sandbox.control("GET", "/v1/callbacks")["items"].array ?? []
            let digitized = try #require(callbacks.first { $0["operation"] == "d1.notifyCard" })
            #expect(digitized["body"]?["operation"] == "DIGITIZE")
            #expect(digitized["body"]?["digitalCardIds"] == .array([tokenID]))
            #expect((digitized["state"], digitized["tokenId"]) == ("queued", tokenID))
            let id = digitized["id"]?.string ?? ""
            let again = try await sandbox.control("POST", "/v1/callbacks/\(id)/redeliver")
            #expect((again.status, again["state"]) == (202, "queued"))
            #expect(again["note"].string?.contains("Delivery") == true)
            #expect(try await sandbox.control("POST", "/v1/callbacks/cb-0/redeliver").status == 404)
        }
    }

    @Test func `suspending a card leaves its digital cards, deleting it deletes them`() async throws {
        try await withBearer { sandbox, bearer in
            let phone = try await sandbox.device()
            let token =
                try await sandbox.control(
                    "POST",
                    "/v1/tokens",
                    [
                        "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(phone),
                        "application": .string(TestSandbox.application), "state": "active",
                    ]
                )["tokenId"].string ?? ""
            let path = Self.base + "/cards/card-visa/operations/"
            let suspended = try await sandbox.banking("POST", path + "suspend", bearer, ["reason": "CARD_LOST"])
            #expect((suspended.status, suspended["status"]) == (200, "SUCCESSFUL"))
            #expect(suspended["operationId"].string?.isEmpty == false)
            #expect(try await sandbox.token(token)["state"] == "active")
            let digital = "v1/issuers/DEMOBANK01/digitalCards/\(token)/operations:"
            #expect(try await sandbox.banking("POST", digital + "suspend", bearer).status == 200)
            let twice = try await sandbox.banking("POST", digital + "suspend", bearer)
            #expect((twice.status, twice.diagnosis) == (403, ["ALREADY_IN_REQUESTED_STATE"]))
            let extra = try await sandbox.banking("POST", digital + "resume", bearer, ["x": 1])
            #expect((extra.status, extra["error"]) == (400, "x"))
            let code = try await sandbox.banking("POST", digital + "resume", bearer, ["reasonCode": "BORED"])
            #expect(code.json == ["errorCode": "FIELD_INVALID_VALUE", "error": "reasonCode"])
            #expect(try await sandbox.banking("POST", digital + "resume", bearer).status == 200)
            #expect(try await sandbox.banking("POST", path + "delete", bearer, ["reason": "CLOSED_CARD"]).status == 200)
            #expect(try await sandbox.token(token)["state"] == "deleted")
            let words = try await sandbox.control("GET", "/v1/callbacks?tokenId=\(token)")["items"].array?
                .compactMap { $0["body"]?["operation"]?.string }
            #expect(words == ["DIGITIZE", "SUSPEND", "RESUME", "DELETE"])
        }
    }

    struct Reason: CustomTestStringConvertible {
        let suspendedFor: String
        let resume: String
        let status: Int
        var testDescription: String { "\(resume) after \(suspendedFor)" }

        static let all = [
            Reason(suspendedFor: "CARD_LOST", resume: "CARD_FOUND", status: 200),
            Reason(suspendedFor: "CARD_STOLEN", resume: "CARD_FOUND", status: 403),
            Reason(suspendedFor: "USER_DECISION", resume: "USER_DECISION", status: 200),
            Reason(suspendedFor: "FRAUD", resume: "USER_DECISION", status: 403),
            Reason(suspendedFor: "FRAUD", resume: "ISSUER_DECISION", status: 200),
            Reason(suspendedFor: "FRAUD", resume: "CARD_LOST", status: 403),
            Reason(suspendedFor: "FRAUD", resume: "BORED", status: 400),
            Reason(suspendedFor: "CARD_FOUND", resume: "", status: 403),
            Reason(suspendedFor: "CLOSED_CARD", resume: "", status: 403),
        ]
    }

    @Test(arguments: Reason.all)
    func `a reason goes with its operation`(_ reason: Reason) async throws {
        try await withBearer { sandbox, bearer in
            // The first version's spelling of the path.
            let path = "v1/issuers/DEMOBANK01/cards/card-visa/operations:"
            let suspended = try await sandbox.banking(
                "POST",
                path + "suspend",
                bearer,
                ["reason": .string(reason.suspendedFor)]
            )
            guard !reason.resume.isEmpty else {
                #expect((suspended.status, suspended.diagnosis) == (reason.status, ["D1_REASON_NOT_ALLOWED"]))
                return
            }
            #expect(suspended.status == 200)
            let resumed = try await sandbox.banking("POST", path + "resume", bearer, ["reason": .string(reason.resume)])
            #expect(resumed.status == reason.status)
            let again = try await sandbox.banking("POST", path + "suspend", bearer)
            #expect(again.status == (reason.status == 200 ? 200 : 403))
        }
    }

    @Test func `a deleted or replaced number never comes back`() async throws {
        try await withBearer { sandbox, bearer in
            #expect(try await register(sandbox, bearer, "card-a").status == 204)
            let path = Self.base + "/cards/card-a"
            let next = try TestIssuer(sandbox).encryptedData("4761731000000050", exp: "1231")
            let replaced = try await sandbox.banking(
                "POST",
                path + "/operations/replace",
                bearer,
                ["reason": "CARD_STOLEN", "encryptedData": .string(next)]
            )
            #expect(replaced.status == 200)
            let card = try await sandbox.banking("GET", path, bearer)
            #expect((card["last4"], card["expiry"]) == ("0050", "1231"))
            let old = try await register(sandbox, bearer, "card-b")
            #expect((old.status, old.diagnosis) == (403, ["D1_PAN_RETIRED"]))
            #expect(try await sandbox.banking("POST", path + "/operations/delete", bearer).status == 200)
            #expect(try await sandbox.banking("GET", path, bearer)["state"] == "DELETED")
            let deleted = try await register(sandbox, bearer, "card-c", pan: "4761731000000050")
            #expect((deleted.status, deleted.diagnosis) == (403, ["D1_PAN_RETIRED"]))
            // The id may be used again, with another number; then the first card's number stays retired.
            #expect(try await register(sandbox, bearer, "card-a", pan: "4761731000000068").status == 204)
            #expect(try await register(sandbox, bearer, "card-c", pan: "4761731000000050").status == 403)
            let taken = try await register(sandbox, bearer, "card-a", pan: "4761731000000076")
            #expect((taken.status, taken.diagnosis) == (403, ["D1_CARD_ID_TAKEN"]))
        }
    }

    @Test func `renewal keeps the number, replacement needs another`() async throws {
        try await withBearer { sandbox, bearer in
            let path = Self.base + "/cards/card-visa/operations/"
            let issuer = TestIssuer(sandbox)
            let other: JSON = ["encryptedData": .string(try issuer.encryptedData(Self.pan))]
            let same: JSON = ["encryptedData": .string(try issuer.encryptedData("4761732103612718", exp: "0633"))]
            #expect(try await sandbox.banking("POST", path + "renew", bearer, other).diagnosis == ["D1_PAN_DIFFERS"])
            #expect(try await sandbox.banking("POST", path + "replace", bearer, same).diagnosis == ["D1_PAN_DIFFERS"])
            #expect(try await sandbox.banking("POST", path + "replace", bearer).diagnosis == ["D1_REPLACEMENT_MISSING"])
            #expect(try await sandbox.banking("POST", path + "renew", bearer, same).status == 200)
            let card = try await sandbox.banking("GET", Self.base + "/cards/card-visa", bearer)
            #expect(card["expiry"] == "0633")
        }
    }

    @Test func `a replacement stays in the card's network`() async throws {
        try await withBearer { sandbox, bearer in
            let path = Self.base + "/cards/card-visa"
            let other: JSON = [
                "reason": "CARD_STOLEN",
                "encryptedData": .string(try TestIssuer(sandbox).encryptedData("5555555555554444", exp: "1231")),
            ]
            let reply = try await sandbox.banking("POST", path + "/operations/replace", bearer, other)
            #expect(reply.diagnosis == ["PAN_NETWORK_MISMATCH"], "\(reply.summary)")
            #expect(try await sandbox.banking("GET", path, bearer)["last4"] == "2718")
        }
    }

    @Test func `registering a card again says that its state stays`() async throws {
        try await withBearer { sandbox, bearer in
            let again = { (state: JSON) in
                let body = try registration(sandbox)
                return try await sandbox.banking(
                    "PUT",
                    Self.base + "/cards/card-state",
                    bearer,
                    state.isNull ? body : body.replacing("state", state)
                )
            }
            #expect(try await register(sandbox, bearer, "card-other", pan: "4761731000000050").status == 204)
            let steps: [(state: String?, code: String)] = [
                ("INACTIVE", ""), ("ACTIVE", "D1_CARD_STATE_IGNORED"), ("INACTIVE", ""), (nil, ""),
            ]
            for (state, code) in steps {
                let reply = try await again(state.map { .string($0) } ?? .null)
                #expect(reply.status == 204, "\(reply.summary)")
                #expect(try await sandbox.journaled() == (code.isEmpty ? [] : [code]))
            }
            #expect(try await sandbox.banking("GET", Self.base + "/cards/card-state", bearer)["state"] == "INACTIVE")
        }
    }

    @Test func `what is wrong with a registration is named`() async throws {
        try await withBearer { sandbox, bearer in
            let put = { (id: String, body: JSON) in
                try await sandbox.banking("PUT", Self.base + "/cards/\(id)", bearer, body)
            }
            let good = try registration(sandbox)
            let consumer = try await put("c1", good)
            #expect((consumer.status, consumer.diagnosis) == (404, ["D1_API_CONSUMER_UNKNOWN"]))
            let data = try await put("c1", good.replacing("encryptedData", "x"))
            #expect(data.json == ["errorCode": "FIELD_INVALID_FORMAT", "error": "encryptedData"])
            #expect(data.diagnosis == ["JWE_PARTS"])
            let state = try await put("c1", good.replacing("state", "GONE"))
            #expect(state.json == ["errorCode": "FIELD_INVALID_VALUE", "error": "state"])
            for id in ["4111111111111111", "card-4111111111111111", "4111-1111-1111-1111"] {
                let pan = try await put(id, good)
                #expect((pan.status, pan.diagnosis.first) == (400, "CARD_REF_IS_PAN"), "\(id)")
                #expect(!pan.text.contains("1111"))
            }
            let real = try await put("c1", try registration(sandbox, pan: "4539511619543489"))
            #expect((real.status, real.diagnosis) == (400, ["PAN_NOT_TEST"]))
            let unknown = try await sandbox.banking("GET", Self.base + "/cards/nothing", bearer)
            #expect((unknown.status, unknown.diagnosis) == (404, ["D1_API_CARD_UNKNOWN"]))
        }
    }

    @Test func `version 1 registers a consumer's list, all or none`() async throws {
        try await withBearer { sandbox, bearer in
            let issuer = TestIssuer(sandbox)
            let base = "v1/issuers/DEMOBANK01/consumers/consumer-list"
            #expect(try await sandbox.banking("PUT", base, bearer).status == 204)
            let card = { (id: String, pan: String) -> JSON in
                ["cardId": .string(id), "encryptedData": .string(try issuer.encryptedData(pan))]
            }
            let bad: JSON = ["cards": [try card("l1", Self.pan), ["cardId": "l2", "encryptedData": "a.b"]]]
            #expect(try await sandbox.banking("PUT", base + "/cards", bearer, bad).status == 400)
            #expect(try await sandbox.banking("GET", base + "/cards", bearer)["cards"] == [])
            let good: JSON = ["cards": [try card("l1", Self.pan), try card("l2", "4761731000000050")]]
            #expect(try await sandbox.banking("PUT", base + "/cards", bearer, good).status == 204)
            let ids = try await sandbox.banking("GET", base + "/cards", bearer)["cards"].array?
                .compactMap { $0["cardId"]?.string }
            #expect(ids == ["l1", "l2"])
            #expect(try await sandbox.banking("DELETE", base, bearer).status == 204)
            #expect(try await sandbox.banking("GET", base, bearer).status == 404)
            #expect(try await sandbox.banking("GET", "v1/issuers/DEMOBANK01/cards/l1", bearer)["state"] == "DELETED")
        }
    }
}
