import Core
import Crypto
import Networks
import Traffic
import Web
import Wire

/// A world as one document: to keep it elsewhere, and to bring it back, in this tenant or another.
struct WorldHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        [
            .control("exportWorld", .get, "/v1/export", handler: export),
            .control("importWorld", .post, "/v1/import", bodyLimit: WorldDocument.largest, handler: `import`),
        ]
    }

    func export(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = exchange.tenant
        let world: StoredWorld
        do {
            world = try await services.worlds.everything(of: name, atMost: services.exportBytes)
        } catch let refusal as WorldRefusal {
            throw refusal.refusal
        }
        let bytes = await services.faces.lane.run { WorldDocument.write(world, of: name) }
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([(.contentType, "application/json"), (.cacheControl, "no-store")]),
            body: bytes
        )
    }

    func `import`(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (name, body) = (exchange.tenant, exchange.request.body)
        // Its reader refuses what it does not know.
        exchange.members = nil
        let environment = services.worlds.environment
        let world = try await services.faces.lane.run { () throws(Refusal) -> StoredWorld in
            try WorldHandler.world(in: body, environment)
        }
        try await services.replaceWorld(name) { worlds in try await worlds.replace(name, with: world) }
        return .empty(status: 204)
    }

    private static func world(in body: [UInt8], _ environment: Environment) throws(Refusal) -> StoredWorld {
        let json = try ControlFields.json(body, maximumDepth: WorldDocument.maximumDepth)
        do {
            return try WorldDocument.read(json, policy: environment.panPolicy, kinds: environment.kinds)
        } catch {
            throw error.refusal
        }
    }
}

extension WorldRefusal {
    /// As the control API tells it.
    var refusal: Refusal { Refusal(check) }
}

extension ControlServices {
    /// Lets a change give a world other content. Its journal stays; requests that wait in it end.
    func replaceWorld(
        _ name: TenantName,
        _ change: @escaping @Sendable (Worlds) async throws -> Tenant
    ) async throws {
        let worlds = worlds
        do {
            _ = try await tenants.change(name, keepsContext: true, ending: pauses) {
                (.changed(try await change(worlds)), ())
            }
        } catch let refused as WorldRefusal {
            throw refused.refusal
        }
    }
}
