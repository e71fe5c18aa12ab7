import Core
import SandboxTesting
import Testing
import Wire

/// What the faces make of a tenant's clock that a test sets and moves.
struct MovedClockTests {
    @Test func `a pass shows activating until the clock was moved past the propagation`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["walletPropagationMs": 2_500])
            _ = try await sandbox.control("PUT", "/v1/clock", ["mode": "frozen"])
            let phone = try await sandbox.device()
            _ = try await sandbox.green(phone, .visa)
            var seen: [String] = []
            for step in ["0", "2.499", "0.001"] {
                try await sandbox.advance(step)
                let pass = try await sandbox.passes(phone)["localPasses"].array?.first
                seen.append(pass?["secureElementPass"]?["passActivationState"]?.string ?? "")
            }
            #expect(seen == ["activating", "activating", "activated"])
        }
    }

    @Test func `row 86: a code lives on the tenant's clock, however long the system's runs`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("PUT", "/v1/clock", ["mode": "frozen"])
            let begun = try await Provisioning.begin(sandbox)
            // Its exp is five minutes after the frozen time.
            let request = try sandbox.passRequest(begun.session, .visa, .visa)
            sandbox.clock.advance(seconds: 86_400)
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", request).status == 200)
            try await sandbox.advance("3600")
            let late = try await sandbox.tpc("generateAddPaymentPassRequest", request)
            expect(late, tpc: 401, ["JWT_EXPIRED"])
            // Back before it was made, it is one of the future; back at its time it is good again.
            let early: JSON = ["mode": "frozen", "now": "2029-12-31T00:00:00Z"]
            _ = try await sandbox.control("PUT", "/v1/clock", early)
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", request).status == 401)
            let right: JSON = ["mode": "frozen", "now": "2030-01-01T00:00:01Z"]
            _ = try await sandbox.control("PUT", "/v1/clock", right)
            #expect(try await sandbox.tpc("generateAddPaymentPassRequest", request).status == 200)
        }
    }

    @Test func `moved over everything at once, all of it happens in its order`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let lives = try await sandbox.provision(phone, TestCard.visa.expiring(2045), .visa).text("tokenId")
            let waits = try await sandbox.provision(phone, TestCard.amex.expiring(2042), .amex).text("tokenId")
            try await sandbox.advance("1.5")
            let stays = try await sandbox.provision(phone, TestCard.mastercard.expiring(2049), .mastercard).text(
                "tokenId"
            )
            try await sandbox.advance("31536000")
            #expect(
                try await sandbox.history(lives) == [
                    "create network active 0", "suspend issuer suspended 3", "resume issuer active 6",
                    "delete issuer deleted 9",
                ]
            )
            #expect(
                try await sandbox.history(waits) == ["create network inactive 0", "expire network deleted 2592000"]
            )
            #expect(try await sandbox.history(stays) == ["create network active 1"])
            let card = try await sandbox.control("GET", "/v1/cards/test-mastercard")
            #expect(card.text("panSuffix") != TestCard.mastercard.suffix)
        }
    }

    @Test func `two tenants with one seed and different clocks live apart`() async throws {
        try await withSandbox { sandbox in
            var tokens: [String] = []
            for tenant in ["one", "two"] {
                let headers = [("x-sandbox-tenant", tenant)]
                let device = try await sandbox.api(
                    "POST",
                    "/wallet/apple/devices",
                    body: "{\"kind\":\"phone\"}",
                    headers: headers
                )
                let body: JSON = [
                    "pan": "4761730000000011", "expiration": "12/45", "name": "ANA", "cvv": "123",
                    "paymentNetwork": "Visa",
                ]
                let issuers = try await sandbox.control("GET", "/v1/issuers", headers: headers)["items"].array ?? []
                try #require(issuers.count == 2)
                let card: JSON = [
                    "issuerId": "DEMOBANK01", "issuerCardRefId": "test-45", "pan": "4761730000000011", "exp": "1245",
                    "cardHolderName": "ANA",
                ]
                _ = try await sandbox.control("POST", "/v1/cards", body: card.text, headers: headers)
                let path = "/wallet/apple/devices/\(device.text("deviceId"))/manual-entries"
                let made = try await sandbox.api("POST", path, body: body.text, headers: headers)
                tokens.append(made.text("tokenId"))
            }
            #expect(tokens[0] == tokens[1] && !tokens[0].isEmpty)
            try await sandbox.advance("3", tenant: "one")
            try await sandbox.advance("9", tenant: "two")
            var states: [String] = []
            for tenant in ["one", "two"] {
                let headers = [("x-sandbox-tenant", tenant)]
                states.append(
                    try await sandbox.control("GET", "/v1/tokens/\(tokens[0])", headers: headers).text("state")
                )
            }
            #expect(states == ["suspended", "deleted"])
        }
    }
}
