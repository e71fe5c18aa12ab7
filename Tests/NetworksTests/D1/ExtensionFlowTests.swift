import Core
import SandboxTesting
import Testing
import Wire

/// The Wallet extension from `configure` to an active token, and the ways it goes wrong.
struct ExtensionFlowTests {
    /// One card of the fixtures for each network.
    static let cards: [PaymentNetwork: (id: String, last4: String)] = [
        .visa: ("card-visa", "2718"), .mastercard: ("card-mastercard", "3146"), .amex: ("card-amex", "1729"),
        .discover: ("card-discover", "8353"),
    ]

    @Test(arguments: PaymentNetwork.allCases)
    func `a card goes from the entry list to an active token`(_ network: PaymentNetwork) async throws {
        let card = try #require(Self.cards[network])
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [(card.id, card.last4)])
            let session = try await sandbox.session(phone)
            let entries = try await sandbox.d1("GET", "pass-entries", session)
            let entry = try #require(entries["items"].array?.first)
            #expect(
                entry["identifier"]
                    == .string(#"{"issuerID":"DEMOBANK01","consumerID":"consumer-ana","cardID":"\#(card.id)"}"#)
            )
            #expect(entry["paymentNetwork"] == .string(network.passKitName))
            #expect(entry["primaryAccountSuffix"] == .string(card.last4))
            #expect(entry["encryptionScheme"] == "EV_ECC_v2")
            #expect(entry["primaryAccountIdentifier"] == nil)

