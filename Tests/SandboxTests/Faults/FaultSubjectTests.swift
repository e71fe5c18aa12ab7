import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// Rules that ask for an issuer or a card meet each request that is about it, whether it says so or the handler finds out.
struct FaultSubjectTests {
    /// A call, and what it is about.
    enum Call: Sendable {
        // D1 as the app uses it; `both` is a session of two issuers.
        case login(both: Bool)
        case logout
        case configure
        case binding
        case status
        case entries(both: Bool)
        case remoteEntries(both: Bool)
        case state(String, both: Bool)
        case stateNamingIssuer(String)
        case digitalCards(String, both: Bool)
        case activate(String)
        case add(String, both: Bool)
        // D1 as the issuer uses it.
        case token
        case card
        case cardsDigitalCards
        case suspend
        case register
        case replace
        // The wallet.
        case session
        case manualEntry
        case pass
    }

    typealias Perform = @Sendable () async throws -> TestReply

    private static let client = "/d1/client/v1/"
    private static let number = "4761732103612718"

    /// Phone and session as they are before the rule.
    private struct Scene: Sendable {
        let sandbox: TestSandbox
        let phone: String

        init(_ sandbox: TestSandbox) async throws {
            self.sandbox = sandbox
            phone = try await sandbox.device()
            #expect(try await configure().status == 200)
        }

        func configure() async throws -> TestReply {
            let lists = [("DEMOBANK01", "card-visa", "2718"), ("DEMOBANK02", "card-visa-02", "6054")]
            let params = lists.map { issuer, card, last4 -> JSON in
                [
                    "issuerId": .string(issuer), "consumerId": "consumer-ana",
                    "cardParams": TestSandbox.cardParams([(card, last4)]),
                ]
            }
            let body: JSON = [
                "deviceId": .string(phone), "application": .string(TestSandbox.application),
                "appGroupID": .string(TestSandbox.appGroup), "issuerParamsList": .array(params),
            ]
            return try await sandbox.api("POST", client + "configure", body)
        }

        func tokens(both: Bool) async throws -> [String] {
            let hash = try await sandbox.bindingHash(phone)["bindingHash"].string
            let one = try TestIssuer(sandbox).token(cbp: hash)
            return both ? [one, try TestIssuer(sandbox, "DEMOBANK02").token(cbp: hash)] : [one]
        }

        func session(both: Bool) async throws -> String {
            try await sandbox.login(phone, tokens(both: both))["sessionToken"].string ?? ""
        }

        /// A call with a session, which is opened now.
        func d1(_ method: String, _ path: String, both: Bool, _ body: JSON? = nil) async throws -> Perform {
            let (session, sandbox) = (try await session(both: both), sandbox)
            return { try await sandbox.d1(method, path, session, body) }
        }

