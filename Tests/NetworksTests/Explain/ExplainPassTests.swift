import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `pass` and `activation-data`: an explanation says what the journal of the wallet's call says, and goes on.
struct ExplainPassTests {
    private static let stages = ["session", "body.", "passData.", "activationData.", "card.issuer"]

    @Test(arguments: PassIssuanceTests.form + PassIssuanceTests.constructions + PassIssuanceTests.contents)
    func `pass data is told as the wallet tells it`(_ mistake: PassIssuanceTests.Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, mistake.network)
            let body = try mistake.change(try await begun.triple(), begun)
            guard body.object != nil else { return }
            let context: JSON = ["sessionId": .string(begun.session.text("sessionId"))]
            let told = try await sandbox.explainIdly("pass", body, context)
            let reply = try await begun.post(body)
            let live = try await sandbox.judged().filter { check in
                Self.stages.contains { check.name.hasPrefix($0) } && check.code != "ACTIVATION_DATA_MISSING"
            }
            // The request ends at the first part that is wrong; the explanation looks at the rest too.
            #expect(told.filter(live.contains) == live, "\(reply.summary)")
        }
    }

    @Test func `a session that was used or is over is still explained`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try await begun.triple()
            let context: JSON = ["sessionId": .string(begun.session.text("sessionId"))]
            #expect(try await sandbox.explainIdly("pass", body, context).codes == [])
            // Explaining did not use it.
            #expect(try await begun.post(body).status == 201)
            let used = try await sandbox.explainIdly("pass", body, context)
            #expect(used.codes == ["SESSION_USED"])
            #expect(used.contains { $0.name == "passData.nonce" && $0.passed })
            sandbox.clock.advance(seconds: 301)
            let late = try await sandbox.explainIdly("pass", body, context)
            #expect(late.codes == ["SESSION_USED", "SESSION_EXPIRED"])
            let unknown = try await sandbox.explainIdly("pass", body, ["sessionId": "s-none"])
            #expect(unknown.codes == ["SESSION_UNKNOWN"])
            #expect(try await sandbox.explain("pass", body.without("activationData"), context).codes == late.codes)
        }
    }

    @Test func `a nonce of another session and bad activation data are both told`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let other = try await Provisioning.begin(sandbox)
            let begun = try await Provisioning.begin(sandbox)
            let text = begun.passDataText.replacing("nonce", .string(Hex.encode(other.nonce))).text
            let body = Provisioning.body(.base64(Array("none".utf8)), try begun.seal(text))
            let context: JSON = ["sessionId": .string(begun.session.text("sessionId"))]
            let told = try await sandbox.explainIdly("pass", body, context)
            #expect(told.codes == ["NONCE_REPLAY", "ACTIVATION_VISA_FORM"])
            #expect(try await begun.post(body).diagnosis == ["NONCE_REPLAY"])
        }
    }

    @Test(arguments: ActivationDataTests.mastercard + ActivationDataTests.visa + ActivationDataTests.macs)
    func `activation data is told as the wallet tells it`(_ example: ActivationDataTests.Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, example.network)
            try await sandbox.register(begun.card)
            let value = JSON.base64(try example.make(begun))
            let context: JSON = [
                "network": .string(example.network.rawValue), "pan": .string(begun.card.pan),
                "exp": .string(begun.card.exp), "nonce": begun.session["nonce"],
            ]
            let told = try await sandbox.explainIdly("activation-data", value, context)
            let named = try await sandbox.explainIdly(
                "activation-data",
                value,
                context.without("nonce").without("network").adding(
                    "sessionId",
                    .string(begun.session.text("sessionId"))
                ).adding("issuerId", "DEMOBANK01")
            )
            #expect(named == told)
            #expect(told.codes == example.codes)
            _ = try await begun.post(Provisioning.body(value, try begun.seal(begun.passDataText.text)))
            #expect(told.about("activationData.") == (try await sandbox.judged()).about("activationData."))
        }
    }

    @Test func `without a nonce the value is one for a pass that exists`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.amex)
            let key = try Hex.decode("f696c76fad37259849f183d59173f506009a5e7200e67e980e8e3dbd656089f9")
            let mac = HMAC.sha256(Array(TestCard.amex.pan.utf8), key: SecretBytes(key))
            let document: JSON = ["v": 1, "mac": .base64(mac)]
            let context: JSON = ["network": "amex", "pan": .string(TestCard.amex.pan)]
            let value = JSON.base64(document.bytes)
            #expect(try await sandbox.explain("activation-data", value, context).codes == [])
            let bound = context.adding("nonce", .base64([1, 2, 3, 4]))
            #expect(
                try await sandbox.explain("activation-data", value, bound).codes == ["ACTIVATION_MAC_WITHOUT_NONCE"]
            )
            let visa = JSON.base64(Array("MBPAC-1-FK-401200.1--TDEA-00".utf8))
            let form = try await sandbox.explain(
                "activation-data",
                visa,
                ["network": "visa", "issuerId": "DEMOBANK01"]
            )
            #expect(form.codes == ["ACTIVATION_VISA_CIPHERTEXT"])
            let hex = JSON.string(Hex.encode(document.bytes))
            #expect(
                try await sandbox.explain("activation-data", hex, context).codes == ["ENC_HEX_INSTEAD_OF_B64"]
            )
        }
    }
}
