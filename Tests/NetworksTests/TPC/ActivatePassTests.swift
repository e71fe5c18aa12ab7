import Core
import SandboxTesting
import Testing
import Wire

/// `activatePass`: activation data for a pass that waits, and that the wallet takes it.
struct ActivatePassTests {
    private func request(_ sandbox: TestSandbox, _ network: PaymentNetwork, nonce: JSON? = nil) throws -> JSON {
        let issuer = TestIssuer(sandbox)
        let card = TestCard.of(network)
        let body: JSON = [
            "scheme": .string(network.scheme), "encryptedPayload": .string(try issuer.payload(card)),
            "authorizationCode": .string(try issuer.code(sub: card.reference)),
        ]
        return nonce.map { body.replacing("nonce", $0) } ?? body
    }

    private func activate(
        _ sandbox: TestSandbox,
        _ phone: String,
        _ serial: String,
        _ data: JSON
    ) async throws -> TestReply {
        let path = "/wallet/apple/devices/\(phone)/passes/\(serial)/activate"
        return try await sandbox.api("POST", path, ["activationData": data])
    }

    @Test(arguments: [PaymentNetwork.mastercard, .amex, .discover])
    func `without a nonce the data activates a pass`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (token, serial) = try await sandbox.yellow(phone, network)
            let data = try await sandbox.tpc("activatePass", request(sandbox, network))
            #expect(data.json.object?.keys == ["activationData"], "\(data.summary)")
            let pass = try await activate(sandbox, phone, serial, data["activationData"])
            #expect(pass.status == 200, "\(pass.summary)")
            #expect(pass["secureElementPass"]["passActivationState"] == "activated")
            #expect(try await sandbox.state(token) == "active")
        }
    }

    /// The session's nonce binds the data to the pass that came of it.
    @Test(arguments: PaymentNetwork.allCases)
    func `with the session's nonce the data activates the pass of that session`(_ network: PaymentNetwork) async throws
    {
        try await withSandbox { sandbox in
            try await sandbox.changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
            let phone = try await sandbox.device()
            let begun = try await Provisioning.begin(sandbox, network, on: phone)
            let triple = try await begun.triple().replacing("activationData", "e30=")
            let made = try await begun.post(triple)
            #expect(made["decision"] == "yellow", "\(made.summary)")
            let nonce = begun.session["nonce"]
            let data = try await sandbox.tpc("activatePass", request(sandbox, network, nonce: nonce))
            let pass = try await activate(sandbox, phone, sandbox.serial(made), data["activationData"])
            #expect(pass.status == 200, "\(pass.summary)")
            #expect(try await sandbox.state(made.text("tokenId")) == "active")
        }
    }

    /// The pass has a nonce, and the value may still be over the number alone.
    @Test(arguments: [PaymentNetwork.amex, .discover])
    func `without a nonce the data activates the pass of a session too`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            try await sandbox.changePolicies("DEMOBANK01", ["onBadActivationData": "yellow"])
            let phone = try await sandbox.device()
            let begun = try await Provisioning.begin(sandbox, network, on: phone)
            let made = try await begun.post(try await begun.triple().replacing("activationData", "e30="))
            let data = try await sandbox.tpc("activatePass", request(sandbox, network))
            let pass = try await activate(sandbox, phone, sandbox.serial(made), data["activationData"])
            #expect(pass.status == 200, "\(pass.summary)")
            #expect(try await sandbox.state(made.text("tokenId")) == "active")
        }
    }

    @Test func `Visa without a nonce is refused by name`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), .visa).tokenID
            let reply = try await sandbox.tpc("activatePass", request(sandbox, .visa))
            expect(reply, tpc: 111, ["VISA_NEEDS_NONCE"])
            #expect(try await sandbox.told("VISA_NEEDS_NONCE").contains("updateTokenState"))
            #expect(try await sandbox.updateTokenState(token, .visa, "Activate").status == 200)
        }
    }

    @Test func `the code's subject is the card, not the token`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), .amex).tokenID
            let code = JSON.string(try TestIssuer(sandbox).code(sub: token))
            let body = try request(sandbox, .amex).replacing("authorizationCode", code)
            expect(try await sandbox.tpc("activatePass", body), tpc: 401, ["JWT_SUB_IS_TOKEN_ID"])
        }
    }

    @Test func `every missing field is named`() async throws {
        try await withSandbox { sandbox in
            let codes = ["SCHEME_MISSING", "ENCRYPTED_PAYLOAD_MISSING", "AUTHORIZATION_CODE_MISSING"]
            expect(try await sandbox.tpc("activatePass", [:]), tpc: 111, codes)
            // A nonce that is there and wrong is not called absent.
            for network in [PaymentNetwork.visa, .amex] {
                let broken = try request(sandbox, network, nonce: "?")
                expect(try await sandbox.tpc("activatePass", broken), tpc: 112, ["NONCE_MALFORMED"])
                let empty = try request(sandbox, network, nonce: "")
                expect(try await sandbox.tpc("activatePass", empty), tpc: 111, ["NONCE_EMPTY"])
            }
        }
    }
}
