import Core
import Networks
import Traffic
import Web
import Wire

/// Tenants: making, looking at, changing and removing them, and beginning anew.
struct TenantHandler: Sendable {
    /// Of one tenant.
    static let path = "/v1/tenants/{name}"

    /// Whether the path of its requests says which tenant they are about.
    static func isAboutOne(_ route: Route) -> Bool { route.path == path || route.path.hasPrefix(path + "/") }

    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let one = TenantHandler.path
        return [
            .control("listTenants", .get, "/v1/tenants", handler: list),
            .control("createTenant", .post, "/v1/tenants", handler: create),
            .control("getTenant", .get, one, handler: get),
            .control("updateTenant", .patch, one, handler: update),
            .control("deleteTenant", .delete, one, handler: delete),
            .control("resetTenant", .post, one + "/reset", handler: reset),
            .control("forkTenant", .post, one + "/fork", handler: fork),
        ]
    }

    /// One that cannot be read does not hide the others; its name stands beside them.
    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var items: [JSON] = []
        var damaged: [JSON] = []
        for name in try await services.worlds.store.tenants() {
            do {
                items.append(TenantMessage.json(name, try await services.worlds.read(name) { $0.tenant }))
            } catch is UnknownTenant {
                // It was removed since.
            } catch let fault as StoreFault where fault.reason == .damaged {
                damaged.append(.string(name.text))
            }
        }
        let list: JSON = ["items": .array(items)]
        return .json(damaged.isEmpty ? list : list.adding("damaged", .array(damaged)))
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        TenantMessage.expect(fields, "name")
        let name = try TenantMessage.name(fields, "name")
        let seed = try TenantMessage.seed(fields)
        let change = try TenantSettingsChange(fields)
        var settings = Tenant.Settings()
        change.apply(to: &settings)
        let (fixtures, worlds, limit) = (services.fixtures, services.worlds, services.tenants.limit)
        let filled = settings
        return try await made(name, "name", fields) {
            try await fixtures.fill(name, .new, seed: seed, settings: filled, limit: limit, worlds: worlds).tenant
        }
    }

    /// A tenant that is in everything like this one, to go on from there apart.
    func fork(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        let fields = try ControlFields(exchange)
        fields.expect("as")
        let new = try TenantMessage.name(fields, "as")
        let (worlds, limit) = (services.worlds, services.tenants.limit)
        return try await made(new, "as", fields) { try await worlds.copy(name, to: new, limit: limit) }
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        return .json(TenantMessage.json(name, try await services.worlds.read(name) { $0.tenant }))
    }

    func update(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        let fields = try ControlFields(exchange)
        TenantMessage.expect(fields)
        fields.cursor.expect("name", again: name.text)
        let change = try TenantSettingsChange(fields)
        let seed = try TenantMessage.seed(fields)
        // A suite may begin with its settings, or with a reset: that names the tenant for the first time.
        let isNew = try await services.tenants.context(for: name).created
        let tenant = try await services.worlds.write(name) { world -> Tenant in
            change.apply(to: &world.tenant.settings)
            if let seed {
                world.tenant.draws = Draws(seed: seed)
                world.tenant.faultNumber = 0
            }
            _ = world.nextSequence()
            return world.tenant
        }
        services.tenants.takeOver(tenant, of: name)
        return answer(name, tenant, isNew: isNew)
    }

    /// Back to the base fixtures: cards, tokens, devices, settings, clock and draws; journal too.
    func reset(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        let services = services
        var isNew = false
        do {
            isNew = try await services.tenants.context(for: name).created
        } catch let fault as StoreFault where fault.reason == .damaged {
            // What cannot be read can be made anew all the same.
        }
        let tenant = try await services.tenants.change(name, keepsContext: false, ending: services.pauses) {
            let fixtures = services.fixtures
            let tenant = try await fixtures.fill(name, .again, worlds: services.worlds).tenant
            await services.journal.restart(name)
            return (.anew(tenant), tenant)
        }
        guard let tenant else { throw UnknownTenant(name: name) }
        return answer(name, tenant, isNew: isNew)
    }

    private func answer(_ name: TenantName, _ tenant: Tenant, isNew: Bool) -> HTTPResponse {
        var response = HTTPResponse.json(TenantMessage.json(name, tenant))
        if isNew {
            services.metrics.countTenantCreated()
            response.headers[.sandboxTenantCreated] = "true"
        }
        return response
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try TenantHandler.name(exchange)
        if name == .default { throw Refusal(.failed("tenant", ControlFault.tenantIsDefault)) }
        let services = services
        _ = try await services.tenants.change(name, keepsContext: false, ending: services.pauses) {
            let isRemoved = try await services.worlds.remove(name)
            await services.journal.forget(name)
            return (.removed, isRemoved)
        }
        services.metrics.countTenantDropped()
        return .empty(status: 204)
    }

    /// Makes a tenant; whoever names it meanwhile waits.
    private func made(
        _ name: TenantName,
        _ member: String,
        _ fields: ControlFields,
        _ make: @escaping @Sendable () async throws -> Tenant
    ) async throws -> HTTPResponse {
        do {
            let tenant = try await services.tenants.change(name, keepsContext: true) {
                let tenant = try await make()
                return (.anew(tenant), tenant)
            }
            guard let tenant else { throw UnknownTenant(name: name) }
            services.metrics.countTenantCreated()
            return .json(TenantMessage.json(name, tenant), status: 201)
        } catch is TenantExists {
            throw fields.refusal(member, .tenantExists, evidence: name.text)
        }
    }

    /// The tenant in the path.
    static func name(_ exchange: Exchange) throws(Refusal) -> TenantName {
        guard let name = TenantName(exchange.parameters["name"]) else {
            throw Refusal(.failed("tenant.name", HTTPFault.tenantName))
        }
        return name
    }
}
