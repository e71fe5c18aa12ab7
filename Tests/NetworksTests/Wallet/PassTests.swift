import Core
import SandboxTesting
import Testing
import Wire

/// Passes as an application sees them, and what the cardholder does with them.
struct PassTests {
    private static let metadata = "/v1/issuers/DEMOBANK01/pass-metadata"

    private func path(_ phone: String, _ serial: String, _ rest: String = "") -> String {
        "/wallet/apple/devices/\(phone)/passes/\(serial)\(rest)"
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `the cardholder suspends, resumes and deletes`(_ network: PaymentNetwork) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (token, serial) = try await sandbox.green(phone, network)
            let suspended = try await sandbox.api("POST", path(phone, serial, "/suspend"))
            #expect(suspended["secureElementPass"]["passActivationState"] == "suspended")
            #expect(try await sandbox.state(token) == "suspended cardholder")
            let twice = try await sandbox.api("POST", path(phone, serial, "/suspend"))
            expect(twice, wallet: 409, ["ALREADY_IN_REQUESTED_STATE"])
            let resumed = try await sandbox.api("POST", path(phone, serial, "/resume"))
            #expect(resumed["secureElementPass"]["passActivationState"] == "activated")
            let deleted = try await sandbox.api("DELETE", path(phone, serial))
            #expect([String(deleted.status), deleted.text] == ["204", ""])
            #expect(try await sandbox.state(token) == "deleted")
            #expect(try await sandbox.passes(phone)["localPasses"] == [])
            expect(try await sandbox.api("DELETE", path(phone, serial)), wallet: 404, ["PASS_UNKNOWN"])
        }
    }

    /// What each party may lift: the mix of CONTRACT 1, "Suspenders".
    @Test func `each lifts its own suspension, and the issuer the cardholder's`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (token, serial) = try await sandbox.green(phone, .visa)
            _ = try await sandbox.updateTokenState(token, .visa, "Suspend")
            let refused = try await sandbox.api("POST", path(phone, serial, "/resume"))
            expect(refused, wallet: 409, ["SUSPENDED_BY_OTHER"])
            _ = try await sandbox.api("POST", path(phone, serial, "/suspend"))
            #expect(try await sandbox.state(token) == "suspended issuer cardholder")
            let half = try await sandbox.api("POST", path(phone, serial, "/resume"))
            #expect(half["secureElementPass"]["passActivationState"] == "suspended")
            #expect(try await sandbox.state(token) == "suspended issuer")
            _ = try await sandbox.updateTokenState(token, .visa, "Resume")
            #expect(try await sandbox.state(token) == "active")
        }
    }

    @Test func `a pass of the watch has its verification link on the phone, too`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let metadata: JSON = ["appLaunchURL": "demobank://verify", "associatedStoreIdentifiers": ["1"]]
            _ = try await sandbox.control("PUT", Self.metadata + "/visa", metadata)
            let (_, serial) = try await sandbox.yellow(watch, .visa)
            let links = [
                try await sandbox.api("GET", path(watch, serial, "/verification-url")),
                try await sandbox.api("GET", path(phone, serial, "/verification-url")),
            ]
            #expect(links[0].status == 200 && links[0].json == links[1].json, "\(links[1].summary)")
            let other = try await sandbox.api("GET", path(phone, "none", "/verification-url"))
            expect(other, wallet: 404, ["PASS_UNKNOWN"])
        }
    }

    @Test func `a near miss is named although another pass is hidden before it`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            for (network, entry) in [
                (PaymentNetwork.visa, "ZZZZZZZZZZ.some.thing"), (.amex, "A1B2C3D4E5.com.Demobank.app"),
            ] {
                let metadata: JSON = ["associatedApplicationIdentifiers": [.string(entry)]]
                _ = try await sandbox.control("PUT", "\(Self.metadata)/\(network.rawValue)", metadata)
                _ = try await sandbox.green(phone, network)
            }
            _ = try await sandbox.passes(phone, application: "A1B2C3D4E5.com.demobank.app")
            let told = try await sandbox.told("APP_NOT_ASSOCIATED")
            #expect(told.contains("A1B2C3D4E5.com.Demobank.app differs in letter case only"))
            #expect(told.contains("ZZZZZZZZZZ.some.thing"))
        }
    }

    @Test func `a pass that waits takes no suspension`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let (_, serial) = try await sandbox.yellow(phone, .visa)
            for step in ["/suspend", "/resume"] {
                let reply = try await sandbox.api("POST", path(phone, serial, step))
                expect(reply, wallet: 409, ["TOKEN_REQUIRES_ACTIVATION"])
            }
            #expect(try await sandbox.api("DELETE", path(phone, serial)).status == 204)
        }
    }

    @Test func `a card that is deleted and added again is a new token and a new pass`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let first = try await sandbox.green(phone, .visa)
            _ = try await sandbox.api("DELETE", path(phone, first.serial))
            let second = try await sandbox.green(phone, .visa)
            #expect(second.tokenID != first.tokenID && second.serial != first.serial)
            #expect(try await sandbox.state(first.tokenID) == "deleted")
            // The watch keeps the card's serial number alive: the phone gets it again.
            let remote = try await sandbox.green(watch, .visa)
            _ = try await sandbox.api("DELETE", path(phone, second.serial))
            let third = try await sandbox.green(phone, .visa)
            #expect([remote.serial, third.serial] == [second.serial, second.serial])
            #expect(third.tokenID != second.tokenID)
        }
    }

    @Test func `a pass has the members of the contract`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let token = try await sandbox.token(made.text("tokenId"))
            let fpanID = try await sandbox.control("GET", "/v1/cards/test-visa")["primaryAccountIdentifier"]
            let pass: JSON = [
                "passTypeIdentifier": "paymentpass.com.apple", "serialNumber": token["serialNumber"],
                "deviceName": "iPhone", "isRemotePass": false, "activationMethods": [],
                "secureElementPass": [
                    "primaryAccountIdentifier": fpanID, "primaryAccountNumberSuffix": "1111",
                    "deviceAccountIdentifier": made["tokenId"], "deviceAccountNumberSuffix": token["tokenSuffix"],
                    "passActivationState": "activated",
                ],
            ]
            #expect(made["pass"] == pass)
        }
    }

    @Test func `each device sees its own pass as local, the other as remote`() async throws {
        try await withSandbox { sandbox in
            let (phone, watch) = try await sandbox.phoneAndWatch()
            let lonely = try await sandbox.device()
            let local = try await sandbox.green(phone, .visa)
            let remote = try await sandbox.green(watch, .visa)
            for (device, own, other) in [(phone, local, remote), (watch, remote, local)] {
                let seen = try await sandbox.passes(device)
                let ids = [seen["localPasses"], seen["remotePasses"]].map { list in
                    list.array?.map { $0.at("secureElementPass", "deviceAccountIdentifier").string ?? "" }
                }
                #expect(ids == [[own.tokenID], [other.tokenID]])
                #expect(seen["remotePasses"].array?.first?["isRemotePass"] == true)
                #expect(seen["ambiguous"] == false)
            }
            let none = try await sandbox.passes(lonely)
            let words = "{\"localPasses\":[],\"remotePasses\":[],\"ambiguous\":false}"
            #expect(
                Answer(status: none.status, words: none.text, codes: none.diagnosis)
                    == Answer(status: 200, words: words, codes: ["NO_MATCHING_PASS"])
            )
        }
    }

    @Test func `passes are found by last digits and serial number`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let visa = try await sandbox.green(phone, .visa)
            _ = try await sandbox.green(phone, .amex)
            let table: [(query: String, count: Int)] = [
                ("", 2), ("last4=1111", 1), ("last4=11111", 1), ("last4=0005", 1), ("last4=9999", 0),
                ("serialNumber=\(visa.serial)", 1), ("serialNumber=none", 0),
                ("serialNumber=\(visa.serial)&last4=0005", 0),
            ]
            for (query, count) in table {
                let seen = try await sandbox.passes(phone, query: query)
                #expect(seen["localPasses"].array?.count == count, "\(query)")
                #expect(seen.diagnosis == (count == 0 ? ["NO_MATCHING_PASS"] : []), "\(query)")
            }
            #expect(try await sandbox.passes(phone)["ambiguous"] == true)
            for last4 in ["111", "111111", "abcd", ""] {
                let reply = try await sandbox.passes(phone, query: "last4=\(last4)")
                expect(reply, wallet: 400, ["LAST4_MALFORMED"])
            }
        }
    }

    @Test func `Wallet itself, without an application, sees all`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.control("PUT", Self.metadata + "/visa", ["associatedApplicationIdentifiers": []])
            _ = try await sandbox.green(phone, .visa)
            #expect(try await sandbox.passes(phone, application: nil)["localPasses"].array?.count == 1)
            let hidden = try await sandbox.passes(phone)
            #expect([hidden["localPasses"], .strings(hidden.diagnosis)] == [[], ["APP_NOT_ASSOCIATED"]])
            #expect(try await sandbox.told("APP_NOT_ASSOCIATED").contains("listed on the pass: none"))
        }
    }

    struct Link: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let query: String
    }

    @Test(arguments: [
        Link(
            testDescription: "",
            query: "passTypeIdentifier=paymentpass.com.apple&serialNumber={serial}&action=verify"
        ),
        Link(
            testDescription: "missing-action",
            query: "passTypeIdentifier=paymentpass.com.apple&serialNumber={serial}"
        ),
        Link(
            testDescription: "unknown-serial",
            query:
                "passTypeIdentifier=paymentpass.com.apple&serialNumber=00000000000000000000000000000000&action=verify"
        ),
        Link(
            testDescription: "other-pass-type",
            query: "passTypeIdentifier=pass.com.example.other&serialNumber={serial}&action=verify"
        ),
        Link(
            testDescription: "extra-parameters",
            query: "passTypeIdentifier=paymentpass.com.apple&source=wallet&serialNumber={serial}&action=verify"
        ),
        Link(
            testDescription: "encoded",
            query: "passTypeIdentifier=paymentpass.com.apple&serialNumber={encoded}&action=verify"
        ),
    ])
    func `the verification link opens the app with the pass`(_ link: Link) async throws {
        try await withSandbox { sandbox in
            let metadata: JSON = [
                "contactName": "Demo Bank", "bank_app": "Demo App", "appLaunchURL": "demobank://verify",
                "associatedStoreIdentifiers": [1_234_567_890],
                "associatedApplicationIdentifiers": [.string(TestSandbox.application)],
            ]
            _ = try await sandbox.control("PUT", Self.metadata + "/visa", metadata)
            let phone = try await sandbox.device()
            let (_, serial) = try await sandbox.yellow(phone, .visa)
            let variant = link.testDescription.isEmpty ? "" : "?variant=\(link.testDescription)"
            let reply = try await sandbox.api("GET", path(phone, serial, "/verification-url\(variant)"))
            let encoded = serial.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
            let query = link.query.replacing("{serial}", with: serial).replacing("{encoded}", with: encoded)
            let wanted: JSON = [
                "url": .string("demobank://verify?" + query), "storeIdentifier": "1234567890",
                "contactName": "Demo Bank", "bank_app": "Demo App",
            ]
            #expect(reply.json == wanted)
        }
    }

    @Test func `there is no link without a launch address, a pass, a device or a known variant`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let names: JSON = ["associatedApplicationIdentifiers": [.string(TestSandbox.application)]]
            _ = try await sandbox.control("PUT", Self.metadata + "/visa", names)
            let (_, serial) = try await sandbox.yellow(phone, .visa)
            let rest = "/verification-url"
            let table: [(path: String, status: Int, code: String)] = [
                (path(phone, serial, rest), 409, "NO_APP_LAUNCH_URL"),
                (path(phone, "none", rest), 404, "PASS_UNKNOWN"),
                (path("dev-none", serial, rest), 404, "DEVICE_UNKNOWN"),
                (path(phone, serial, rest + "?variant=upside-down"), 400, "VARIANT_UNKNOWN"),
            ]
            for (path, status, code) in table {
                expect(try await sandbox.api("GET", path), wallet: status, [code])
            }
        }
    }
}
