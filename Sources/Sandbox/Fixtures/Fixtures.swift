package import Core
import Traffic
package import Wire

/// The base world that every tenant begins with, from `fixtures/tenants/default.json`.
package struct Fixtures: Sendable {
    private let consumers: [Consumer]
    private let cards: [(issuerID: String, consumerID: String?, data: CardData)]
    private let applications: [Application]
    private let passMetadata: [PassMetadata]
    private let documents: [IssuerDocument]

    /// No issuer, no card: an empty world.
    package static let none = Fixtures(documents: [], consumers: [], cards: [], applications: [], passMetadata: [])

    private init(
        documents: [IssuerDocument],
        consumers: [Consumer],
        cards: [(issuerID: String, consumerID: String?, data: CardData)],
        applications: [Application],
        passMetadata: [PassMetadata]
    ) {
        self.consumers = consumers
        self.cards = cards
        self.applications = applications
        self.passMetadata = passMetadata
        self.documents = documents
    }

    /// Reads the document; everything in it passes the checks the control API makes.
    ///
    /// - Parameter keyFile: the text of a PEM file of `keys/`, by its path there.
    /// - Throws: ``FixtureFault`` naming the place.
    package init(
        _ document: JSON,
        panPolicy: PANPolicy,
        keyFile: @escaping @Sendable (String) throws -> String
    ) throws {
        do throws(Refusal) {
            try self.init(checking: ControlFields(document), panPolicy: panPolicy, keyFile: keyFile)
        } catch {
            let pointer = error.check?.place?.pointer ?? ""
            let code = error.check?.code?.name ?? "unreadable"
            throw FixtureFault(message: "\(code) at \(pointer): \(error.check?.evidence ?? "")")
        }
    }

    private init(
        checking root: ControlFields,
        panPolicy: PANPolicy,
        keyFile: @escaping @Sendable (String) throws -> String
    ) throws(Refusal) {
        let rules = CardNumberRules(policy: panPolicy, strictness: .documented)
        var documents: [IssuerDocument] = []
        for fields in try root.list("issuers") {
            let id = try fields.string("issuerId")
            documents.append(try IssuerDocument(fields, id: id, keyFile: keyFile))
        }
        var consumers: [Consumer] = []
        for fields in try root.list("consumers") { consumers.append(try Fixtures.consumer(fields)) }
        var cards: [(issuerID: String, consumerID: String?, data: CardData)] = []
        for fields in try root.list("cards") {
            let data = try CardDocument.read(fields, rules: rules)
            cards.append((try fields.string("issuerId"), try fields.optionalString("consumerId"), data))
        }
        var applications: [Application] = []
        for fields in try root.list("applications") {
            applications.append(try ApplicationDocument.read(fields, identifier: try fields.string("application")))
        }
        var passMetadata: [PassMetadata] = []
        for fields in try root.list("passMetadata") {
            let network = try fields.requiredWord("network", PaymentNetwork.self)
            let issuerID = try fields.string("issuerId")
            passMetadata.append(try PassMetadataDocument.read(fields, issuerID: issuerID, network: network))
        }
        self.init(
            documents: documents,
            consumers: consumers,
            cards: cards,
            applications: applications,
            passMetadata: passMetadata
        )
    }

    private static func consumer(_ fields: ControlFields) throws(Refusal) -> Consumer {
        let consumerID = try fields.string("consumerId")
        guard Consumer.isConsumerID(consumerID) else {
            throw fields.invalid("consumerId", "1 to 64 of A–Z a–z 0–9 _ -")
        }
        return Consumer(
            issuerID: try fields.string("issuerId"),
            consumerID: consumerID,
            state: try fields.word("state", Consumer.State.self) ?? .active
        )
    }

    /// Gives the tenant the base world, in one transaction.
    ///
    /// - Parameter filling: what is done about a tenant that exists, or does not.
    /// - Returns: the tenant, and whether this call filled it.
    @discardableResult
    package func fill(
        _ name: TenantName,
        _ filling: Worlds.Filling,
        seed: UInt64? = nil,
        settings: Tenant.Settings = Tenant.Settings(),
        limit: Int = .max,
        worlds: Worlds
    ) async throws -> (tenant: Tenant, isFilled: Bool) {
        try await worlds.fill(name, filling, seed: seed, settings: settings, limit: limit) { world in
            for document in documents {
                try world.store.put(try document.issuer(existing: nil, generated: nil, draws: &world.tenant.draws))
            }
            for consumer in consumers { try world.store.put(consumer) }
            for card in cards { try world.register(card.data, issuerID: card.issuerID, consumerID: card.consumerID) }
            for application in applications { try world.store.put(application) }
            for metadata in passMetadata { try world.store.put(metadata) }
        }
    }
}

/// A fixture file that cannot be used.
package struct FixtureFault: Error, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
