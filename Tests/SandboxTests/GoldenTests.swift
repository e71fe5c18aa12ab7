import Core
import SandboxTesting
import Testing
import Web
import Wire

/// Golden pairs in `fixtures/`: one story under seed 1 and the fixed clock, request and answer of each step.
struct GoldenTests {
    private static let story = GoldenStory(
        folder: { $0.hasPrefix("/wallet") ? "wallet" : "tpc" },
        fresh: [
            "encryptedPayload", "certificates", "certificateChain", "encryptedPassData", "ephemeralPublicKey",
        ]
    )

    @Test func `the story of one card is told as it is written down`() async throws {
        try await withSandbox { sandbox in
            let (tpc, wallet) = ("/mg/tpc/DEMOBANK01/", "/wallet/apple/")
            let issuer = TestIssuer(sandbox)
            let phone = try await Self.story.step(
                sandbox,
                "createDevice.phone",
                "POST",
                wallet + "devices",
                ["kind": "phone"]
            )
            .text("deviceId")
            let watch = try await Self.story.step(
                sandbox,
                "createDevice.watch",
                "POST",
                wallet + "devices",
                ["kind": "watch", "pairedWith": .string(phone)]
            ).text("deviceId")
            let devices = wallet + "devices/"
            _ = try await Self.story.step(sandbox, "createDevice.no-kind", "POST", wallet + "devices", [:])

            let begin: JSON = [
                "paymentNetwork": "Visa", "cardholderName": "ANA PRUEBA", "primaryAccountSuffix": "1111",
                "application": .string(TestSandbox.application),
            ]
            let sessions = devices + phone + "/provisioning-sessions"
            let session = try await Self.story.step(sandbox, "createProvisioningSession.visa", "POST", sessions, begin)
            let stranger = begin.replacing("application", "A1B2C3D4E5.com.other")
            _ = try await Self.story.step(sandbox, "createProvisioningSession.not-entitled", "POST", sessions, stranger)

            let generate = try sandbox.passRequest(session, .visa, .visa)
            let name = "generateAddPaymentPassRequest"
            _ = try await Self.story.step(sandbox, name + ".no-nonce", "POST", tpc + name, generate.without("nonce"))
            let triple = try await Self.story.step(sandbox, name + ".visa", "POST", tpc + name, generate).json
            let pass = wallet + "provisioning-sessions/\(session.text("sessionId"))/pass"
            let made = try await Self.story.step(sandbox, "createPass.green", "POST", pass, triple)
            _ = try await Self.story.step(sandbox, "createPass.session-used", "POST", pass, triple)

            let payload: JSON = ["scheme": "VISA", "encryptedPayload": .string(try issuer.payload(.visa))]
            _ = try await Self.story.step(sandbox, "getTokens.visa", "POST", tpc + "getTokens", payload)
            _ = try await Self.story.step(
                sandbox,
                "getTokens.no-issuer",
                "POST",
                "/mg/tpc/NOBODY0001/getTokens",
                payload
            )
            let token = made.text("tokenId")
            let suspend: JSON = [
                "tokenId": .string(token), "tokenRequestorId": "40010030273", "scheme": "VISA", "action": "Suspend",
                "authorizationCode": .string(try issuer.code(sub: token)),
            ]
            for result in ["suspend", "already-suspended"] {
                _ = try await Self.story.step(
                    sandbox,
                    "updateTokenState." + result,
                    "POST",
                    tpc + "updateTokenState",
                    suspend
                )
            }
            let resume = suspend.adding("action", "Resume")
            _ = try await Self.story.step(sandbox, "updateTokenState.resume", "POST", tpc + "updateTokenState", resume)

            let typed: JSON = [
                "pan": "4111111111111111", "expiration": "12/32", "name": "ANA PRUEBA", "cvv": "123",
                "paymentNetwork": "Visa",
            ]
            let yellow = try await Self.story.step(
                sandbox,
                "manualEntry.yellow",
                "POST",
                devices + watch + "/manual-entries",
                typed
            )
            let query = "?application=\(TestSandbox.application)"
            _ = try await Self.story.step(
                sandbox,
                "listPasses.phone-and-watch",
                "GET",
                devices + phone + "/passes" + query
            )
            let select: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.application),
                "primaryAccountNumberSuffix": "1111",
            ]
            _ = try await Self.story.step(
                sandbox,
                "getCardDigitizationResult.both",
                "POST",
                tpc + "getCardDigitizationResult",
                select
            )
            _ = try await Self.story.step(sandbox, "isCardDigitized.yes", "POST", tpc + "isCardDigitized", select)
            let other = select.adding("primaryAccountNumberSuffix", "9999")
            _ = try await Self.story.step(sandbox, "isCardDigitized.no", "POST", tpc + "isCardDigitized", other)

            let waiting = devices + watch + "/passes/" + (yellow["pass"]["serialNumber"]?.string ?? "")
            _ = try await Self.story.step(sandbox, "verificationURL.regular", "GET", waiting + "/verification-url")
            _ = try await Self.story.step(
                sandbox,
                "requestActivationCode.sms",
                "POST",
                waiting + "/activation-code",
                ["method": "SMS"]
            )
            _ = try await Self.story.step(
                sandbox,
                "activatePass.wrong-code",
                "POST",
                waiting + "/activate",
                ["activationCode": "x"]
            )
            let activate: JSON = payload.adding("authorizationCode", .string(try issuer.code(sub: "test-visa")))
            _ = try await Self.story.step(
                sandbox,
                "activatePass.visa-without-nonce",
                "POST",
                tpc + "activatePass",
                activate
            )
            let bound = activate.adding("nonce", session["nonce"])
            _ = try await Self.story.step(sandbox, "activatePass.visa", "POST", tpc + "activatePass", bound)
            for event in ["suspend", "resume"] {
                _ = try await Self.story.step(sandbox, event + "Pass.waiting", "POST", waiting + "/" + event)
            }
            _ = try await Self.story.step(sandbox, "deletePass.waiting", "DELETE", waiting)

            // Refused terms end a session, so it is one of its own.
            let late = try await sandbox.session(phone, .visa, .visa)
            let request = try sandbox.passRequest(late, .visa, .visa)
            let sealed = try await sandbox.api("POST", tpc + name, request).json
            _ = try await Self.story.step(
                sandbox,
                "createPass.terms-refused",
                "POST",
                wallet + "provisioning-sessions/\(late.text("sessionId"))/pass",
                sealed.adding("termsAccepted", false)
            )
        }
    }
}
