import Core
import Wire

/// What an application gave to `configure`: the SDK's `walletExtensionConfig`. It stands in the container of the app
/// group, where the application's extensions find it.
struct D1Configuration: Record, Equatable {
    static let kind = "d1Configuration"

    /// One card to offer (`CardParams`), without its picture: see ``D1CardArt``.
    struct CardParams: Sendable, Equatable {
        let cardID: String
        let productTitle: String
        /// Nil is the shared-device trap.
        let last4: String?

        init(cardID: String, productTitle: String, last4: String?) {
            self.cardID = cardID
            self.productTitle = productTitle
            self.last4 = last4
        }
    }

    /// The cards of one consumer of one issuer (`IssuerParams`).
    struct IssuerParams: Sendable, Equatable {
        let issuerID: String
        let consumerID: String
        var cards: [CardParams]

        init(issuerID: String, consumerID: String, cards: [CardParams]) {
            self.issuerID = issuerID
            self.consumerID = consumerID
            self.cards = cards
        }
    }

    let deviceID: String
    let application: String
    let appGroupID: String
    let issuers: [IssuerParams]
    /// Of two configurations in one container the later one stands.
    let order: Int64

    init(
        deviceID: String,
        application: String,
        appGroupID: String,
        issuers: [IssuerParams],
        order: Int64 = 0
    ) {
        self.deviceID = deviceID
        self.application = application
        self.appGroupID = appGroupID
        self.issuers = issuers
        self.order = order
    }

    /// The same, at another place in the order.
    func ordered(_ order: Int64) -> D1Configuration {
        D1Configuration(
            deviceID: deviceID,
            application: application,
            appGroupID: appGroupID,
            issuers: issuers,
            order: order
        )
    }

    var recordID: String { "\(deviceID)/\(application)" }
    var keys: [RecordKey] { [RecordKey("device", deviceID)] }
    var counted: (member: String, number: Int64)? { ("order", order) }
    static var outlivesDevice: Bool { true }

    var document: JSON {
        [
            "deviceId": .string(deviceID), "application": .string(application), "appGroupID": .string(appGroupID),
            "order": .number(order),
            "issuers": .array(
                issuers.map { issuer in
                    [
                        "issuerId": .string(issuer.issuerID), "consumerId": .string(issuer.consumerID),
                        "cards": .array(issuer.cards.map(\.document)),
                    ]
                }
            ),
        ]
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(D1Configuration.kind, document)
        deviceID = try reader.string("deviceId")
        application = try reader.string("application")
        appGroupID = try reader.string("appGroupID")
        order = try reader.integer("order")
        var issuers: [IssuerParams] = []
        for item in try reader.array("issuers") {
            let entry = DocumentReader("d1Configuration.issuers", item)
            var cards: [CardParams] = []
            for card in try entry.array("cards") { cards.append(try CardParams(document: card)) }
            issuers.append(
                IssuerParams(
                    issuerID: try entry.string("issuerId"),
                    consumerID: try entry.string("consumerId"),
                    cards: cards
                )
            )
        }
        self.issuers = issuers
    }
}

extension D1Configuration.CardParams {
    fileprivate var document: JSON {
        [
            "cardId": .string(cardID), "productTitle": .string(productTitle), "last4": .optional(last4),
        ]
    }

    fileprivate init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("d1Configuration.cards", document)
        self.init(
            cardID: try reader.string("cardId"),
            productTitle: try reader.string("productTitle"),
            last4: try reader.optionalString("last4")
        )
    }
}

extension View {
    /// What the application finds in the containers of its app groups on the device: the last configuration made in
    /// one of them, by itself or by its sibling. The check says why there is none.
    func d1Configuration(
        deviceID: String,
        application: Application
    ) throws -> (configuration: D1Configuration?, check: Check) {
        let all = try store.records(D1Configuration.self, "device", deviceID)
        let shared = all.filter { application.appGroupIDs.contains($0.appGroupID) }
        if let last = shared.max(by: { $0.order < $1.order }) {
            return (last, .passed("d1.configuration", evidence: "\(last.appGroupID), by \(last.application)"))
        }
        guard !all.isEmpty else { return (nil, .failed("d1.configuration", D1Fault.notConfigured)) }
        let found = Set(all.map(\.appGroupID)).sorted().joined(separator: ", ")
        let own = application.appGroupIDs.isEmpty ? "none" : application.appGroupIDs.joined(separator: ", ")
        let evidence = "configured in \(found); the application's app groups: \(own)"
        return (nil, .failed("d1.configuration", D1Fault.appGroupDiffers, evidence: evidence))
    }
}
