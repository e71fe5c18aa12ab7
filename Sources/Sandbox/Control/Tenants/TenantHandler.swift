import Core
import Networks
import Traffic
import Web
import Wire

/// Tenants: looking at them, their settings, and beginning anew.
struct TenantHandler: Sendable {
    let services: ControlServices

    var operations: [Networks.Operation] {
        let one = "/v1/tenants/{name}"
        return [
            .control("listTenants", .get, "/v1/tenants", handler: list),
            .control("getTenant", .get, one, handler: get),
            .control("updateTenant", .patch, one, handler: update),
            .control("resetTenant", .post, one + "/reset", handler: reset),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var items: [JSON] = []
        for name in try await services.vault.store.tenants() {
            items.append(TenantMessage.json(name, try await services.vault.read(name) { $0.tenant }))
        }
        return .json(["items": .array(items)])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try name(exchange)
        return .json(TenantMessage.json(name, try await services.vault.read(name) { $0.tenant }))
    }

    func update(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try name(exchange)
        let fields = try ControlFields(exchange)
        let strictness = try fields.word("strictness", Strictness.self)
        let delay = try fields.integer("walletPropagationMs", in: 0...3_600_000)
        let seed = try fields.value("seed").map { _ in try TenantMessage.seed(fields) }
        let (header, magic) = (fields.has("diagnosisHeader"), fields.has("magicData"))
        let headerOn = try fields.bool("diagnosisHeader", default: true)
        let magicOn = try fields.bool("magicData", default: true)
        let tenant = try await services.vault.write(name) { world -> Tenant in
            if let strictness { world.tenant.settings.strictness = strictness }
            if header { world.tenant.settings.diagnosisHeader = headerOn }
            if magic { world.tenant.settings.magicData = magicOn }
            if let delay { world.tenant.settings.walletPropagationMilliseconds = delay }
            if let seed { world.tenant.draws = Draws(seed: seed) }
            _ = world.nextSequence()
            return world.tenant
        }
        services.tenants.known(name)?.update(tenant)
        return .json(TenantMessage.json(name, tenant))
    }

    /// Back to the base fixtures: cards, tokens, devices, settings, clock and draws; journal too.
    func reset(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = try name(exchange)
        let tenant = try await services.vault.read(name) { $0.tenant }
        try await services.fixtures.fill(name, seed: tenant.draws.seed, vault: services.vault, replaces: true)
        services.tenants.forget(name)
        services.pauses.end(name)
        await services.journal.clear(name)
        return .json(TenantMessage.json(name, try await services.vault.read(name) { $0.tenant }))
    }

    private func name(_ exchange: Exchange) throws(Refusal) -> TenantName {
        guard let name = TenantName(exchange.parameters["name"]) else {
            throw Refusal(.failed("tenant.name", HTTPFault.tenantName))
        }
        return name
    }
}

/// A tenant as the control API prints it.
enum TenantMessage {
    static func json(_ name: TenantName, _ tenant: Tenant) -> JSON {
        [
            "name": .string(name.text), "seed": .number(String(tenant.draws.seed)),
            "strictness": .string(tenant.settings.strictness.rawValue),
            "diagnosisHeader": .bool(tenant.settings.diagnosisHeader), "magicData": .bool(tenant.settings.magicData),
            "walletPropagationMs": .number(tenant.settings.walletPropagationMilliseconds),
        ]
    }

    static func seed(_ fields: ControlFields) throws(Refusal) -> UInt64 {
        UInt64(try fields.integer("seed", in: 0...(1 << 53)) ?? 0)
    }
}
