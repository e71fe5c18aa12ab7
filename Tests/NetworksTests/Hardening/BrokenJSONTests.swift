import SandboxTesting
import Testing
import Wire

/// Bodies that are not strict JSON, as a client sees them refused: by code, and with the place.
struct BrokenJSONTests {
    struct Body: CustomTestStringConvertible, Sendable {
        let code: JSONFault.Reason
        let offset: Int
        let pointer: String
        let bytes: [UInt8]

        var testDescription: String { "\(code) \(String(decoding: bytes.prefix(30), as: UTF8.self))" }

        init(_ code: JSONFault.Reason, _ offset: Int, _ pointer: String, _ text: String) {
            self.init(code, offset, pointer, bytes: Array(text.utf8))
        }

        init(_ code: JSONFault.Reason, _ offset: Int, _ pointer: String, bytes: [UInt8]) {
            (self.code, self.offset, self.pointer, self.bytes) = (code, offset, pointer, bytes)
        }
    }

    static let bodies: [Body] = [
        Body(.empty, 1, "", " "), Body(.syntax, 0, "", "pan=1"), Body(.syntax, 9, "/a/b", #"{"a":{"b"}}"#),
        Body(.duplicateKey, 17, "/scheme", #"{"scheme":"VISA","scheme":"VISA"}"#),
        Body(.duplicateKey, 7, "/a", #"{"a":1,"\u0061":2}"#), Body(.trailingComma, 7, "/a", #"{"a":[1,]}"#),
        Body(.trailingComma, 6, "", #"{"a":1,}"#), Body(.trailingBytes, 2, "", "{}{}"),
        Body(.byteOrderMark, 0, "", bytes: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
        Body(.byteOrderMark, 0, "", bytes: [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]),
        Body(.invalidUTF8, 7, "/a", bytes: Array(#"{"a":"x"#.utf8) + [0xFF, 0x22, 0x7D]),
        Body(.invalidUTF8, 6, "/a", bytes: Array(#"{"a":""#.utf8) + [0xED, 0xA0, 0x80, 0x22, 0x7D]),
        Body(.loneSurrogate, 6, "/a", #"{"a":"\ud83d"}"#), Body(.loneSurrogate, 7, "/a/0", #"{"a":["\udc00"]}"#),
        Body(.invalidEscape, 6, "/a", #"{"a":"\x41"}"#), Body(.controlCharacter, 7, "/a", "{\"a\":\"x\ny\"}"),
        Body(.numberFormat, 5, "/a", #"{"a":01}"#), Body(.numberRange, 5, "/a", #"{"a":9007199254740993}"#),
        Body(.numberRange, 5, "/a", #"{"a":9007199254740993.0}"#), Body(.numberRange, 5, "/a", #"{"a":1e300}"#),
        Body(.depth, 64, String(repeating: "/0", count: 64), String(repeating: "[", count: 100)),
        Body(.truncated, 6, "/a", #"{"a":""#),
    ]

    @Test func `every reason is in the table`() {
        #expect(Set(Self.bodies.map(\.code)) == Set(JSONFault.Reason.allCases))
    }

    @Test(arguments: bodies) func `TPC refuses it by code, and the journal has byte and pointer`(
        _ body: Body
    ) async throws {
        try await withSandbox { sandbox in
            let path = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
            let reply = try await sandbox.send(.api, "POST", path, body.bytes, [])
            expect(reply, tpc: 112, [body.code.rawValue])
            let pointer = body.pointer.isEmpty ? "" : ", \(body.pointer.prefix(80))"
            #expect(try await sandbox.told(body.code.rawValue).hasPrefix("byte \(body.offset)\(pointer) |"))
        }
    }

    @Test(arguments: bodies) func `the control API refuses it with code, byte and pointer`(_ body: Body) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.send(.control, "POST", "/v1/cards", body.bytes, [])
            #expect(reply.status == 400)
            #expect([reply.text("code"), reply.text("pointer")] == [body.code.rawValue, body.pointer])
            #expect(reply.text("detail").contains("byte \(body.offset)"), "\(reply.text("detail"))")
        }
    }

    private static let pan = TestCard.visa.pan

    /// A card number that is written as a number, in each place that takes one in clear text.
    @Test(
        arguments: [
            (pan, nil), ("\(pan).0", nil), ("4.111111111111111e15", nil), ("4111111111111111110", "JSON_NUMBER_RANGE"),
            ("4.111111111111111110e18", "JSON_NUMBER_RANGE"),
        ] as [(String, String?)]
    )
    func `a card number as a number is refused where it stands, and kept nowhere`(
        _ number: String,
        _ code: String?
    ) async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let card = """
                {"issuerId":"DEMOBANK01","issuerCardRefId":"c-1","pan":\(number),"exp":"1232","cardHolderName":"ANA"}
                """
            let made = try await sandbox.control("POST", "/v1/cards", body: card)
            #expect([String(made.status), made.text("pointer")] == ["400", "/pan"])
            #expect(code == nil || made.text("code") == code)
            let typed = """
                {"pan":\(number),"expiration":"12/32","name":"ANA","cvv":"123","paymentNetwork":"Visa"}
                """
            let entry = try await sandbox.api(
                "POST",
                "/wallet/apple/devices/\(device)/manual-entries",
                body: typed
            )
            #expect((400..<500).contains(entry.status))
            #expect(entry.diagnosis.contains(code ?? "PAN_WRONG_TYPE"), "\(entry.diagnosis)")
            let kept = try await sandbox.control("GET", "/v1/journal?limit=100").text
            for digits in [Self.pan, "4.111111111111111"] {
                #expect(!kept.contains(digits))
                #expect(!made.text.contains(digits))
                #expect(!entry.text.contains(digits))
            }
        }
    }

    @Test func `a card number as the name of a member is told nowhere`() async throws {
        try await withSandbox { sandbox in
            let body = #"{"\#(Self.pan)":1,"\#(Self.pan)":2}"#
            let answers = [
                try await sandbox.control("POST", "/v1/cards", body: body),
                try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", body: body),
                try await sandbox.api("POST", "/wallet/apple/devices", body: body),
                try await sandbox.control("GET", "/v1/journal?limit=100"),
            ]
            #expect(answers.prefix(3).map { $0.diagnosis.first } == Array(repeating: "JSON_DUPLICATE_KEY", count: 3))
            #expect(answers.filter { $0.text.contains(Self.pan) }.map(\.text) == [])
        }
    }
}
