import Core
import SandboxTesting
import Testing
import Wire

/// Card art of real size: megabytes a card, several cards in a call.
struct CardArtSizeTests {
    private static func art(_ bytes: Int) -> [UInt8] {
        let picture = TestPNG.make(width: 1_536, height: 969, colour: 2)
        let filler = [UInt8](repeating: 0, count: bytes - picture.count - 12)
        return TestPNG.make(width: 1_536, height: 969, colour: 2, more: [("teSt", filler)])
    }

    private static func body(_ phone: String, _ pictures: [JSON]) -> JSON {
        [
            "deviceId": .string(phone), "application": .string(TestSandbox.application),
            "appGroupID": .string(TestSandbox.appGroup), "issuerId": "DEMOBANK01", "consumerId": "consumer-ana",
            "cardParamsList": .array(
                zip(["card-visa", "card-mastercard", "card-amex", "card-discover"], pictures).map { id, art in
                    ["cardId": .string(id), "productTitle": "Demo", "cardArt": art, "last4": "0000"]
                }
            ),
        ]
    }

    @Test func `four cards of almost 4 MB are taken, kept and offered`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let picture = JSON.base64(Self.art(3_999_999))
            let reply = try await sandbox.api(
                "POST",
                "/d1/client/v1/configure",
                Self.body(phone, [picture, picture, picture, picture])
            )
            #expect((reply.status, reply["cards"]) == (200, 4), "\(reply.text.prefix(200))")
            let journal = try await sandbox.control("GET", "/v1/journal?operation=d1.configure&limit=1")
            let shown = journal["items"].array?.first?["request"]?["body"]?.string ?? ""
            #expect(shown.contains("\"cardArt\":\"<3999999 bytes, sha256 "))
            let session = try await sandbox.session(phone)
            let entries = try await sandbox.d1("GET", "pass-entries", session)
            #expect(entries["items"].array?.map { $0["art"] } == [picture, picture, picture, picture])
            // The next configuration replaces them.
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let after = try await sandbox.d1("GET", "pass-entries", session)
            #expect(after["items"].array?.map { $0["art"] } == [.string(TestSandbox.tinyArt)])
            let world = try await sandbox.control("GET", "/v1/export")
            let kept = world["records"].array?.filter { $0["kind"] == "d1CardArt" }
            #expect(kept?.count == 1)
        }
    }

    struct Verdict: CustomTestStringConvertible {
        let testDescription: String
        let art: JSON
        let notice: String?
        let strict: Int
    }

    static let verdicts = [
        Verdict(testDescription: "good", art: .base64(art(20_000)), notice: nil, strict: 200),
        Verdict(testDescription: "4 MB", art: .base64(art(4_000_000)), notice: "D1_CARD_ART_RULES", strict: 200),
        Verdict(testDescription: "small", art: .string(TestSandbox.tinyArt), notice: "D1_CARD_ART_RULES", strict: 200),
        Verdict(testDescription: "JPEG", art: "/9j/4AAQ", notice: "D1_CARD_ART_UNREADABLE", strict: 400),
        Verdict(
            testDescription: "data URL",
            art: "data:image/png;base64,iVBORw0K",
            notice: "D1_CARD_ART_UNREADABLE",
            strict: 400
        ),
    ]

    @Test(arguments: verdicts)
    func `what is wrong with art is warned of, and refused in strict when it cannot be read`(
        _ one: Verdict
    ) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let body = Self.body(phone, [one.art])
            let reply = try await sandbox.api("POST", "/d1/client/v1/configure", body)
            #expect((reply.status, reply.header("x-sandbox-notice")) == (200, one.notice))
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
            let strict = try await sandbox.api("POST", "/d1/client/v1/configure", body)
            #expect(strict.status == one.strict)
            if one.strict == 400 { #expect(strict["code"] == 60002) }
        }
    }

    @Test func `a picture over the limit is told by the check`() async throws {
        try await withSandbox { sandbox in
            let path = "/d1/client/v1/card-art/check"
            let reply = try await sandbox.send(.api, "POST", path, Self.art(4_000_001), [("Content-Type", "image/png")])
            #expect((reply.status, reply["passed"]) == (200, false))
            #expect(reply["findings"].array?.compactMap { $0["rule"]?.string } == ["size"])
            let journal = try await sandbox.control("GET", "/v1/journal?operation=d1.checkCardArt&limit=1")
            let shown = journal["items"].array?.first?["request"]?["body"]?.string ?? ""
            #expect(shown.hasPrefix("<4000001 bytes, sha256 "))
            let huge = try await sandbox.send(.api, "POST", path, [UInt8](repeating: 0, count: (8 << 20) + 1), [])
            #expect(huge.status == 413)
            // Elsewhere a megabyte is the most, as before.
            let other = try await sandbox.send(
                .api,
                "POST",
                "/d1/client/v1/login",
                [UInt8](repeating: 0x20, count: (1 << 20) + 1),
                []
            )
            #expect(other.status == 413)
        }
    }

    @Test func `cardParams is one object or a list, and a consumer may be named once per card`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let card = { (id: String, last4: String) in
                TestSandbox.cardParams([(id, last4)]).array?.first ?? .null
            }
            let member = { (params: JSON) -> JSON in
                ["issuerId": "DEMOBANK01", "consumerId": "consumer-ana", "cardParams": params]
            }
            let configure = { (list: JSON) in
                try await sandbox.api(
                    "POST",
                    "/d1/client/v1/configure",
                    [
                        "deviceId": .string(phone), "application": .string(TestSandbox.application),
                        "appGroupID": .string(TestSandbox.appGroup), "issuerParamsList": list,
                    ]
                )
            }
            let reply = try await configure([
                member(card("card-visa", "2718")), member([card("card-mastercard", "3146")]),
            ])
            #expect((reply.status, reply["issuers"], reply["cards"]) == (200, ["DEMOBANK01"], 2))
            let session = try await sandbox.session(phone)
            #expect(try await sandbox.entryIDs(session) == ["card-visa", "card-mastercard"])
            let twice = try await configure([member(card("card-visa", "2718")), member(card("card-visa", "2718"))])
            #expect((twice.status, twice["code"], twice.diagnosis) == (400, 60002, ["D1_CARD_PARAMS_TWICE"]))
            let wrong = try await configure([member("card-visa")])
            #expect((wrong.status, wrong.diagnosis) == (400, ["CARD_PARAMS_WRONG_TYPE"]))
        }
    }
}