        /// A call of the issuer's, with a bearer that is had now.
        func banking(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Perform {
            let (bearer, sandbox) = (try await sandbox.bearer(), sandbox)
            return { try await sandbox.banking(method, "v2/issuers/DEMOBANK01/cards/" + path, bearer, body) }
        }

        /// What the rule is to meet; all that leads to it has happened.
        func prepare(_ call: Call) async throws -> Perform {
            let (sandbox, phone, scene) = (sandbox, phone, self)
            switch call {
            case .login(let both):
                let tokens = try await tokens(both: both)
                return { try await sandbox.login(phone, tokens) }
            case .logout: return try await d1("POST", "logout", both: false)
            case .configure: return { try await scene.configure() }
            case .binding: return { try await sandbox.bindingHash(phone) }
            case .status:
                let query = "deviceId=\(phone)&application=\(TestSandbox.application)"
                return { try await sandbox.api("GET", client + "extension-status?" + query) }
            case .entries(let both): return try await d1("GET", "pass-entries", both: both)
            case .remoteEntries(let both): return try await d1("GET", "remote-pass-entries", both: both)
            case .state(let card, let both):
                return try await d1("GET", "cards/\(card)/digitization-state", both: both)
            case .stateNamingIssuer(let issuer):
                return try await d1("GET", "cards/card-visa/digitization-state?issuerId=\(issuer)", both: true)
            case .digitalCards(let card, let both):
                return try await d1("GET", "cards/\(card)/digital-cards", both: both)
            case .activate(let card): return try await d1("POST", "cards/\(card)/activate", both: true, [:])
            case .add(let card, let both):
                let session = try await sandbox.session(phone, .visa, .visa)
                let body: JSON = [
                    "certificateChain": session["certificates"], "nonce": session["nonce"],
                    "nonceSignature": session["nonceSignature"],
                ]
                return try await d1("POST", "pass-entries/\(card)/add-payment-pass-request", both: both, body)
            case .token: return { try await sandbox.tokenRequest(TestIssuer(sandbox).assertion()) }
            case .card: return try await banking("GET", "card-visa")
            case .cardsDigitalCards: return try await banking("GET", "card-visa/digitalCards")
            case .suspend: return try await banking("POST", "card-visa/operations/suspend")
            case .register:
                let data = try TestIssuer(sandbox).encryptedData(TestCard.visa.pan)
                let body: JSON = [
                    "encryptedData": .string(data), "consumerId": "consumer-ana", "productId": "p", "state": "ACTIVE",
                ]
                return try await banking("PUT", "card-new", body)
            case .replace:
                let data = try TestIssuer(sandbox).encryptedData(TestCard.visa.pan)
                return try await banking("POST", "card-visa/operations/replace", ["encryptedData": .string(data)])
            case .session: return { try await sandbox.session(phone, .visa, .visa) }
            case .manualEntry:
                let body: JSON = [
                    "pan": .string(number), "expiration": "12/30", "name": "ANA", "cvv": "123",
                    "paymentNetwork": "Visa", "application": .string(TestSandbox.application),
                ]
                return { try await sandbox.api("POST", "/wallet/apple/devices/\(phone)/manual-entries", body) }
            case .pass:
                let session = try await sandbox.session(phone, .visa, .visa)
                let request = try sandbox.passRequest(session, .visa, .visa)
                let triple = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
                let path = "/wallet/apple/provisioning-sessions/\(session["sessionId"].string ?? "")/pass"
                return { try await sandbox.api("POST", path, triple.json) }
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let call: Call
        /// Of those that are asked for.
        let hits: [String]
        init(_ call: Call, _ hits: [String]) { (self.call, self.hits) = (call, hits) }
        var testDescription: String { "\(call)" }
    }

    private static let (one, two) = ("DEMOBANK01", "DEMOBANK02")

    static let issuers: [Case] = [
        Case(.login(both: false), [one]), Case(.login(both: true), [one, two]), Case(.logout, [one]),
        Case(.configure, [one, two]), Case(.binding, [one]), Case(.status, [one]),
        Case(.entries(both: false), [one]), Case(.entries(both: true), [one, two]),
        Case(.remoteEntries(both: false), [one]), Case(.remoteEntries(both: true), [one, two]),
        Case(.state("card-visa", both: false), [one]), Case(.state("card-visa", both: true), [one]),
        Case(.state("card-visa-02", both: true), [two]), Case(.state("none", both: false), [one]),
        Case(.state("none", both: true), []), Case(.stateNamingIssuer(two), [two]),
        Case(.stateNamingIssuer(one), [one]),
        Case(.digitalCards("card-visa", both: true), [one]), Case(.digitalCards("card-visa-02", both: true), [two]),
        Case(.activate("card-visa-02"), [two]), Case(.add("card-visa", both: false), [one]),
        Case(.add("card-visa", both: true), [one]), Case(.add("card-visa-02", both: true), [two]),
        Case(.token, [one]), Case(.card, [one]), Case(.suspend, [one]), Case(.session, [one]),
        Case(.manualEntry, [one]), Case(.pass, [one]),
    ]

    static let cards: [Case] = [
        Case(.state("card-visa", both: false), ["2718"]), Case(.state("card-visa", both: true), ["2718"]),
        Case(.state("card-visa-02", both: true), ["6054"]), Case(.state("none", both: true), []),
        // The consumer's own card counts, and else the card that there is.
        Case(.state("card-visa-beto", both: true), ["2718"]),
        Case(.digitalCards("card-visa", both: false), ["2718"]),
        Case(.digitalCards("card-visa-02", both: true), ["6054"]),
        Case(.activate("card-visa"), ["2718"]), Case(.add("card-visa", both: false), ["2718"]),
        Case(.add("card-visa-02", both: true), ["6054"]), Case(.card, ["2718"]), Case(.cardsDigitalCards, ["2718"]),
        Case(.suspend, ["2718"]), Case(.register, ["1111"]), Case(.replace, ["2718", "1111"]),
        Case(.manualEntry, ["2718"]), Case(.pass, ["1111"]), Case(.entries(both: true), []), Case(.configure, []),
    ]

    private static func met(
        _ item: Case,
        _ member: String,
        _ values: [String],
        isCardSuspended: Bool = false
    ) async throws -> [String] {
        try await withSandbox { sandbox in
            let scene = try await Scene(sandbox)
            var met: [String] = []
            for value in values {
                let perform = try await scene.prepare(item.call)
                if isCardSuspended {
                    let suspend = try await scene.banking("POST", "card-visa/operations/suspend")
                    #expect(try await suspend().status == 200)
                }
                let before = try await sandbox.world()
                let rule: JSON = [
                    "id": "r", "match": .object(JSONObject([(member, .string(value))])),
                    "effect": ["respond": ["status": 418]],
                ]
                #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
                let reply = try await perform()
                #expect(try await sandbox.control("DELETE", "/v1/faults").status == 204)
                guard reply.status == 418 else { continue }
                met.append(value)
                // A rule that answers never lets the change through.
                #expect(try await sandbox.world() == before)
            }
            return met
        }
    }

    @Test(arguments: issuers)
    func `a rule asks for the issuer`(_ item: Case) async throws {
        let values = item.hits + [Self.one, Self.two].filter { !item.hits.contains($0) }
        #expect(try await Self.met(item, "issuerId", values) == item.hits)
    }

    @Test(arguments: cards)
    func `a rule asks for the card`(_ item: Case) async throws {
        let values = item.hits + ["2718", "6054", "1111"].filter { !item.hits.contains($0) }
        #expect(try await Self.met(item, "cardLast4", values) == item.hits)
    }

    @Test func `a card that is refused is known all the same`() async throws {
        let item = Case(.state("card-visa", both: true), ["2718"])
        #expect(try await Self.met(item, "cardLast4", ["2718"], isCardSuspended: true) == ["2718"])
    }
}

extension TestSandbox {
    /// All records of the default world, but for its rules and what a read may move.
    fileprivate func world() async throws -> [String] {
        let export = try await control("GET", "/v1/export")
        return (export["records"].array ?? []).filter { $0["kind"] != "fault" && $0["kind"] != "tenant" }.map(\.text)
    }
}
