import Core
import Networks
import Traffic
import Web
import Wire

/// Snapshots of a world: to come back to it as often as a test likes. They outlive resets, and end with the tenant.
struct SnapshotHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let one = "/v1/snapshots/{id}"
        return [
            .control("listSnapshots", .get, "/v1/snapshots", handler: list),
            .control("takeSnapshot", .post, "/v1/snapshots", handler: take),
            .control("restoreSnapshot", .post, one + "/restore", handler: restore),
            .control("deleteSnapshot", .delete, one, handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let snapshots = try await services.worlds.snapshots(of: exchange.tenant)
        return .json(["items": .array(snapshots.map(SnapshotHandler.json))])
    }

    func take(_ exchange: inout Exchange) async throws -> HTTPResponse {
        do {
            let snapshot = try await services.worlds.takeSnapshot(exchange.tenant)
            return .json(SnapshotHandler.json(snapshot), status: 201)
        } catch let refused as WorldRefusal {
            throw refused.refusal
        }
    }

    func restore(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (name, id) = (exchange.tenant, exchange.parameters["id"])
        // Looked at first, so that a wrong id disturbs nobody.
        guard try await services.worlds.snapshots(of: name).contains(where: { $0.id == id }) else {
            throw Refusal(.failed("snapshot", WorldFault.snapshotUnknown))
        }
        try await services.replaceWorld(name) { worlds in try await worlds.restore(name, id) }
        return .empty(status: 204)
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        do {
            try await services.worlds.removeSnapshot(exchange.tenant, exchange.parameters["id"])
        } catch let refused as WorldRefusal {
            throw refused.refusal
        }
        return .empty(status: 204)
    }

    private static func json(_ snapshot: Snapshot) -> JSON {
        [
            "id": .string(snapshot.id), "at": .string(RFC3339.format(snapshot.at)),
            "records": .number(snapshot.records), "bytes": .number(snapshot.bytes),
        ]
    }
}
