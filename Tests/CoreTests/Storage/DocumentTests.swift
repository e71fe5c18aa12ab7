import Core
import Testing
import Wire

@Suite struct DocumentTests {
    /// One record, told by what a round trip makes of it.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let document: JSON
        /// The document of the record that the document gives.
        let again: @Sendable (JSON) throws -> JSON
        let isEqual: Bool
        let mandatory: [String]

        init<R: Record & Equatable>(_ name: String, _ record: R, mandatory: [String]) throws {
            testDescription = name
            document = record.document
            again = { try R(document: $0).document }
            isEqual = try R(document: JSON.parse(record.document.bytes)) == record
            self.mandatory = mandatory
        }
    }

    private static func samples() throws -> [Sample] {
        let metadata = PassMetadata(
            issuerID: Samples.issuerID,
            network: .amex,
            contactName: "Demo",
            bankApp: "App",
            appLaunchURL: "demo://x",
            associatedStoreIdentifiers: ["123"],
            associatedApplicationIdentifiers: ["ABCDE12345.*"]
        )
        var token = try Samples.token()
        let change = try token.apply(.activate, by: .issuer, reason: "why", at: testNow)
        let active = token
        _ = try token.apply(.suspend, by: .cardholder, reason: nil, at: testNow)
        _ = try token.apply(.suspend, by: .issuer, reason: nil, at: testNow)
        let held = Token(
            tokenID: "t",
            network: .mastercard,
            issuerID: "i",
            cardReference: "r",
            tokenRequestorID: "50100000001",
            holder: .requestor,
            suffix: "1",
            expiry: try Samples.expiry("0131"),
            state: .active,
            at: testNow
        )
        let merchant = TokenRequestor(
            "shop",
            name: "Shop",
            ids: [.mastercard: "50100000001"],
            walletProviderID: nil,
            audience: nil,
            .merchant
        )
        let pass = Pass(tokenID: "t", serialNumber: "s", sessionNonce: [1, 2], metadata: metadata)
        var issuer = Samples.issuer(ranges: [AccountRange(low: "41", high: "42")])
        issuer.policies.binding = .off
        issuer.policies.onBadActivationData = .yellow
        issuer.policies.strictness = .strict
        issuer.policies.fullTokenDetails = true
        issuer.policies.repeatIsSuccess = true
        issuer.policies.standIn = true
        issuer.verificationKeys.append(IssuerKey(use: .d1Assertion, keyID: nil, pem: "PEM", strictness: .lenient))
        var card = Card(
            issuerID: Samples.issuerID,
            reference: "r",
            consumerID: "c",
            network: .discover,
            panSuffix: "1117",
            expiry: try Samples.expiry("0131"),
            holderName: "Ñ",
            primaryAccountIdentifier: "id",
            lastUse: 9
        )
        card.state = .blocked
        card.phone = "1"
        card.email = "e"
        var code = ActivationCode(tokenID: "t", method: "SMS", code: "012345", expiresAt: testNow)
        code.attemptsLeft = 1
        var frozen = Tenant(seed: .max)
        _ = frozen.draws.bytes(1)
        frozen.clock = TenantClock(mode: .frozen(testNow))
        frozen.settings.strictness = .lenient
        frozen.settings.diagnosisHeader = false
        frozen.settings.magicData = false
        frozen.settings.walletPropagationMilliseconds = 5
        frozen.sequence = 3
        var moved = Tenant(seed: 0)
        moved.clock = TenantClock(mode: .system(offsetMilliseconds: -7))
        var session = ProvisioningSession(
            sessionID: "s",
            deviceID: "d",
            network: .visa,
            suffix: "1111",
            application: "a",
            nonce: [1],
            nonceSignature: [],
            createdAt: testNow
        )
        session.tokenID = "t"
        var device = Device(
            deviceID: "d",
            secureElementID: "S",
            deviceKind: "watch",
            name: "n",
            pairedWith: "p",
            leafKey: [0],
            leafCertificate: [255],
            nonceSecret: [1, 2]
        )
        device.isLost = true
        return [
            try Sample("pass metadata", metadata, mandatory: ["issuerId", "network", "contactName"]),
            try Sample(
                "token",
                token,
                mandatory: ["tokenId", "tokenRequestorId", "expiry", "state", "createdAt", "changes"]
            ),
            try Sample("active token", active, mandatory: []),
            try Sample("token without a device", held, mandatory: []),
            try Sample("change", change, mandatory: ["tokenId", "number", "at", "event", "by", "to"]),
            try Sample("pass", pass, mandatory: ["tokenId", "serialNumber", "sessionNonce", "metadata"]),
            try Sample("requestor", merchant, mandatory: ["requestor", "name", "kind"]),
            try Sample("Apple Pay", TokenRequestor.apple, mandatory: []),
            try Sample("issuer", issuer, mandatory: ["issuerId", "name", "networkKeys", "policies"]),
            try Sample("card", card, mandatory: ["issuerId", "reference", "expiry", "state", "lastUse"]),
            try Sample("activation code", code, mandatory: ["code", "expiresAt", "attemptsLeft"]),
            try Sample("frozen tenant", frozen, mandatory: ["seed", "draws", "strictness"]),
            try Sample("moved tenant", moved, mandatory: ["sequence", "clockOffset"]),
            try Sample("session", session, mandatory: ["nonce", "createdAt", "network"]),
            try Sample("device", device, mandatory: ["deviceId", "leafKey", "kind"]),
            try Sample(
                "application",
                Application(
                    identifier: "ABCDE12345.a",
                    issuerID: "i",
                    applicationKind: .extensionUI,
                    isEntitled: true,
                    appGroupIDs: ["g"],
                    storeIdentifier: "1",
                    urlScheme: "u"
                ),
                mandatory: ["application", "kind"]
            ),
            try Sample(
                "spent identifier",
                SpentIdentifier(scope: "i", identifier: "j", until: testNow),
                mandatory: ["issuerId", "jti", "until"]
            ),
            // A payload key is not compared with ==.
            try Sample("empty metadata", PassMetadata(issuerID: "i", network: .visa), mandatory: []),
        ]
    }

    @Test func `every record comes back from its document`() throws {
        let wrong = try Self.samples().filter { try !$0.isEqual || $0.again($0.document) != $0.document }
        #expect(wrong.map(\.testDescription) == [])
    }

    @Test func `a document without a mandatory member, or with one of another type, is refused`() throws {
        let accepted = try Self.samples().flatMap { sample in
            sample.mandatory.flatMap { name -> [String] in
                guard case .object(var object) = sample.document else { return [sample.testDescription] }
                object[name] = nil
                let without = (try? sample.again(.object(object))) != nil
                object[name] = true
                let other = (try? sample.again(.object(object))) != nil
                return without || other ? ["\(sample.testDescription).\(name)"] : []
            }
        }
        #expect(accepted == [])
    }

    @Test func `a fault names kind and member`() {
        #expect(throws: RecordFault(kind: "token", member: "expiry")) { try Token(document: [:]) }
        #expect(throws: RecordFault(kind: "card", member: "issuerId")) { try Card(document: nil) }
    }

    @Test func `no document of a world holds a card number or a token number`() async throws {
        let worlds = try await TestWorlds()
        let (text, numbers) = try await worlds.write { world in
            let card = try world.register(Samples.cardData(), issuerID: Samples.issuerID)
            let token = try world.issuePass(of: card, on: world.device(), state: .active, sessionNonce: [1]).token
            let rows = try world.store.everything(of: .default)?.rows ?? []
            let text = rows.map { String(decoding: $0.document, as: UTF8.self) }.joined()
            return (text, try [card.vaultOwner, token.vaultOwner].compactMap { try world.store.number(of: $0) })
        }
        #expect(numbers.count == 2 && !numbers.contains(where: text.contains))
    }

    @Test func `tenant names are lower-case labels`() {
        let cases: [(String, Bool)] = [
            ("default", true), ("a", true), ("0-9", true), ("a-", true), (String(repeating: "a", count: 63), true),
            (String(repeating: "a", count: 64), false), ("", false), ("-a", false), ("A", false), ("a_b", false),
            ("a.b", false), ("ä", false), ("a/b", false), ("a b", false),
        ]
        #expect(cases.filter { (TenantName($0.0) != nil) != $0.1 }.map(\.0) == [])
        #expect(["DEMOBANK01", "demo_bank1"].allSatisfy(Issuer.isIssuerID))
        #expect(!["DEMOBANK1", "DEMOBANK001", "DEMO-BANK1", "DEMOBANKÄ", ""].contains(where: Issuer.isIssuerID))
    }

    @Test func `a clock is the system's, moved, or stands still`() {
        let system = Instant(seconds: 100)
        let times = [
            TenantClock(), TenantClock(mode: .system(offsetMilliseconds: -500)), TenantClock(mode: .frozen(testNow)),
        ].map { $0.now(system: system).milliseconds }
        #expect(times == [100_000, 99_500, testNow.milliseconds])
    }

    @Test func `a world is written only when its closure returns`() async throws {
        let worlds = try await TestWorlds()
        let before = try await worlds.read { $0.tenant }
        await #expect(throws: StoreFault.self) {
            try await worlds.write { world in
                _ = world.tenant.draws.bytes(1)
                throw StoreFault(reason: .failed, message: "")
            }
        }
        let after = try await worlds.read { $0.tenant }
        await #expect(throws: UnknownTenant.self) {
            try await worlds.worlds.read(TenantName("other") ?? .default) { $0.now }
        }
        #expect(before == after)
    }
}