            let made = try await sandbox.addThroughExtension(phone, session, entry)
            #expect((made.status, made["decision"]) == (201, "green"))
            #expect(try await sandbox.d1("GET", "pass-entries", session)["items"] == [])
            let token = try await sandbox.token(made["tokenId"].string ?? "")
            #expect((token["state"], token["issuerCardRefId"]) == ("active", .string(card.id)))
            let digital = try await sandbox.d1("GET", "cards/\(card.id)/digital-cards", session)
            let first = try #require(digital["items"].array?.first)
            #expect(first["digitalCardId"] == made["tokenId"])
            #expect(first["scheme"] == .string(network.scheme))
            #expect((first["isOnCurrentDevice"], first["deviceType"]) == (true, "phone"))
            #expect((first["tokenRequestorName"] != nil) == (network == .mastercard))
        }
    }

    @Test func `the watch gets entries of its own`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let none = try await sandbox.d1("GET", "remote-pass-entries", session)
            #expect(none["items"] == [])
            #expect(try await sandbox.status(phone)["remotePassEntriesAvailable"] == false)

            let watch = try await sandbox.device("watch", pairedWith: phone)
            #expect(try await sandbox.status(phone)["remotePassEntriesAvailable"] == true)
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", session)["items"].array?.first)
            let onPhone = try await sandbox.addThroughExtension(phone, session, entry)
            let remote = try #require(try await sandbox.d1("GET", "remote-pass-entries", session)["items"].array?.first)
            let identifier = onPhone["pass"]["secureElementPass"]?["primaryAccountIdentifier"]
            #expect(remote["primaryAccountIdentifier"] == identifier)
            let state = { try await sandbox.d1("GET", "cards/card-visa/digitization-state", session)["state"] }
            #expect(try await state() == "notDigitized")
            #expect(try await sandbox.addThroughExtension(watch, session, remote).status == 201)
            #expect(try await sandbox.d1("GET", "remote-pass-entries", session)["items"] == [])
            #expect(try await state() == "digitized")
            let status = try await sandbox.status(phone)
            #expect((status["passEntriesAvailable"], status["remotePassEntriesAvailable"]) == (false, false))
        }
    }

    @Test func `several issuers share one configuration, and each card needs its login`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let reply = try await sandbox.api(
                "POST",
                "/d1/client/v1/configure",
                [
                    "deviceId": .string(phone), "application": .string(TestSandbox.application),
                    "appGroupID": .string(TestSandbox.appGroup),
                    "issuerParamsList": [
                        [
                            "issuerId": "DEMOBANK01", "consumerId": "consumer-ana",
                            "cardParams": TestSandbox.cardParams([("card-visa", "2718")]),
                        ],
                        [
                            "issuerId": "DEMOBANK02", "consumerId": "consumer-ana",
                            "cardParams": TestSandbox.cardParams([("card-visa-02", "6054")]),
                        ],
                    ],
                ]
            )
            #expect((reply.status, reply["issuers"]) == (200, ["DEMOBANK01", "DEMOBANK02"]))
            let first = try await sandbox.session(phone)
            #expect(try await sandbox.entryIDs(first) == ["card-visa"])

            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let tokens = [
                try TestIssuer(sandbox).token(cbp: hash), try TestIssuer(sandbox, "DEMOBANK02").token(cbp: hash),
            ]
            let both = try await sandbox.login(phone, tokens)["sessionToken"].string ?? ""
            #expect(try await sandbox.entryIDs(both) == ["card-visa", "card-visa-02"])
            let entries = try await sandbox.d1("GET", "pass-entries", both)["items"].array ?? []
            for entry in entries {
                #expect(try await sandbox.addThroughExtension(phone, both, entry).status == 201)
            }
            #expect(try await sandbox.entryIDs(both) == [])
        }
    }

    @Test func `on a shared device last4 decides whether the second user is offered anything`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let ana = try await sandbox.session(phone)
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", ana)["items"].array?.first)
            #expect(try await sandbox.addThroughExtension(phone, ana, entry).status == 201)

            _ = try await sandbox.configure(phone, [("card-visa-beto", nil)], consumer: "consumer-beto")
            let beto = try await sandbox.session(phone, consumer: "consumer-beto")
            #expect(try await sandbox.entryIDs(beto) == [])
            #expect(try await sandbox.lastDiagnosis("d1.passEntries").contains("SHARED_DEVICE_WITHOUT_LAST4"))
            #expect(try await sandbox.status(phone)["passEntriesAvailable"] == false)

            _ = try await sandbox.configure(phone, [("card-visa-beto", "2718")], consumer: "consumer-beto")
            #expect(try await sandbox.entryIDs(beto) == ["card-visa-beto"])
            #expect(try await sandbox.lastDiagnosis("d1.passEntries").contains("SHARED_DEVICE_SAME_LAST4"))
            #expect(try await sandbox.status(phone)["passEntriesAvailable"] == true)
        }
    }

    @Test func `a pass whose metadata lacks the extension is offered again`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let path = "/v1/issuers/DEMOBANK01/pass-metadata/visa"
            let metadata: JSON = ["associatedApplicationIdentifiers": [.string(TestSandbox.application)]]
            #expect(try await sandbox.control("PUT", path, metadata).status == 200)
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let entry = try #require(try await sandbox.d1("GET", "pass-entries", session)["items"].array?.first)
            #expect(try await sandbox.addThroughExtension(phone, session, entry).status == 201)
            #expect(try await sandbox.entryIDs(session) == ["card-visa"])
            #expect(try await sandbox.lastDiagnosis("d1.passEntries").contains("APP_NOT_ASSOCIATED"))
            // The app itself is listed and sees the pass.
            let app = try await sandbox.session(phone, application: TestSandbox.application, context: "app")
            #expect(try await sandbox.d1("GET", "cards/card-visa/digitization-state", app)["state"] == "digitized")
        }
    }

    @Test func `a chain that is not Apple's is a failed operation`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let wallet = try await sandbox.session(phone, .init("card-visa", pan: "4761732103612718"), .visa)
            let leaf = try #require(wallet["certificates"].array?.first)
            let body: JSON = [
                "certificateChain": [leaf], "nonce": wallet["nonce"], "nonceSignature": wallet["nonceSignature"],
            ]
            let path = "pass-entries/card-visa/add-payment-pass-request"
            let reply = try await sandbox.d1("POST", path, session, body)
            #expect((reply.status, reply["code"], reply["name"]) == (400, 40001, "card"))
            #expect(reply["cause"] == ["type": 3, "httpStatus": 400, "message": "911. Operation failed .1"])
            let full = body.replacing("certificateChain", wallet["certificates"])
            let long = full.replacing("nonce", .base64([UInt8](repeating: 7, count: 39)))
            let refused = try await sandbox.d1("POST", path, session, long)
            #expect((refused.status, refused["code"], refused.diagnosis) == (400, 60002, ["NONCE_LENGTH"]))
            #expect(try await sandbox.d1("POST", path, session, full).status == 200)
            let empty = try await sandbox.d1("POST", path, session, [:])
            #expect((empty.status, empty["code"]) == (400, 60002))
            #expect(Set(empty.diagnosis) == ["CERTIFICATE_CHAIN_MISSING", "NONCE_MISSING", "NONCE_SIGNATURE_MISSING"])
        }
    }

    @Test func `each card error has its code`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718"), ("card-nobody", "0000")])
            let session = try await sandbox.session(phone)
            let list = try await sandbox.d1("GET", "pass-entries", session)
            #expect((list.status, list["code"], list["cause"]["message"]) == (400, 40001, "Server error"))
            #expect(list.diagnosis == ["D1_ENTRY_CARD_INVALID"])
            let state = { (id: String) in try await sandbox.d1("GET", "cards/\(id)/digitization-state", session) }
            let unknown = try await state("card-nobody")
            #expect((unknown.status, unknown["code"], unknown["name"]) == (400, 10009, "cardNotFound"))
            let other = try await state("card-visa-beto")
            #expect((other.status, other["code"], other["name"]) == (400, 10006, "notAuthorized"))
            let blocked = try await sandbox.control("POST", "/v1/cards/card-visa/events", ["event": "block"])
            #expect(blocked.status == 200)
            let inactive = try await state("card-visa")
            #expect((inactive.status, inactive["code"], inactive["name"]) == (400, 10010, "notActive"))
        }
    }
}

