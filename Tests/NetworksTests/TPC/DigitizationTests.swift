import Core
import SandboxTesting
import Testing
import Wire

/// `getCardDigitizationResult` and `isCardDigitized`: the same question, two answers.
struct DigitizationTests {
    private static let result = "getCardDigitizationResult"

    private func ask(_ sandbox: TestSandbox, _ deviceID: String, _ selector: JSON, _ changes: (String, JSON)...) -> JSON
    {
        var body: JSON = ["deviceId": .string(deviceID), "application": .string(TestSandbox.application)]
        for member in selector.object?.members ?? [] { body = body.replacing(member.key, member.value) }
        for (name, value) in changes { body = body.replacing(name, value) }
        return body
    }

    private func byPayload(_ sandbox: TestSandbox, _ network: PaymentNetwork) throws -> JSON {
        let payload = try TestIssuer(sandbox).payload(.of(network))
        return ["scheme": .string(network.scheme), "encryptedPayload": .string(payload)]
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `the card is found by payload, FPAN id and last digits`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let made = try await sandbox.provision(phone, .of(network), network)
            _ = try await sandbox.provision(watch, .of(network), network)
            let fpanID = made["pass"]["secureElementPass"]?["primaryAccountIdentifier"] ?? .null
            let pan = TestCard.of(network).pan
            let selectors: [JSON] = [
                try byPayload(sandbox, network), ["primaryAccountIdentifier": fpanID],
                ["primaryAccountNumberSuffix": .string(String(pan.suffix(4)))],
                ["primaryAccountNumberSuffix": .string(String(pan.suffix(5)))],
            ]
            for selector in selectors {
                let reply = try await sandbox.tpc(Self.result, ask(sandbox, phone, selector))
                let comment = Comment(rawValue: selector.text)
                #expect(reply["primaryAccountIdentifier"] == fpanID, comment)
                #expect(reply["localPKPass"] == made["pass"], comment)
                #expect(reply["remotePKPass"]["deviceName"] == "Apple Watch", comment)
                #expect(reply["ambiguous"] == false, comment)
                let known = try await sandbox.tpc("isCardDigitized", ask(sandbox, phone, selector))
                #expect(known.text == "{\"digitized\":true}", comment)
            }
        }
    }

    @Test func `no match is 200 with nulls here and 116 there`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.green(phone, .visa)
            let selectors: [JSON] = [
                try byPayload(sandbox, .mastercard), ["primaryAccountIdentifier": "V-none"],
                ["primaryAccountNumberSuffix": "9999"], ["primaryAccountNumberSuffix": "21111"],
            ]
            for selector in selectors {
                let reply = try await sandbox.tpc(Self.result, ask(sandbox, phone, selector))
                let nulls =
                    "{\"primaryAccountIdentifier\":null,\"localPKPass\":null,\"remotePKPass\":null,"
                    + "\"ambiguous\":false}"
                #expect(
                    Answer(status: reply.status, words: reply.text, codes: reply.diagnosis)
                        == Answer(status: 200, words: nulls, codes: ["NO_MATCHING_PASS"])
                )
                let known = try await sandbox.tpc("isCardDigitized", ask(sandbox, phone, selector))
                expect(known, tpc: 116, ["CARD_NOT_DIGITIZED", "NO_MATCHING_PASS"])
            }
        }
    }

    @Test func `a card of another issuer is not found`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.green(phone, .visa)
            let body = ask(sandbox, phone, ["primaryAccountNumberSuffix": "1111"])
            let reply = try await sandbox.tpc("isCardDigitized", body, issuerID: "DEMOBANK02")
            expect(reply, tpc: 116, ["CARD_NOT_DIGITIZED", "NO_MATCHING_PASS"])
        }
    }

    @Test func `the near miss of an application is named`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.green(phone, .visa)
            let table = [
                ("A1B2C3D4E5.com.DemoBank.app", "differs in letter case only"),
                ("Z9B2C3D4E5.com.demobank.app", "same bundle id under another Team ID"),
                ("Z9B2C3D4E5.com.demobank.app.wallet", "matching bundle id under another Team ID"),
            ]
            for (application, near) in table {
                let body = ask(
                    sandbox,
                    phone,
                    ["primaryAccountNumberSuffix": "1111"],
                    ("application", .string(application))
                )
                let reply = try await sandbox.tpc("isCardDigitized", body)
                expect(reply, tpc: 116, ["CARD_NOT_DIGITIZED", "APP_NOT_ASSOCIATED"])
                #expect(try await sandbox.told("APP_NOT_ASSOCIATED").contains(near))
            }
            let within = "A1B2C3D4E5.com.demobank.app.wallet"
            let body = ask(sandbox, phone, ["primaryAccountNumberSuffix": "1111"], ("application", .string(within)))
            #expect(try await sandbox.tpc("isCardDigitized", body).status == 200)
        }
    }

    @Test func `two cards with the same last digits are both meant`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let other = TestCard("test-1", pan: "4988080000000000")
            _ = try await sandbox.provision(phone, other, .visa)
            let third = TestCard("test-2", pan: "4917610000000000")
            _ = try await sandbox.provision(phone, third, .visa)
            let reply = try await sandbox.tpc(Self.result, ask(sandbox, phone, ["primaryAccountNumberSuffix": "0000"]))
            #expect(reply["ambiguous"] == true)
            let one = try TestIssuer(sandbox).payload(third)
            let exact: JSON = ["scheme": "VISA", "encryptedPayload": .string(one)]
            let found = try await sandbox.tpc(Self.result, ask(sandbox, phone, exact))
            #expect(found["ambiguous"] == false)
            #expect(found["localPKPass"]["secureElementPass"]?["primaryAccountNumberSuffix"] == "0000")
        }
    }

    @Test func `what is wrong has its number`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let good = try byPayload(sandbox, .visa)
            let table: [(body: JSON, number: Int, codes: [String])] = [
                ([:], 111, ["DEVICE_ID_MISSING", "APPLICATION_MISSING", "CARD_SELECTOR_MISSING"]),
                (ask(sandbox, phone, [:]), 111, ["CARD_SELECTOR_MISSING"]),
                (ask(sandbox, phone, ["scheme": "VISA"]), 111, ["SCHEME_WITHOUT_PAYLOAD"]),
                (ask(sandbox, phone, good.without("scheme")), 111, ["SCHEME_WITHOUT_PAYLOAD"]),
                (ask(sandbox, phone, ["primaryAccountNumberSuffix": "111"]), 112, ["SUFFIX_FORM"]),
                (ask(sandbox, phone, ["primaryAccountNumberSuffix": "111111"]), 112, ["SUFFIX_FORM"]),
                (
                    ask(sandbox, phone, ["primaryAccountNumberSuffix": 1111]), 112,
                    ["PRIMARY_ACCOUNT_NUMBER_SUFFIX_WRONG_TYPE"]
                ),
                (ask(sandbox, phone, good, ("scheme", "AMEX")), 166, ["PAN_NETWORK_MISMATCH"]),
                (ask(sandbox, "dev-none", good), 117, ["DEVICE_UNKNOWN"]),
            ]
            for (body, number, codes) in table {
                expect(try await sandbox.tpc(Self.result, body), tpc: number, codes)
            }
        }
    }
}
