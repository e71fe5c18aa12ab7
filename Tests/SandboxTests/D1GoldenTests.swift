import Core
import SandboxTesting
import Testing
import Web
import Wire

/// Golden pairs of D1 in `fixtures/d1` and `fixtures/d1issuer`: one story under seed 1 and the fixed clock.
struct D1GoldenTests {
    private static let story = GoldenStory(
        folder: { $0.hasPrefix("/d1") ? "d1" : "d1issuer" },
        fresh: [
            "issuerTokens", "certificateChain", "encryptedPassData", "ephemeralPublicKey", "nonce", "nonceSignature",
            "activationData", "encryptedData",
        ]
    )

    @Test func `the story of the Wallet extension is told as it is written down`() async throws {
        try await withSandbox { sandbox in
            let (client, banking) = ("/d1/client/v1/", "/banking/v2/issuers/DEMOBANK01/")
            let phone = try await sandbox.device()
            let status = client + "extension-status?deviceId=\(phone)&application=\(TestSandbox.walletExtension)"
            _ = try await Self.story.step(sandbox, "extensionStatus.never-configured", "GET", status)
            let configuration: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.application),
                "appGroupID": .string(TestSandbox.appGroup), "issuerId": "DEMOBANK01", "consumerId": "consumer-ana",
                "cardParamsList": TestSandbox.cardParams([("card-visa", "2718")]),
            ]
            let elsewhere = configuration.adding("appGroupID", "group.other")
            _ = try await Self.story.step(sandbox, "configure.app-group", "POST", client + "configure", elsewhere)
            _ = try await Self.story.step(sandbox, "configure.one-issuer", "POST", client + "configure", configuration)
            _ = try await Self.story.step(sandbox, "extensionStatus.before-login", "GET", status)
            let place: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.walletExtensionUI),
                "context": "extension",
            ]
            let bound = try await Self.story.step(
                sandbox,
                "bindingHash.extension",
                "POST",
                client + "binding-hash",
                place
            )
            let issuer = TestIssuer(sandbox)
            let unbound = place.adding("issuerTokens", [.string(try issuer.token())])
            _ = try await Self.story.step(sandbox, "login.no-cbp", "POST", client + "login", unbound)
            let token = try issuer.token(cbp: bound["bindingHash"].string)
            let login = place.adding("issuerTokens", [.string(token)])
            let opened = try await Self.story.step(sandbox, "login.one-issuer", "POST", client + "login", login)
            let session = opened["sessionToken"].string
            _ = try await Self.story.step(sandbox, "passEntries.no-session", "GET", client + "pass-entries")
            _ = try await Self.story.step(
                sandbox,
                "passEntries.one-card",
                "GET",
                client + "pass-entries",
                bearer: session
            )
            let state = client + "cards/card-visa/digitization-state"
            _ = try await Self.story.step(sandbox, "cardDigitizationState.not-digitized", "GET", state, bearer: session)
            let activate = client + "cards/card-visa/activate"
            _ = try await Self.story.step(sandbox, "activateCard.nothing-pending", "POST", activate, bearer: session)

            let bearer = try await sandbox.bearer()
            let card = banking + "cards/card-visa"
            _ = try await Self.story.step(sandbox, "getCard.no-bearer", "GET", card)
            _ = try await Self.story.step(sandbox, "getCard.active", "GET", card, bearer: bearer)
            let lost: JSON = ["reason": "CARD_LOST"]
            _ = try await Self.story.step(
                sandbox,
                "suspendCard.lost",
                "POST",
                card + "/operations/suspend",
                lost,
                bearer: bearer
            )
            let user: JSON = ["reason": "USER_DECISION"]
            _ = try await Self.story.step(
                sandbox,
                "resumeCard.reason",
                "POST",
                card + "/operations/resume",
                user,
                bearer: bearer
            )
            _ = try await Self.story.step(sandbox, "getCard.unknown", "GET", banking + "cards/nothing", bearer: bearer)
        }
    }
}
