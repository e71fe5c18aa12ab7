import Core
import SandboxTesting
import Testing
import Wire

/// A device in lost mode takes no new pass; a rule of the sandbox's own.
struct LostModeTests {
    @Test(arguments: Way.allCases)
    func `no new pass while the device is lost, whatever decision is asked for`(_ way: Way) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            let path = "/wallet/apple/devices/\(phone)/lost-mode"
            _ = try await sandbox.api("POST", path, ["on": true])
            for card in [TestCard.visa, TestCard.visa.expiring(2041), TestCard.visa.expiring(2046)] {
                expect(try await sandbox.add(card, .visa, to: phone, way), wallet: 422, ["DEVICE_LOST"])
            }
            #expect(try await sandbox.control("GET", "/v1/tokens")["items"] == [])
            _ = try await sandbox.api("POST", path, ["on": false])
            #expect(try await sandbox.add(.visa, .visa, to: phone, way).status == 201)
        }
    }

    /// A yellow token whose device is lost: whoever activates it, it is not usable there.
    @Test func `a token that is activated on a lost device is suspended until it is found`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (token, _) = try await sandbox.yellow(phone, .visa)
            let path = "/wallet/apple/devices/\(phone)/lost-mode"
            _ = try await sandbox.api("POST", path, ["on": true])
            #expect(try await sandbox.state(token) == "inactive")
            let activated = try await sandbox.updateTokenState(token, .visa, "Activate")
            #expect([activated["success"], activated["state"]] == [true, "SUSPENDED"])
            #expect(try await sandbox.state(token) == "suspended requestor")
            _ = try await sandbox.api("POST", path, ["on": false])
            #expect(try await sandbox.state(token) == "active")
        }
    }

    @Test func `the issuer is told of both changes`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let wanted: JSON = [
                "issuerCardRefId": "card-visa", "issuerId": "DEMOBANK01", "deviceId": .string(phone),
                "state": "inactive",
            ]
            let token = try await sandbox.control("POST", "/v1/tokens", wanted).text("tokenId")
            _ = try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/lost-mode", ["on": true])
            #expect(try await sandbox.tokenEvent(token, "activate", by: "issuer").status == 200)
            let words = try await sandbox.control("GET", "/v1/callbacks?tokenId=\(token)")["items"].array?
                .compactMap { $0["body"]?["operation"]?.string }
            #expect(words == ["DIGITIZE", "RESUME", "SUSPEND"])
        }
    }

    @Test func `the pass that is there is shown, and the session survives the refusal`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let begun = try await Provisioning.begin(sandbox, .amex, on: phone)
            let triple = try await begun.triple()
            let path = "/wallet/apple/devices/\(phone)/lost-mode"
            _ = try await sandbox.api("POST", path, ["on": true])
            let again = try await sandbox.provision(phone, .visa, .visa)
            #expect([String(again.status), again.text("tokenId")] == ["200", made.text("tokenId")])
            expect(try await begun.post(triple), wallet: 422, ["DEVICE_LOST"])
            _ = try await sandbox.api("POST", path, ["on": false])
            #expect(try await begun.post(triple).status == 201)
        }
    }
}
