import Core
import Testing
import Wire

/// A decision that a fault ordered, against everything that the default rules would refuse.
@Suite struct ForcedProvisioningTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let forced: Decision?
        let expiry: String
        let expected: String
        let refusesActivationData: Bool

        var testDescription: String { "\(forced?.rawValue ?? "none") \(expiry): \(expected)" }
    }

    @Test(arguments: [
        Case(forced: .green, expiry: "1229", expected: "active", refusesActivationData: false),
        Case(forced: .yellow, expiry: "1229", expected: "inactive", refusesActivationData: false),
        Case(forced: .red, expiry: "1232", expected: "DECISION_FORCED_RED", refusesActivationData: false),
        Case(forced: nil, expiry: "1232", expected: "CARD_BLOCKED", refusesActivationData: true),
        Case(forced: nil, expiry: "1241", expected: "active", refusesActivationData: false),
        Case(forced: nil, expiry: "1243", expected: "CARD_NOT_ELIGIBLE", refusesActivationData: false),
        Case(forced: .yellow, expiry: "1246", expected: "inactive", refusesActivationData: false),
    ])
    func `the order speaks before a blocked or expired card and bad activation data`(_ example: Case) async throws {
        let worlds = try await TestWorlds()
        let (found, refuses) = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            _ = try world.apply(.block, to: card)
            let result = try world.provision(
                ProvisioningRequest(
                    deviceID: world.device().deviceID,
                    sessionID: nil,
                    network: .visa,
                    pan: Samples.pan("4111111111111111"),
                    expiry: Samples.expiry(example.expiry),
                    holderName: "ANA PRUEBA",
                    activationData: .refused,
                    forced: example.forced.map { ForcedDecision($0) }
                )
            )
            let words =
                switch result.outcome {
                case .made(let pass, _, _): pass.token.state.rawValue
                case .refused(let checks): checks.refused.joined(separator: " ")
                default: "\(result.outcome)"
                }
            return (words, result.refusesActivationData)
        }
        #expect(found == example.expected && refuses == example.refusesActivationData)
    }
}