extension TestSandbox {
    /// Wallet's side of one entry: a session, D1's triple, the pass.
    func addThroughExtension(
        _ deviceID: String,
        _ session: String,
        _ entry: JSON,
        nonceForm: (JSON) throws -> JSON = { $0 }
    ) async throws -> TestReply {
        let wallet = try await api(
            "POST",
            "/wallet/apple/devices/\(deviceID)/provisioning-sessions",
            [
                "paymentNetwork": entry["paymentNetwork"] ?? .null, "cardholderName": entry["cardholderName"] ?? .null,
                "primaryAccountSuffix": entry["primaryAccountSuffix"] ?? .null,
                "application": .string(Self.walletExtension),
            ]
        )
        let identifier = try JSON.parse(entry["identifier"]?.string ?? "{}")
        let cardID = identifier["cardID"]?.string ?? ""
        let triple = try await d1(
            "POST",
            "pass-entries/\(cardID)/add-payment-pass-request",
            session,
            [
                "certificateChain": wallet["certificates"], "nonce": try nonceForm(wallet["nonce"]),
                "nonceSignature": try nonceForm(wallet["nonceSignature"]),
            ]
        )
        #expect(triple.status == 200, "\(triple.text)")
        let path = "/wallet/apple/provisioning-sessions/\(wallet["sessionId"].string ?? "")/pass"
        return try await api("POST", path, triple.json)
    }

    func status(_ deviceID: String, application: String = walletExtension) async throws -> TestReply {
        try await api("GET", "/d1/client/v1/extension-status?deviceId=\(deviceID)&application=\(application)")
    }

    /// The ids of the cards that the extension offers.
    func entryIDs(_ session: String) async throws -> [String] {
        try await d1("GET", "pass-entries", session)["items"].array?.compactMap { entry in
            try JSON.parse(entry["identifier"]?.string ?? "")["cardID"]?.string
        } ?? []
    }

    /// Codes of the newest journal entry of an operation, warnings too.
    func lastDiagnosis(_ operation: String) async throws -> [String] {
        let journal = try await control("GET", "/v1/journal?operation=\(operation)&limit=1")
        return journal["items"].array?.first?["diagnosis"]?.array?.compactMap(\.string) ?? []
    }
}
