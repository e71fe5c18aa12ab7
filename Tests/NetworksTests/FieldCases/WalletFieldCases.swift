import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Rows of `field-cases.md` that happen between app, wallet and network. Each test is named by its row.
struct WalletFieldCases {
    private static let other = "A1B2C3D4E5.com.other"

    @Test func `row 1: an empty network and an app that is not allowed are both told, and no 500`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let changes: [(String, JSON)] = [("paymentNetwork", ""), ("application", .string(Self.other))]
            let reply = try await sandbox.session(phone, .visa, .visa, changes: changes)
            expect(reply, wallet: 400, ["PAYMENT_NETWORK_EMPTY", "APP_NOT_ENTITLED"])
            #expect(try await sandbox.told("APP_NOT_ENTITLED").hasPrefix("\(Self.other) is not registered |"))

            // Registered, and in no network's metadata: this is told beside the empty network too.
            let path = "/v1/applications/\(Self.other)"
            _ = try await sandbox.control("PUT", path, ["issuerId": "DEMOBANK01", "entitled": true])
            let listed = try await sandbox.session(phone, .visa, .visa, changes: changes)
            expect(listed, wallet: 400, ["PAYMENT_NETWORK_EMPTY"])
            #expect(try await sandbox.journaled() == ["PAYMENT_NETWORK_EMPTY", "APP_NOT_LISTED_AT_NETWORK"])
        }
    }

    @Test func `row 6: Visa's activation data needs the nonce, the server's activation does not`() async throws {
        try await withSandbox { sandbox in
            let token = try await sandbox.yellow(try await sandbox.device(), .visa).tokenID
            let issuer = TestIssuer(sandbox)
            let body: JSON = [
                "scheme": "VISA", "encryptedPayload": .string(try issuer.payload(.visa)),
                "authorizationCode": .string(try issuer.code(sub: "test-visa")),
            ]
            expect(try await sandbox.tpc("activatePass", body), tpc: 111, ["VISA_NEEDS_NONCE"])
            let cure = "Activate a Visa token from the server: updateTokenState with Activate."
            #expect(try await sandbox.told("VISA_NEEDS_NONCE") == " | \(cure)")
            #expect(try await sandbox.updateTokenState(token, .visa, "Activate").status == 200)
            #expect(try await sandbox.state(token) == "active")
        }
    }

    @Test func `row 7: phone and watch have one link and two tokens, each activated alone`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let local = try await sandbox.yellow(phone, .visa)
            let remote = try await sandbox.yellow(watch, .visa)
            #expect(local.serial == remote.serial && local.tokenID != remote.tokenID)
            let links = try await [phone, watch].async { device in
                try await sandbox.api("GET", "/wallet/apple/devices/\(device)/passes/\(local.serial)/verification-url")
                    .text
            }
            #expect(links[0] == links[1])
            _ = try await sandbox.updateTokenState(remote.tokenID, .visa, "Activate")
            #expect(
                try await [local.tokenID, remote.tokenID].async { try await sandbox.state($0) } == [
                    "inactive", "active",
                ]
            )
            _ = try await sandbox.updateTokenState(local.tokenID, .visa, "Activate")
            #expect(try await sandbox.state(local.tokenID) == "active")
        }
    }

    @Test func `row 8: a wrong team id gives an empty list and the ids that are configured`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.green(phone, .visa)
            let seen = try await sandbox.passes(phone, application: "Z9Y8X7W6V5.com.demobank.app")
            let words = "{\"localPasses\":[],\"remotePasses\":[],\"ambiguous\":false}"
            let wanted = Answer(status: 200, words: words, codes: ["APP_NOT_ASSOCIATED"])
            #expect(Answer(status: seen.status, words: seen.text, codes: seen.diagnosis) == wanted)
            let told = try await sandbox.told("APP_NOT_ASSOCIATED")
            #expect(told.contains("listed on the pass: A1B2C3D4E5.com.demobank.app, A1B2C3D4E5.com.demobank.app.*"))
            #expect(told.contains("same bundle id under another Team ID"))
            let table = [
                ("A1B2C3D4E5.com.demobank.app.wallet", 1), ("A1B2C3D4E5.com.demobank.app.wallet-ui", 1),
                ("A1B2C3D4E5.com.demobank.application", 0), ("A1B2C3D4E5.com.demobank.APP", 0),
            ]
            for (application, count) in table {
                let passes = try await sandbox.passes(phone, application: application)["localPasses"].array
                #expect(passes?.count == count, "\(application)")
            }
        }
    }

    @Test func `row 10: a hand-written key derivation is named, and the canonical one opens`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try await begun.triple()
            let activationData = good["activationData"] ?? .null
            let merchant = PassDataConstruction(partyV: .merchant("merchant.com.demobank.app"))
            let variants: [(made: PassDataConstruction, code: String, cause: String)] = [
                (PassDataConstruction(ivLength: 16), "IV_16_ZERO", "Use 12 zero bytes."),
                (PassDataConstruction(derivation: .secretFirst), "KDF_ORDER_X963", "Hash the counter before Z."),
                (merchant, "KDF_PARTYV_MERCHANT", "PartyV is the 65-byte ephemeral public key."),
                (PassDataConstruction(hasLengthByte: false), "KDF_NO_LENGTH_BYTE", "Put 0D before id-aes256-GCM."),
            ]
            for (made, code, hint) in variants {
                let sealed = try begun.seal(begun.passDataText.text, made)
                expect(try await begun.post(Provisioning.body(activationData, sealed)), wallet: 422, [code])
                #expect(try await sandbox.told(code) == " | \(hint)")
            }
            let leaf = try Certificate(der: try Base64.decode(begun.session["certificates"].array?.first?.string ?? ""))
            let spki = good.replacing("ephemeralPublicKey", .base64(leaf.publicKey.der))
            expect(try await begun.post(spki), wallet: 400, ["EPK_SPKI"])
            let canonical = try begun.seal(begun.passDataText.text)
            #expect(try await begun.post(Provisioning.body(activationData, canonical)).status == 201)
        }
    }

    @Test func `row 11: a pass stays invisible until the corrected metadata is applied`() async throws {
        try await withSandbox { sandbox in
            let path = "/v1/issuers/DEMOBANK01/pass-metadata/visa"
            _ = try await sandbox.control("PUT", path, ["associatedApplicationIdentifiers": [.string(Self.other)]])
            let phone = try await sandbox.device()
            let old = try await sandbox.green(phone, .visa)
            expectEmpty(try await sandbox.passes(phone))
            let right: JSON = ["associatedApplicationIdentifiers": [.string(TestSandbox.application)]]
            _ = try await sandbox.control("PUT", path, right)
            expectEmpty(try await sandbox.passes(phone))
            let new = try await sandbox.provision(phone, TestCard("test-2", pan: "4242424242424242"), .visa)
            #expect(try await sandbox.passes(phone)["localPasses"] == [new["pass"]])
            let applied = try await sandbox.control("POST", path + "/apply")
            #expect(applied.text == "{\"updatedPasses\":1}")
            let ids = try await sandbox.passes(phone)["localPasses"].array?.map { $0["serialNumber"]?.string }
            #expect(ids == [old.serial, new["pass"]["serialNumber"]?.string])
        }
    }

    private func expectEmpty(_ reply: TestReply) {
        #expect([reply["localPasses"], .strings(reply.diagnosis)] == [[], ["APP_NOT_ASSOCIATED"]])
    }

    @Test func `row 14: the key in wrappedKey names both members and the scheme declared`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try await begun.triple()
            let key = good["ephemeralPublicKey"] ?? .null
            let moved = good.without("ephemeralPublicKey").replacing("wrappedKey", key)
            expect(try await begun.post(moved), wallet: 400, ["WRAPPEDKEY_IN_ECC"])
            let told = try await sandbox.told("WRAPPEDKEY_IN_ECC")
            #expect(told.hasPrefix("declared EV_ECC_v2; ephemeralPublicKey absent, wrappedKey present |"))
            // Beside the right one it is only remarked.
            #expect(try await begun.post(good.replacing("wrappedKey", key)).status == 201)
            #expect(try await sandbox.journaled() == ["UNKNOWN_MEMBER"])
        }
    }

    @Test func `row 17: two cards with one suffix are told apart by token id and FPAN id`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let first = try await sandbox.provision(phone, TestCard("test-1", pan: "4988080000000000"), .visa)
            let suffix = "last4=0000"
            #expect(try await sandbox.passes(phone, query: suffix)["ambiguous"] == false)
            let second = try await sandbox.provision(phone, TestCard("test-2", pan: "4917610000000000"), .visa)
            let both = try await sandbox.passes(phone, query: suffix)
            #expect([both["localPasses"], both["ambiguous"]] == [[first["pass"], second["pass"]], true])
            for made in [first, second] {
                let fpanID = made["pass"]["secureElementPass"]?["primaryAccountIdentifier"] ?? .null
                let body: JSON = [
                    "deviceId": .string(phone), "application": .string(TestSandbox.application),
                    "primaryAccountIdentifier": fpanID,
                ]
                let found = try await sandbox.tpc("getCardDigitizationResult", body)
                #expect([found["localPKPass"], found["ambiguous"]] == [made["pass"], false])
                #expect(try await sandbox.token(made.text("tokenId"))["serialNumber"] == made["pass"]["serialNumber"])
            }
        }
    }

    @Test func `row 19: a card on the phone only is reported per device`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let token = try await sandbox.green(phone, .visa).tokenID
            let seen = try await sandbox.passes(phone)
            #expect([seen["localPasses"].array?.count, seen["remotePasses"].array?.count] == [1, 0])
            let remote = try await sandbox.passes(watch)
            #expect([remote["localPasses"].array?.count, remote["remotePasses"].array?.count] == [0, 1])
            #expect(try await sandbox.token(token)["deviceId"] == .string(phone))
        }
    }

    @Test(arguments: ["iPad", "vision pro", "手表"])
    func `row 19: a kind of device that nobody knows is kept as text`(_ kind: String) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let other = try await sandbox.device(kind, pairedWith: phone)
            #expect(try await sandbox.api("GET", "/wallet/apple/devices/\(other)")["kind"] == .string(kind))
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let made = try await sandbox.control(
                "POST",
                "/v1/tokens",
                [
                    "issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(other), "state": "active",
                    "application": .string(TestSandbox.application),
                ]
            )
            #expect(made.status == 201, "\(made.summary)")
            let seen = try await sandbox.passes(phone)
            #expect([seen["localPasses"].array?.count, seen["remotePasses"].array?.count] == [0, 1])
            let session = try await sandbox.session(phone)
            let cards = try await sandbox.d1("GET", "cards/card-visa/digital-cards", session)
            #expect(cards["items"].array?.map { $0["deviceType"] } == [.string(kind)], "\(cards.summary)")
        }
    }
}

extension Array where Element: Sendable {
    /// The elements changed one after the other.
    func async<Value>(_ change: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await change(element)) }
        return values
    }
}
