import Core
import SandboxTesting
import Testing
import Wire

/// Digital cards: states, the yellow flow, and what the life cycle refuses.
struct DigitalCardTests {
    /// A phone with a configured card and an open session of the extension.
    private func withSession(_ body: (TestSandbox, String, String) async throws -> Void) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            try await body(sandbox, phone, try await sandbox.session(phone))
        }
    }

    private func makeToken(_ sandbox: TestSandbox, _ deviceID: String, _ state: String) async throws -> String {
        let body: JSON = [
            "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(deviceID),
            "application": .string(TestSandbox.application), "state": .string(state),
        ]
        return try await sandbox.control("POST", "/v1/tokens", body)["tokenId"].string ?? ""
    }

    @Test func `the yellow flow by card takes the phone first, then the watch`() async throws {
        try await withSession { sandbox, phone, session in
            let watch = try await sandbox.device("watch", pairedWith: phone)
            let state = { try await sandbox.d1("GET", "cards/card-visa/digitization-state", session)["state"] }
            let activate = { try await sandbox.d1("POST", "cards/card-visa/activate", session) }
            #expect(try await state() == "notDigitized")
            let local = try await makeToken(sandbox, phone, "inactive")
            let remote = try await makeToken(sandbox, watch, "inactive")
            #expect(try await state() == "pendingIDVLocal")
            #expect(try await activate()["success"] == true)
            #expect(try await sandbox.token(local)["state"] == "active")
            #expect(try await sandbox.token(remote)["state"] == "inactive")
            #expect(try await state() == "pendingIDVRemote")
            #expect(try await activate()["success"] == true)
            #expect(try await state() == "digitized")
            let none = try await activate()
            #expect((none.status, none["code"], none["name"]) == (400, 40003, "cardNoPendingIDV"))
        }
    }

    struct Step: CustomTestStringConvertible {
        let from: String
        let operation: String
        /// Nil when the transition is illegal.
        let to: String?
        var testDescription: String { "\(operation) from \(from)" }

        static let all = [
            Step(from: "inactive", operation: "activate", to: "active"),
            Step(from: "inactive", operation: "suspend", to: nil),
            Step(from: "inactive", operation: "resume", to: nil),
            Step(from: "inactive", operation: "delete", to: "deleted"),
            Step(from: "active", operation: "activate", to: nil),
            Step(from: "active", operation: "suspend", to: "suspended"),
            Step(from: "active", operation: "resume", to: nil),
            Step(from: "active", operation: "delete", to: "deleted"),
            Step(from: "deleted", operation: "activate", to: nil),
            Step(from: "deleted", operation: "suspend", to: nil),
            Step(from: "deleted", operation: "resume", to: nil),
            Step(from: "deleted", operation: "delete", to: nil),
        ]
    }

    @Test(arguments: Step.all)
    func `a step of the life cycle answers success, or false`(_ step: Step) async throws {
        try await withSession { sandbox, phone, session in
            let token = try await makeToken(sandbox, phone, step.from == "deleted" ? "active" : step.from)
            if step.from == "deleted" { _ = try await sandbox.d1("POST", "digital-cards/\(token)/delete", session) }
            let reply = try await sandbox.d1("POST", "digital-cards/\(token)/\(step.operation)", session)
            #expect(reply.status == 200)
            #expect(reply.json == ["success": .bool(step.to != nil)])
            #expect(try await sandbox.token(token)["state"] == .string(step.to ?? step.from))
        }
    }

    @Test func `suspended and resumed, with a reason`() async throws {
        try await withSession { sandbox, phone, session in
            let token = try await makeToken(sandbox, phone, "active")
            let path = "digital-cards/\(token)"
            let reason: JSON = ["reason": "DEVICE_LOST"]
            #expect(try await sandbox.d1("POST", path + "/suspend", session, reason)["success"] == true)
            #expect(try await sandbox.d1("POST", path + "/suspend", session)["success"] == false)
            #expect(try await sandbox.d1("POST", path + "/resume", session)["success"] == true)
            let wrong = try await sandbox.d1("POST", path + "/suspend", session, ["reason": "BORED"])
            #expect((wrong.status, wrong["code"], wrong["name"]) == (400, 40012, "cardOperationInvalidReason"))
            _ = try await sandbox.d1("POST", path + "/suspend", session)
            _ = try await sandbox.control("POST", "/v1/cards/card-visa/events", ["event": "block"])
            let blocked = try await sandbox.d1("POST", path + "/resume", session)
            #expect((blocked.status, blocked["code"], blocked["name"]) == (400, 40011, "cardOperationNotAllowed"))
            // The refused call is about the token all the same: for the journal, and for rules about its card.
            let entries = try await sandbox.control("GET", "/v1/journal?tokenId=\(token)&status=400")["items"]
            #expect(entries.array?.count == 1)
            let rule: JSON = ["match": ["cardLast4": "2718"], "effect": ["respond": ["status": 418]]]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            #expect(try await sandbox.d1("POST", path + "/resume", session).status == 418)
            _ = try await sandbox.control("DELETE", "/v1/faults")
        }
    }

    @Test func `another's digital card and an unknown one`() async throws {
        try await withSession { sandbox, phone, session in
            let token = try await makeToken(sandbox, phone, "active")
            let beto = try await sandbox.session(phone, consumer: "consumer-beto")
            let other = try await sandbox.d1("POST", "digital-cards/\(token)/suspend", beto)
            #expect((other.status, other["code"]) == (400, 10006))
            let unknown = try await sandbox.d1("POST", "digital-cards/nothing/suspend", session)
            #expect((unknown.status, unknown["code"]) == (400, 10009))
            #expect(try await sandbox.token(token)["state"] == "active")
        }
    }

    @Test func `a token of the wallet or of TPC is a digital card, a deleted one is none`() async throws {
        try await withSession { sandbox, phone, session in
            let card = TestCard("card-visa", pan: "4761732103612718", exp: "1230")
            let made = try await sandbox.provision(phone, card, .visa)
            let list = { try await sandbox.d1("GET", "cards/card-visa/digital-cards", session)["items"].array ?? [] }
            #expect(try await list().map { $0["digitalCardId"] } == [made["tokenId"]])
            let serial = made["pass"]["serialNumber"]?.string ?? ""
            let path = "/wallet/apple/devices/\(phone)/passes/\(serial)"
            #expect(try await sandbox.api("DELETE", path).status == 204)
            #expect(try await list().isEmpty)
        }
    }

    struct Art: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let rules: [String]
        var testDescription: String { name }

        /// A picture whose rows use all five filters.
        private static func file(_ name: String) -> [UInt8] {
            (try? TestFiles.bytes("\(packageRoot)/fixtures/d1/card-art/\(name).png")) ?? []
        }

        static let all = [
            Art(name: "good", bytes: TestPNG.make(width: 1536, height: 969, colour: 2), rules: []),
            Art(name: "alpha, opaque", bytes: file("alpha-opaque"), rules: []),
            Art(name: "alpha, rounded corners", bytes: file("alpha-rounded"), rules: ["corners"]),
            Art(
                name: "alpha, no pixels",
                bytes: TestPNG.make(width: 1536, height: 969, colour: 6),
                rules: ["structure"]
            ),
            Art(
                name: "size in pixels",
                bytes: TestPNG.make(width: 1535, height: 969, colour: 2),
                rules: ["dimensions"]
            ),
            Art(
                name: "cut",
                bytes: Array(TestPNG.make(width: 1536, height: 969, colour: 2).dropLast(5)),
                rules: ["structure"]
            ),
            Art(name: "JPEG", bytes: [0xFF, 0xD8, 0xFF, 0xE0], rules: ["format"]),
            Art(name: "empty", bytes: [], rules: ["format"]),
            Art(name: "PDF", bytes: Array("%PDF-1.4\n/MediaBox [0 0 1536 969]\n%%EOF\n".utf8), rules: []),
            Art(name: "square PDF", bytes: Array("%PDF-1.4\n/MediaBox [0 0 9 9]\n%%EOF\n".utf8), rules: ["dimensions"]),
            Art(name: "cut PDF", bytes: Array("%PDF-1.4\n/MediaBox [0 0 1536 969]\n".utf8), rules: ["structure"]),
        ]
    }

    @Test(arguments: Art.all)
    func `card art is held against the published rules`(_ art: Art) async throws {
        try await withSandbox { sandbox in
            let headers = [("Content-Type", "image/png")]
            let reply = try await sandbox.send(.api, "POST", "/d1/client/v1/card-art/check", art.bytes, headers)
            #expect(reply.status == 200)
            #expect(reply["findings"].array?.compactMap { $0["rule"]?.string } == art.rules)
            #expect(reply["passed"] == .bool(art.rules.isEmpty))
        }
    }

    @Test func `image data that is not an image is a finding, whatever its bytes`() async throws {
        try await withSandbox { sandbox in
            var state: UInt64 = 7
            for length in 0..<600 {
                let noise = (0..<(length % 60 + 4)).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 33)
                }
                // The first bits choose a block with tables of its own, where the most can go wrong.
                let file = TestPNG.make(
                    width: 1536,
                    height: 969,
                    colour: 6,
                    pixels: [0x78, 0x9C, noise[0] | 4] + noise
                )
                let reply = try await sandbox.send(.api, "POST", "/d1/client/v1/card-art/check", file, [])
                #expect((reply.status, reply["passed"]) == (200, false))
            }
        }
    }
}
