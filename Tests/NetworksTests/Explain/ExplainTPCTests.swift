import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// `pkcs7` and `jws` of the TPC face: an explanation says what the journal of the request says.
struct ExplainTPCTests {
    private static let mistakes =
        GeneratePassTests.missing + GeneratePassTests.malformed + GeneratePassTests.unauthenticated
        + GeneratePassTests.wrongCard

    @Test(arguments: mistakes)
    func `payload and code are told as the request tells them`(_ mistake: GeneratePassTests.Case) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, mistake.network)
            var body = try sandbox.passRequest(begun.session, begun.card, mistake.network)
            try mistake.change(&body, TestIssuer(sandbox))
            let reply = try await sandbox.tpc("generateAddPaymentPassRequest", body)
            #expect(reply.diagnosis.first == mistake.codes.first, "\(reply.summary)")
            let live = try await sandbox.judged()
            if let text = body["encryptedPayload"]?.string, !text.isEmpty {
                let network = PaymentNetwork(scheme: body["scheme"]?.string ?? "")
                let named: JSON = network.map { ["network": .string($0.rawValue)] } ?? [:]
                let told = try await sandbox.explainIdly(
                    "pkcs7",
                    .string(text),
                    named.adding("issuerId", "DEMOBANK01")
                )
                let parts = ["encryptedPayload.", "payload.", "card."]
                #expect(told.about(parts) == live.about(parts))
            }
            if let text = body["authorizationCode"]?.string, !text.isEmpty {
                var context: JSON = ["issuerId": "DEMOBANK01", "use": "authorizationCode"]
                // Without a card the request does not know what sub must be.
                if live.contains(where: { $0.name == "authorizationCode.sub" }) {
                    context = context.adding("sub", .string(begun.card.reference))
                }
                let told = try await sandbox.explainIdly("jws", .string(text), context)
                #expect(told.about(["authorizationCode."]) == live.about(["authorizationCode."]))
            }
        }
    }

    @Test(arguments: StrictnessTests.rows)
    func `every strictness is explained as it judges`(_ row: StrictnessTests.Row) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let bent = try row.change(
                try sandbox.passRequest(begun.session, begun.card, .visa),
                TestIssuer(sandbox)
            )
            for (word, credential) in [
                ("documented", nil), ("lenient", nil), ("strict", nil), ("documented", "strict"),
            ] {
                try await sandbox.strictness(word)
                var issuer = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01").json.without("networkKeys")
                let keys = issuer["keys"]?.array?.map { key in
                    key.replacing("strictness", credential.map { .string($0) } ?? .null)
                }
                issuer = issuer.replacing("keys", .array(keys ?? []))
                #expect(try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01", issuer).status == 200)
                let network = bent["scheme"]?.string == "VISA" ? "visa" : "mastercard"
                let payload = try await sandbox.explainIdly(
                    "pkcs7",
                    bent["encryptedPayload"] ?? .null,
                    ["issuerId": "DEMOBANK01", "network": .string(network)]
                )
                let code = try await sandbox.explainIdly(
                    "jws",
                    bent["authorizationCode"] ?? .null,
                    ["issuerId": "DEMOBANK01", "sub": "test-visa"]
                )
                _ = try await sandbox.tpc("generateAddPaymentPassRequest", bent)
                let live = try await sandbox.judged()
                if credential == nil {
                    #expect(payload.about("encryptedPayload.") == live.about("encryptedPayload."))
                }
                #expect(
                    code.about("authorizationCode.form", "authorizationCode.key", "authorizationCode.exp")
                        == live.about("authorizationCode.form", "authorizationCode.key", "authorizationCode.exp")
                )
            }
        }
    }

    @Test func `a code that was used is told so, by either purpose, and explaining spends none`() async throws {
        try await withSandbox { sandbox in
            let made = try await sandbox.green(sandbox.device(), .visa)
            let code = try TestIssuer(sandbox).code(sub: made.tokenID, changes: [("jti", "once")])
            let context: JSON = ["sub": .string(made.tokenID), "network": "visa"]
            for _ in 0..<2 {
                let fresh = try await sandbox.explainIdly("jws", .string(code), context)
                #expect(fresh.codes == [])
                #expect(fresh.contains { $0.name == "authorizationCode.jti" && $0.evidence == "not used before" })
                #expect(fresh.first?.evidence.contains("iss, DEMOBANK01, used to look up") == true)
            }
            let used = try await sandbox.updateTokenState(
                made.tokenID,
                .visa,
                "Suspend",
                changes: [("authorizationCode", .string(code))]
            )
            #expect(used.status == 200)
            #expect(try await sandbox.explainIdly("jws", .string(code), context).codes == ["JWT_JTI_REPLAYED"])
            let other = try await sandbox.explain("jws", .string(code), ["sub": "DNITHE000000000000000000"])
            #expect(other.codes == ["JWT_SUB_OTHER_TOKEN", "JWT_JTI_REPLAYED", "TOKEN_UNKNOWN"])
        }
    }

    @Test func `one key, another issuer and a wrong context are each told`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let payload = JSON.string(try issuer.payload(.visa))
            let good = try await sandbox.explainIdly("pkcs7", payload, ["keyId": "TSH-PAYLOAD-2048"])
            #expect(good.codes == [] && !good.isEmpty)
            let other = try await sandbox.explain("pkcs7", payload, ["keyId": "TSH-PAYLOAD-4096"])
            #expect(other.codes.first?.hasPrefix("CMS_") == true, "\(other)")
            #expect(try await sandbox.explain("pkcs7", payload, ["network": "amex"]).codes == ["PAN_NETWORK_MISMATCH"])
            #expect(try await sandbox.explain("pkcs7", payload, ["issuerId": "NOBANK0000"]).codes == ["ISSUER_UNKNOWN"])

            let code = JSON.string(try issuer.code(sub: "test-visa"))
            let named = try await sandbox.explain("jws", code, ["issuerId": "DEMOBANK02", "use": "authorizationCode"])
            #expect(named.codes == ["JWT_KID_UNKNOWN", "JWT_ISS_MISMATCH"])
            let audience = try await sandbox.explain("jws", code, ["aud": "GOOGLE_PAY"])
            #expect(audience.codes == ["EXPLAIN_AUD_DIFFERS"])
            let lost = JSON.string(try issuer.code(sub: "x", changes: [("iss", .null)]))
            #expect(try await sandbox.explain("jws", lost, ["use": "authorizationCode"]).codes == ["ISSUER_UNKNOWN"])
        }
    }

    @Test func `a rotated key opens, and a frozen clock is the one that counts`() async throws {
        try await withSandbox { sandbox in
            let rotated = try await sandbox.control("POST", "/v1/payload-keys/rotate", [:])
            let certificate = try Certificate(pem: rotated.text("certificate"))
            let sealed = try EnvelopedDataSealer.seal(TestCard.visa.json.bytes, to: certificate)
            #expect(try await sandbox.explain("pkcs7", .string(Hex.encode(sealed))).codes == [])
            let code = JSON.string(try TestIssuer(sandbox).code(sub: "test-visa"))
            #expect(try await sandbox.explain("jws", code).codes == [])
            sandbox.clock.advance(seconds: 3_600)
            #expect(try await sandbox.explain("jws", code).codes == ["JWT_EXPIRED"])
        }
    }

    @Test func `the tenant's own settings, issuers and spent codes are taken, no other's`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let patch = try await sandbox.control(
                "PATCH",
                "/v1/tenants/other",
                body: "{\"strictness\":\"strict\"}",
                headers: [("X-Sandbox-Tenant", "other")]
            )
            #expect(patch.status == 200)
            let card = TestCard("test-luhn", pan: "5123456789012345")
            let body: JSON = [
                "kind": "pkcs7", "value": .string(try issuer.payload(card)), "context": ["issuerId": "DEMOBANK01"],
            ]
            func codes(_ tenant: String) async throws -> [String] {
                let reply = try await sandbox.control(
                    "POST",
                    "/v1/explain",
                    body: body.text,
                    headers: [("X-Sandbox-Tenant", tenant)]
                )
                return (reply["checks"].array ?? []).map(Told.init).codes
            }
            #expect(try await codes("default") == [])
            #expect(try await codes("other") == ["PAN_LUHN"])
        }
    }

    @Test func `a reference that stands for another number is told`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let card = TestCard("test-visa", pan: "4761731000000050")
            let value = JSON.string(try TestIssuer(sandbox).payload(card))
            #expect(
                try await sandbox.explainIdly("pkcs7", value, ["issuerId": "DEMOBANK01"]).codes == ["CARD_REF_CONFLICT"]
            )
            #expect(try await sandbox.explain("pkcs7", value, ["issuerId": "DEMOBANK02"]).codes == [])
        }
    }

    @Test func `keyId leaves only that key of the issuer`() async throws {
        try await withSandbox { sandbox in
            let code = JSON.string(try TestIssuer(sandbox).code(sub: "test-visa"))
            let named: JSON = ["issuerId": "DEMOBANK01", "keyId": "demobank01-auth-1"]
            #expect(try await sandbox.explain("jws", code, named).codes == [])
            let body: JSON = [
                "kind": "jws", "value": code, "context": ["issuerId": "DEMOBANK01", "keyId": "demobank01-d1-1"],
            ]
            let reply = try await sandbox.control("POST", "/v1/explain", body)
            #expect((reply.status, reply.text("pointer")) == (400, "/context/keyId"))
            #expect(reply.text("detail").contains("known: demobank01-auth-1"))
        }
    }
}
