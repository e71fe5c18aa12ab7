import Core
import SandboxTesting
import Testing
import Wire

/// `manual-entries`: what a cardholder can type wrong.
struct ManualEntryTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let codes: [String]
        let changes: [(String, JSON)]

        init(_ what: String, _ status: Int, _ codes: [String], _ changes: (String, JSON)...) {
            testDescription = what
            self.status = status
            self.codes = codes
            self.changes = changes
        }
    }

    static let cases: [Case] = [
        Case("no PAN", 400, ["PAN_MISSING"], ("pan", .null)),
        Case("PAN with spaces", 400, ["PAN_MALFORMED"], ("pan", "4111 1111 1111 1111")),
        Case("PAN a number", 400, ["PAN_WRONG_TYPE"], ("pan", 4_111_111_111_111_111)),
        Case("PAN of another network", 422, ["PAN_NETWORK_MISMATCH"], ("pan", "5555555555554444")),
        Case("PAN no test number", 422, ["PAN_NOT_TEST"], ("pan", "4539578763621486")),
        Case("no expiration", 400, ["EXPIRATION_MISSING"], ("expiration", .null)),
        Case("expiration MMYY", 400, ["EXPIRATION_MALFORMED"], ("expiration", "1232")),
        Case("card over", 422, ["CARD_EXPIRED"], ("expiration", "12/29")),
        Case("no name", 400, ["NAME_MISSING"], ("name", .null)),
        Case("no security code", 400, ["CVV_MISSING"], ("cvv", .null)),
        Case("security code of 4", 400, ["CVV_FORM"], ("cvv", "1234")),
        Case("security code of letters", 400, ["CVV_FORM"], ("cvv", "12a")),
        Case("no network", 400, ["PAYMENT_NETWORK_MISSING"], ("paymentNetwork", .null)),
        Case("network in capitals", 400, ["PAYMENT_NETWORK_UNKNOWN"], ("paymentNetwork", "VISA")),
        Case("application not entitled", 403, ["APP_NOT_ENTITLED"], ("application", "A1B2C3D4E5.com.other")),
        Case("form before right", 400, ["CVV_FORM", "APP_NOT_ENTITLED"], ("application", "no"), ("cvv", "1")),
    ]

    private func entry(_ changes: [(String, JSON)]) -> JSON {
        let good: JSON = [
            "pan": "4111111111111111", "expiration": "12/32", "name": "ANA PRUEBA", "cvv": "123",
            "paymentNetwork": "Visa", "application": .string(TestSandbox.application),
        ]
        return changes.reduce(good) { $0.replacing($1.0, $1.1) }
    }

    @Test(arguments: cases)
    func `each mistake has its status and its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let path = "/wallet/apple/devices/\(try await sandbox.device())/manual-entries"
            expect(try await sandbox.api("POST", path, entry(example.changes)), wallet: example.status, example.codes)
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"] == [])
        }
    }

    @Test func `Wallet itself needs no application, and a device must be there`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            let body = entry([("application", .null)])
            let made = try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/manual-entries", body)
            #expect(made.status == 201)
            let again = try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/manual-entries", body)
            #expect([String(again.status), again["pass"].text] == ["200", made["pass"].text])
            let none = try await sandbox.api("POST", "/wallet/apple/devices/dev-none/manual-entries", body)
            expect(none, wallet: 404, ["DEVICE_UNKNOWN"])
        }
    }

    @Test func `a typed card is that of its issuer, or refused`() async throws {
        try await withSandbox { sandbox in
            let path = "/wallet/apple/devices/\(try await sandbox.device())/manual-entries"
            expect(try await sandbox.api("POST", path, entry([])), wallet: 422, ["ISSUER_UNKNOWN_FOR_PAN"])
            try await sandbox.register(.visa)
            _ = try await sandbox.control("POST", "/v1/cards/test-visa/events", ["event": "block"])
            expect(try await sandbox.api("POST", path, entry([])), wallet: 422, ["CARD_BLOCKED"])
            try await sandbox.register(.visa, issuerID: "DEMOBANK02")
            expect(try await sandbox.api("POST", path, entry([])), wallet: 422, ["ISSUER_AMBIGUOUS"])
        }
    }

    @Test func `what is typed does not change the registered card`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let path = "/wallet/apple/devices/\(try await sandbox.device())/manual-entries"
            #expect(try await sandbox.api("POST", path, entry([("expiration", "01/35")])).status == 201)
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("expiryDate") == "1232")
        }
    }
}
