import Core
import SandboxTesting
import Testing
import Wire

/// A token that no device holds, of a requestor that the tenant added: every face copes with it.
struct CloudTokenTests {
    private static let shop = TokenRequestor(
        "shop",
        name: "Shop",
        ids: [.visa: "40010099999", .mastercard: "50110099999"],
        walletProviderID: nil,
        audience: nil,
        .merchant
    )

    /// A card of `consumer-ana`, which D1 shows too.
    private func makeToken(_ sandbox: TestSandbox, _ reference: String) async throws -> String {
        try await sandbox.change { world in
            try world.store.put(Self.shop)
            let card = try #require(try world.view.card(issuerID: "DEMOBANK01", reference: reference))
            let id = try #require(Self.shop.ids[card.network])
            _ = try world.issueToken(
                of: card,
                requestorID: id,
                holder: .requestor,
                state: .active,
                tokenID: "cloud-" + reference
            )
        }
        return "cloud-" + reference
    }

    @Test func `it has no device, no serial number and no pass, and lives as any other`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let token = try await makeToken(sandbox, "card-mastercard")
            let shown = try await sandbox.token(token)
            #expect(
                [shown["deviceId"], shown["serialNumber"], shown["tokenRequestorId"]] == [nil, nil, "50110099999"]
            )

            let pan = "5413331208993146"
            let card = TestCard("card-mastercard", pan: pan, exp: "1230")
            let body: JSON = [
                "scheme": "MASTERCARD", "encryptedPayload": .string(try TestIssuer(sandbox).payload(card)),
            ]
            let listed = try await sandbox.tpc("getTokens", body)["tokens"].array?.first
            #expect(listed?.object?.keys == ["id", "state", "suffix", "expiryDate", "tokenRequestor"])
            #expect(listed?["tokenRequestor"] == ["id": "50110099999", "name": "Shop"])

            _ = try await sandbox.configure(phone, [("card-mastercard", "3146")])
            let session = try await sandbox.session(phone)
            let digital = try await sandbox.d1("GET", "cards/card-mastercard/digital-cards", session)["items"].array?
                .first
            #expect(digital?["deviceId"] == .null && digital?["deviceName"] == .null)
            #expect(digital?["isOnCurrentDevice"] == false && digital?["tokenRequestorName"] == "Shop")
            let state = try await sandbox.d1("GET", "cards/card-mastercard/digitization-state", session)
            #expect(state["state"] == "notDigitized")
            #expect(try await sandbox.d1("POST", "digital-cards/\(token)/suspend", session)["success"] == true)

            #expect(try await sandbox.updateTokenState(token, .mastercard, "Resume").status == 200)
            #expect(try await sandbox.passes(phone)["localPasses"] == [])
            let applied = try await sandbox.control(
                "POST",
                "/v1/issuers/DEMOBANK01/pass-metadata/mastercard/apply",
                ["tokenId": .string(token)]
            )
            #expect(applied.text == "{\"updatedPasses\":0}")
            // The phone gets a token of its own, and takes the other with it nowhere.
            #expect(try await sandbox.provision(phone, card, .mastercard).status == 201)
            _ = try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/lost-mode", ["on": true])
            _ = try await sandbox.api("DELETE", "/wallet/apple/devices/\(phone)")
            #expect(try await sandbox.state(token) == "active")

            let world = try await sandbox.control("GET", "/v1/export").json
            #expect(try await sandbox.send(.control, "POST", "/v1/import", world.bytes, []).status == 204)
            #expect(try await sandbox.state(token) == "active")
        }
    }

    @Test func `Visa wants the id of the token's own requestor`() async throws {
        try await withSandbox { sandbox in
            let token = try await makeToken(sandbox, "card-visa")
            let apple = try await sandbox.updateTokenState(token, .visa, "Suspend")
            #expect([apple["code"], .strings(apple.diagnosis)] == [112, ["TOKEN_REQUESTOR_ID_MISMATCH"]])
            let own = [("tokenRequestorId", JSON.string("40010099999"))]
            #expect(try await sandbox.updateTokenState(token, .visa, "Suspend", changes: own).status == 200)
        }
    }
}
