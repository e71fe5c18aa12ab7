import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Fault rules of a tenant: put, look at, remove (CONTRACT, sections 5 and 6).
struct FaultHandler: Sendable {
    let services: ControlServices
    /// What a rule can match.
    private let catalogue: FaultCatalogue

    init(services: ControlServices) {
        self.services = services
        catalogue = FaultCatalogue(services.apiFaces, services.faces)
    }

    var endpoints: [ControlEndpoint] {
        let (all, one) = ("/v1/faults", "/v1/faults/{id}")
        return [
            .control("listFaults", .get, all, handler: list),
            .control("createFault", .post, all, handler: create),
            .control("deleteFaults", .delete, all, handler: deleteAll),
            .control("getFault", .get, one, handler: get),
            .control("deleteFault", .delete, one, handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let rules = try await book(exchange).rules
        return .json(["items": .array(rules.map(\.json))])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        guard let rule = try await book(exchange).rule(id) else { throw unknown(id) }
        return .json(rule.json)
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let draft = try draft(exchange)
        let book = try await book(exchange)
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Result<FaultRule, Refusal> in
            var present = try world.store.records(FaultRule.self)
            if present.count >= FaultBook.limit { try Self.removeEnded(&present, world, book) }
            let bytes = present.reduce(draft.size) { $0 + $1.size }
            guard present.count < FaultBook.limit, bytes <= FaultBook.byteLimit else {
                let evidence = "\(present.count) rules, \(bytes) bytes with this one"
                return .failure(Refusal(.failed("faults", FaultCode.limit, evidence: evidence)))
            }
            let order = world.nextSequence()
            let id = draft.id ?? FaultNumber.next(world.tenant.faultNumber, present)
            if present.contains(where: { $0.id == id }) {
                return .failure(refusal(FaultRuleFault(.exists, "/id", "the id \(id) is taken")))
            }
            world.tenant.faultNumber = FaultNumber.counted(id, after: world.tenant.faultNumber)
            let rule = FaultRule(draft, id: id, order: order, createdAt: world.now)
            try world.store.put(rule)
            return .success(rule)
        }
        let rule = try outcome.get()
        // Looked for anew: a reset may have come between.
        try await self.book(exchange).add(rule)
        return .json(rule.json, status: 201)
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let existed = try await services.worlds.write(exchange.tenant) { world in
            guard try world.store.record(FaultRule.self, id) != nil else { return false }
            try world.store.remove(FaultRule.self, id)
            return true
        }
        // What fires is in memory: it goes in any case, but not before the store has let it go.
        try await book(exchange).remove(id)
        guard existed else { throw unknown(id) }
        return .empty(status: 204)
    }

    func deleteAll(_ exchange: inout Exchange) async throws -> HTTPResponse {
        try await services.worlds.write(exchange.tenant) { world in
            for rule in try world.store.records(FaultRule.self) { try world.store.remove(FaultRule.self, rule.id) }
        }
        try await book(exchange).removeAll()
        return .empty(status: 204)
    }

    /// The rules that the API's requests are held against.
    private func book(_ exchange: Exchange) async throws -> FaultBook {
        try await services.tenants.context(for: exchange.tenant).context.faults
    }

    private func draft(_ exchange: Exchange) throws(Refusal) -> FaultRuleDraft {
        let fields = try ControlFields(exchange)
        do {
            let draft = try FaultRuleDraft(.object(fields.cursor.whole))
            try catalogue.check(draft)
            return draft
        } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ fault: FaultRuleFault) -> Refusal {
        Refusal(.failed("fault.rule", fault.reason, at: .body(fault.pointer), evidence: fault.detail))
    }

    /// Makes room: rules that are over, or were used up, do nothing any more.
    private static func removeEnded(_ rules: inout [FaultRule], _ world: World, _ book: FaultBook) throws {
        for rule in rules where !(book.rule(rule.id) ?? rule).isActive(at: world.now) {
            try world.store.remove(FaultRule.self, rule.id)
            book.remove(rule.id)
            rules.removeAll { $0.id == rule.id }
        }
    }

    private func unknown(_ id: String) -> Refusal {
        Refusal(.failed("fault", FaultCode.notFound, evidence: Masking.excerpt(id, 64)))
    }
}

extension FaultCatalogue {
    /// Operations and errors of the faces.
    init(_ faces: [any Face], _ services: Services) {
        self.init(
            faces.flatMap { face in
                let errors = Set(face.networkErrors.map(\.name))
                return face.endpoints(services).map(\.route).map { route in
                    Endpoint(
                        face: face.name,
                        name: route.name,
                        method: route.method,
                        path: route.path,
                        decides: route.decides,
                        errors: errors
                    )
                }
            }
        )
    }
}
