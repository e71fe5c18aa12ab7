import Core
import SandboxTesting
import Testing
import Wire

/// `devices`: making, pairing, losing, wiping.
struct DeviceTests {
    private static let path = "/wallet/apple/devices"

    @Test func `a device has what the contract lists, and is found again`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.api("POST", Self.path, ["kind": "phone", "name": "Ana's iPhone"])
            #expect(made.status == 201)
            let keys = ["deviceId", "secureElementId", "kind", "name", "pairedWith"]
            #expect(keys.allSatisfy { made.json.object?.keys.contains($0) == true }, "\(made.summary)")
            #expect(made["pairedWith"] == .null)
            let watch = try await sandbox.device("watch", pairedWith: made.text("deviceId"))
            let one = try await sandbox.api("GET", "\(Self.path)/\(watch)")
            #expect(one["pairedWith"] == made["deviceId"])
            #expect(one.text("name") == "Apple Watch")
            #expect(
                try await sandbox.api("GET", Self.path)["items"] == [
                    made.json.replacing("pairedDevices", [.string(watch)]), one.json,
                ]
            )
        }
    }

    @Test func `a kind nobody knows is kept as text (field case 19)`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.api("POST", Self.path, ["kind": "Apple Ring 2"])
            #expect(made.status == 201)
            #expect([made.text("kind"), made.text("name")] == ["Apple Ring 2", "Apple Ring 2"])
            _ = try await sandbox.green(made.text("deviceId"), .mastercard)
            let body: JSON = [
                "scheme": "MASTERCARD", "encryptedPayload": .string(try TestIssuer(sandbox).payload(.mastercard)),
            ]
            let tokens = try await sandbox.tpc("getTokens", body)["tokens"].array
            #expect(tokens?.first?["device"]?["type"] == "Apple Ring 2")
        }
    }

    @Test func `a card number is not a kind that is kept`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.api("POST", Self.path, ["kind": "4111111111111111"])
            #expect([made.text("kind"), made.text("name")] == ["************1111", "************1111"])
        }
    }

    /// Paired before or after: what both hold of one card is one card to the cardholder.
    @Test(arguments: [true, false])
    func `devices that are paired later show one card under one serial number`(_ watchIsPaired: Bool) async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = (try await sandbox.device(), try await sandbox.device("watch"))
            let serials = [try await sandbox.green(phone, .visa).serial, try await sandbox.green(watch, .visa).serial]
            #expect(serials[0] != serials[1])
            let alone = try await sandbox.green(watch, .amex)
            let (one, other) = watchIsPaired ? (watch, phone) : (phone, watch)
            let path = "\(Self.path)/\(one)"
            #expect(try await sandbox.api("PATCH", path, ["pairedWith": .string(other)]).status == 200)
            let passes = try await sandbox.passes(phone)
            let shown = ["localPasses", "remotePasses"].map { name in
                passes[name].array?.compactMap { $0["serialNumber"]?.string } ?? []
            }
            #expect(shown[0] == [serials[watchIsPaired ? 0 : 1]])
            #expect(shown[1] == [serials[watchIsPaired ? 0 : 1], alone.serial])
        }
    }

    /// A phone that is paired with one watch, and then with another one, which has a serial number of its own.
    @Test(arguments: [true, false])
    func `a second watch leaves no third serial number`(_ phoneIsPaired: Bool) async throws {
        try await withSandbox { sandbox in
            let (phone, first) = try await sandbox.phoneAndWatch()
            let second = try await sandbox.device("watch")
            for device in [first, second] + (phoneIsPaired ? [phone] : []) {
                _ = try await sandbox.green(device, .visa)
            }
            let (one, other) = phoneIsPaired ? (phone, second) : (second, phone)
            let pairing: JSON = ["pairedWith": .string(other)]
            #expect(try await sandbox.api("PATCH", "\(Self.path)/\(one)", pairing).status == 200)
            let passes = try await sandbox.passes(phone)
            let serials = ["localPasses", "remotePasses"].flatMap { name in
                passes[name].array?.compactMap { $0["serialNumber"]?.string } ?? []
            }
            #expect(serials.count == (phoneIsPaired ? 3 : 2) && Set(serials).count == 1, "\(serials)")
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let method: String
        let path: String
        let body: String?
        let status: Int
        let codes: [String]

        init(_ what: String, _ method: String, _ path: String, _ body: String?, _ status: Int, _ codes: String...) {
            testDescription = what
            self.method = method
            self.path = path
            self.body = body
            self.status = status
            self.codes = codes
        }
    }

    static let cases: [Case] = [
        Case("no kind", "POST", "", "{}", 400, "KIND_MISSING"),
        Case("empty kind", "POST", "", "{\"kind\":\"\"}", 400, "KIND_EMPTY"),
        Case("kind a number", "POST", "", "{\"kind\":1}", 400, "KIND_WRONG_TYPE"),
        Case("name a list", "POST", "", "{\"kind\":\"phone\",\"name\":[]}", 400, "NAME_WRONG_TYPE"),
        Case("pair unknown", "POST", "", "{\"kind\":\"watch\",\"pairedWith\":\"x\"}", 400, "PAIRED_DEVICE_UNKNOWN"),
        Case("no body", "POST", "", "", 400, "JSON_EMPTY"),
        Case("get unknown", "GET", "/dev-none", nil, 404, "DEVICE_UNKNOWN"),
        Case("change unknown", "PATCH", "/dev-none", "{}", 404, "DEVICE_UNKNOWN"),
        Case("wipe unknown", "DELETE", "/dev-none", nil, 404, "DEVICE_UNKNOWN"),
        Case("lose unknown", "POST", "/dev-none/lost-mode", "{\"on\":true}", 404, "DEVICE_UNKNOWN"),
        Case("passes of unknown", "GET", "/dev-none/passes", nil, 404, "DEVICE_UNKNOWN"),
        Case("pair with itself", "PATCH", "/{id}", "{\"pairedWith\":\"{id}\"}", 400, "PAIRED_WITH_ITSELF"),
        Case("pair with nobody", "PATCH", "/{id}", "{\"pairedWith\":\"x\"}", 400, "PAIRED_DEVICE_UNKNOWN"),
        Case("lost without on", "POST", "/{id}/lost-mode", "{}", 400, "ON_MISSING"),
        Case("lost on as text", "POST", "/{id}/lost-mode", "{\"on\":\"true\"}", 400, "ON_WRONG_TYPE"),
    ]

    @Test(arguments: cases)
    func `each mistake has its status and its code`(_ example: Case) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            func filled(_ text: String) -> String { text.replacing("{id}", with: phone) }
            let reply = try await sandbox.api(
                example.method,
                Self.path + filled(example.path),
                body: example.body.map(filled)
            )
            expect(reply, wallet: example.status, example.codes)
        }
    }

    @Test func `a change renames, pairs and unpairs, and leaves what it does not name`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let watch = try await sandbox.device("watch")
            let path = "\(Self.path)/\(watch)"
            let table: [(body: JSON, name: String, pairedWith: JSON)] = [
                (["pairedWith": .string(phone)], "Apple Watch", .string(phone)),
                (["name": "Ultra"], "Ultra", .string(phone)), (["pairedWith": .null], "Ultra", .null),
            ]
            for (body, name, pairedWith) in table {
                let reply = try await sandbox.api("PATCH", path, body)
                #expect(reply.status == 200)
                #expect([reply["name"], reply["pairedWith"]] == [.string(name), pairedWith])
            }
            let empty = try await sandbox.api("PATCH", path, body: "{\"pairedWith\":null,\"name\":\"Last\"}")
            #expect(empty.text("name") == "Last")
        }
    }

    @Test func `a wipe deletes the tokens by the requestor and frees the pair`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let local = try await sandbox.green(phone, .visa).tokenID
            let remote = try await sandbox.green(watch, .visa).tokenID
            let reply = try await sandbox.api("DELETE", "\(Self.path)/\(phone)")
            #expect([String(reply.status), reply.text] == ["204", ""])
            #expect(try await sandbox.state(local) == "deleted")
            #expect(try await sandbox.state(remote) == "active")
            let last = try await sandbox.token(local)["history"].array?.last
            #expect([last?["event"], last?["by"]] == ["delete", "requestor"])
            #expect(try await sandbox.api("GET", "\(Self.path)/\(phone)").status == 404)
            #expect(try await sandbox.api("GET", "\(Self.path)/\(watch)")["pairedWith"] == .null)
        }
    }

    @Test func `lost mode suspends and resumes by the requestor, and lifts nobody else's suspension`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let active = try await sandbox.green(phone, .visa).tokenID
            let held = try await sandbox.green(phone, .amex).tokenID
            let waiting = try await sandbox.yellow(phone, .discover).tokenID
            _ = try await sandbox.updateTokenState(held, .amex, "Suspend")
            let path = "\(Self.path)/\(phone)/lost-mode"
            #expect(try await sandbox.api("POST", path, ["on": true]).status == 200)
            let lost = [
                try await sandbox.state(active), try await sandbox.state(held), try await sandbox.state(waiting),
            ]
            #expect(lost == ["suspended requestor", "suspended issuer requestor", "inactive"])
            expect(try await sandbox.updateTokenState(active, .visa, "Resume"), tpc: 432, ["SUSPENDED_BY_OTHER"])
            #expect(try await sandbox.api("POST", path, ["on": false]).status == 200)
            let found = [
                try await sandbox.state(active), try await sandbox.state(held), try await sandbox.state(waiting),
            ]
            #expect(found == ["active", "suspended issuer", "inactive"])
        }
    }
}
