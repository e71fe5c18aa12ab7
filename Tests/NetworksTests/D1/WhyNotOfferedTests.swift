import Core
import SandboxTesting
import Testing
import Wire

/// Why a card is not offered: one call says it, by code in the header and with the rest in the journal.
struct WhyNotOfferedTests {
    /// One way for a card to be left out.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let codes: [String]
        /// Words of the evidence.
        let evidence: String
        let entries: [String]
        let prepare: @Sendable (TestSandbox, _ phone: String) async throws -> Void
        /// What `extension-status` says of the same; nil where it has nothing to say, because it knows no server.
        var status: [String]?
    }

    static let cases = [
        Case(
            testDescription: "already on the phone",
            codes: ["D1_CARD_ALREADY_ADDED"],
            evidence: "(iPhone",
            entries: [],
            prepare: { sandbox, phone in _ = try await sandbox.push("card-visa", to: phone) },
            status: ["D1_CARD_ALREADY_ADDED"]
        ),
        Case(
            testDescription: "the pass does not list the extension",
            codes: ["APP_NOT_ASSOCIATED"],
            evidence: "A1B2C3D4E5.com.demobank.app.wallet-ui",
            entries: ["card-visa"],
            prepare: { sandbox, phone in
                let listed: JSON = ["associatedApplicationIdentifiers": [.string(TestSandbox.walletExtensionUI)]]
                _ = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", listed)
                _ = try await sandbox.push("card-visa", to: phone)
            },
            status: ["APP_NOT_ASSOCIATED"]
        ),
        Case(
            testDescription: "blocked",
            codes: ["D1_CARD_NOT_ACTIVE"],
            evidence: "blocked",
            entries: [],
            prepare: { sandbox, _ in
                _ = try await sandbox.control("POST", "/v1/cards/card-visa/events", ["event": "block"])
            }
        ),
        Case(
            testDescription: "its number is blocked under another reference",
            codes: ["D1_CARD_NOT_ACTIVE"],
            evidence: "blocked",
            entries: [],
            prepare: { sandbox, _ in
                let same: JSON = [
                    "issuerId": "DEMOBANK01", "issuerCardRefId": "card-visa-again", "pan": "4761732103612718",
                    "exp": "1230", "cardHolderName": "ANA DEMO",
                ]
                #expect(try await sandbox.control("POST", "/v1/cards", same).status == 201)
                _ = try await sandbox.control("POST", "/v1/cards/card-visa-again/events", ["event": "block"])
            }
        ),
        Case(
            testDescription: "configured for another consumer",
            codes: ["D1_CONSUMER_NOT_LOGGED_IN"],
            evidence: "logged in is consumer-ana",
            entries: [],
            prepare: { sandbox, phone in
                _ = try await sandbox.configure(phone, [("card-visa-beto", "2718")], consumer: "consumer-beto")
            }
        ),
        Case(
            testDescription: "configured for another issuer",
            codes: ["D1_ISSUER_NOT_LOGGED_IN"],
            evidence: "DEMOBANK02/consumer-ana",
            entries: [],
            prepare: { sandbox, phone in
                _ = try await sandbox.configure(phone, [("card-visa-02", "6054")], issuerID: "DEMOBANK02")
            }
        ),
    ]

    @Test(arguments: cases)
    func `a card that is not offered is told with its reason`(_ one: Case) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            try await one.prepare(sandbox, phone)
            let reply = try await sandbox.d1("GET", "pass-entries", session)
            #expect((reply.status, reply.diagnosis) == (200, one.codes))
            #expect(reply["items"].array?.count == one.entries.count)
            let journal = try await sandbox.control("GET", "/v1/journal?operation=d1.passEntries&limit=1")
            let checks = journal["items"].array?.first?["checks"]?.array ?? []
            let failed = checks.first { $0["passed"] == false }
            #expect(failed?["evidence"]?.string?.contains(one.evidence) == true, "\(failed ?? .null)")
            #expect(failed?["hint"]?.string?.isEmpty == false)
            let status = try await sandbox.status(phone)
            #expect(status.diagnosis == one.status ?? [])
        }
    }

    @Test func `without a watch the remote list says so`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let reply = try await sandbox.d1("GET", "remote-pass-entries", try await sandbox.session(phone))
            #expect((reply.status, reply["items"], reply.diagnosis) == (200, [], ["D1_NO_WATCH"]))
        }
    }

    @Test func `entries are those of the extension without UI, whichever logged in`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let sessions = [
                try await sandbox.session(phone, application: TestSandbox.walletExtension),
                try await sandbox.session(phone, application: TestSandbox.walletExtensionUI),
            ]
            // The one with UI is not listed, and need not be.
            let listed: JSON = ["associatedApplicationIdentifiers": [.string(TestSandbox.walletExtension)]]
            _ = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", listed)
            _ = try await sandbox.push("card-visa", to: phone)
            for session in sessions { #expect(try await sandbox.entryIDs(session) == []) }
            for application in [TestSandbox.walletExtension, TestSandbox.walletExtensionUI] {
                let status = try await sandbox.status(phone, application: application)
                #expect(status["passEntriesAvailable"] == false)
            }
        }
    }

    @Test func `without an extension without UI the session's own decides, with a warning`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            _ = try await sandbox.control("DELETE", "/v1/applications/\(TestSandbox.walletExtension)")
            let session = try await sandbox.session(phone)
            let reply = try await sandbox.d1("GET", "pass-entries", session)
            #expect((reply.status, reply["items"].array?.count) == (200, 1))
            #expect(reply.header("x-sandbox-notice") == "D1_EXTENSION_NOT_REGISTERED")
        }
    }

    @Test func `a transition that is not there says why it is false`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let id = try await sandbox.push("card-visa", to: phone)
            let reply = try await sandbox.d1("POST", "digital-cards/\(id)/activate", session)
            #expect((reply.status, reply["success"]) == (200, false))
            #expect(reply.diagnosis.count == 1, "\(reply.summary)")
        }
    }
}

extension TestSandbox {
    /// Makes an active pass of a card without a push, and gives its token.
    fileprivate func push(_ cardID: String, to phone: String) async throws -> String {
        let body: JSON = [
            "issuerCardRefId": .string(cardID), "network": "visa", "deviceId": .string(phone),
            "application": .string(Self.application), "state": "active",
        ]
        let made = try await control("POST", "/v1/tokens", body)
        #expect(made.status == 201, "\(made.text)")
        return made["tokenId"].string ?? ""
    }
}
