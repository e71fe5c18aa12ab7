import Core
import SandboxTesting
import Testing
import Wire

/// `getTokens`.
struct TokenListTests {
    @Test(arguments: PaymentNetwork.allCases)
    func `all tokens of a card come, in the words of the SDK`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let gone = try await sandbox.green(phone, network).tokenID
            _ = try await sandbox.updateTokenState(gone, network, "Delete")
            let active = try await sandbox.green(phone, network).tokenID
            let waiting = try await sandbox.yellow(watch, network).tokenID
            let body: JSON = [
                "scheme": .string(network.scheme),
                "encryptedPayload": .string(try TestIssuer(sandbox).payload(.of(network))),
            ]
            let tokens = try await sandbox.tpc("getTokens", body)["tokens"].array ?? []
            let seen = tokens.map { "\($0["id"]?.string ?? "") \($0["state"]?.string ?? "")" }
            #expect(seen == ["\(gone) DELETED", "\(active) ACTIVE", "\(waiting) PENDING_IDV"])
            let full = network == .mastercard
            let keys =
                full
                ? ["id", "state", "suffix", "expiryDate", "device", "tokenRequestor"]
                : ["id", "state", "suffix", "expiryDate", "tokenRequestor"]
            let requestor: JSON =
                full
                ? ["id": .string(TokenRequestor.appleID(at: network)), "name": "Apple Pay"]
                : ["id": .string(TokenRequestor.appleID(at: network))]
            let device: JSON = ["id": .string(watch), "name": "Apple Watch", "type": "watch"]
            #expect(tokens.last?.object?.keys == keys)
            #expect(tokens.last?["tokenRequestor"] == requestor)
            #expect((tokens.last?["device"] ?? .null) == (full ? device : .null))
            #expect(tokens.last?["expiryDate"] == "1232")

            try await sandbox.changePolicies("DEMOBANK01", ["fullTokenDetails": true])
            let detailed = try await sandbox.tpc("getTokens", body)["tokens"].array?.last
            #expect(detailed?["device"] == device)
            #expect(detailed?["tokenRequestor"]?["name"] == "Apple Pay")
        }
    }

    @Test func `a card that is asked about is not registered, nor changed`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let body: JSON = ["scheme": "VISA", "encryptedPayload": .string(try issuer.payload(.visa))]
            #expect(try await sandbox.tpc("getTokens", body).text == "{\"tokens\":[]}")
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").status == 404)

            let made = try await sandbox.green(try await sandbox.device(), .visa)
            let renewed = try issuer.payload(TestCard("test-visa", pan: TestCard.visa.pan, exp: "0131"))
            let other: JSON = ["scheme": "VISA", "encryptedPayload": .string(renewed)]
            #expect(try await sandbox.tpc("getTokens", other)["tokens"].array?.first?["id"] == .string(made.tokenID))
            #expect(try await sandbox.control("GET", "/v1/cards/test-visa").text("expiryDate") == "1232")
        }
    }

    @Test func `another issuer does not see the tokens`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.green(try await sandbox.device(), .visa)
            let payload = try TestIssuer(sandbox, "DEMOBANK02").payload(.visa)
            let body: JSON = ["scheme": "VISA", "encryptedPayload": .string(payload)]
            let reply = try await sandbox.tpc("getTokens", body, issuerID: "DEMOBANK02")
            #expect(reply.text == "{\"tokens\":[]}")
        }
    }

    @Test func `what is wrong has its number`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let payload = JSON.string(try issuer.payload(.visa))
            expect(try await sandbox.tpc("getTokens", [:]), tpc: 111, ["SCHEME_MISSING", "ENCRYPTED_PAYLOAD_MISSING"])
            let amex: JSON = ["scheme": "AMEX", "encryptedPayload": payload]
            expect(try await sandbox.tpc("getTokens", amex), tpc: 166, ["PAN_NETWORK_MISMATCH"])
            let good: JSON = ["scheme": "VISA", "encryptedPayload": payload]
            expect(try await sandbox.tpc("getTokens", good, issuerID: "NOBODY0001"), tpc: 113, ["ISSUER_UNKNOWN"])
        }
    }
}
