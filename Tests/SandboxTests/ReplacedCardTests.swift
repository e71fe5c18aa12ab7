import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// Magic data 2049: the card gets a new number, and the vault has it (CONTRACT, section 1).
struct ReplacedCardTests {
    @Test(arguments: PaymentNetwork.allCases)
    func `2049 gives the card a new number, and token and FPAN id stay`(_ network: PaymentNetwork) async throws {
        var numbers: [String] = []
        for _ in 0..<2 { numbers.append(try await replaced(network)) }
        // One seed, one number.
        #expect(numbers[0] == numbers[1])
    }

    /// The new number of a card that was added and lived 3 s.
    private func replaced(_ network: PaymentNetwork) async throws -> String {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let plain = TestCard.of(network)
            let card = TestCard(plain.reference, pan: plain.pan, exp: "1249", name: plain.name)
            let made = try await sandbox.provision(phone, card, network)
            #expect(made.diagnosis == ["SCENARIO_APPLIED:2049"])
            let path = "/v1/cards/\(card.reference)"
            _ = try await sandbox.control("POST", "/v1/clock/advance", body: "{\"seconds\":2.999}")
            #expect(try await sandbox.control("GET", path).text("panSuffix") == card.suffix)
            _ = try await sandbox.control("POST", "/v1/clock/advance", body: "{\"seconds\":0.001}")
            let text = try await sandbox.application.worlds.read(.default) { view in
                try view.store.number(of: VaultOwner(kind: "card", id: "DEMOBANK01/\(card.reference)"))
            }
            let pan = try #require(text.flatMap(PAN.init))
            #expect(pan.isLuhnValid && PaymentNetwork(pan: pan.digits) == network && pan.suffix != card.suffix)
            #expect(sandbox.application.worlds.environment.panPolicy.allows(pan))
            #expect(try await sandbox.control("GET", path).text("panSuffix") == pan.suffix)

            let old = made["pass"]["secureElementPass"] ?? .null
            let new = try await sandbox.passes(phone)["localPasses"].array?.first?["secureElementPass"]
            #expect(new == old.replacing("primaryAccountNumberSuffix", .string(pan.suffix)))
            #expect(try await sandbox.token(made.text("tokenId"))["history"].array?.count == 1)
            return pan.digits
        }
    }
}
