import Core
import Synchronization
import Traffic
import Web
import Wire

/// `extension-status`: what the extension answers Apple within 100 ms, without a login.
struct ExtensionStatusHandler: Sendable {
    let services: Services
    private let table = ExtensionStatusTable()

    init(services: Services) { self.services = services }

    var endpoints: [any RoutedEndpoint] {
        let path = D1Face.basePath + "/client/v1/extension-status"
        return [Endpoint(Route("d1.extensionStatus", .get, path, .inferred), handler: status)]
    }

    func status(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let key = try ExtensionStatusTable.Key(&exchange)
        exchange.subject.note(application: key.application)
        // Taken before the reading that is kept.
        let version = services.worlds.version(of: exchange.tenant)
        if let known = table.value(key, version), known.holds(system: services.worlds.environment.systemNow()) {
            return answer(known, &exchange)
        }
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.d1ExtensionStatus(deviceID: key.deviceID, application: key.application)
        }
        guard let status = found.value else {
            exchange.note(found.checks)
            throw Refusal()
        }
        table.keep(status, key, version)
        return answer(status, &exchange)
    }

    private func answer(_ status: D1ExtensionStatus, _ exchange: inout Exchange) -> HTTPResponse {
        exchange.note(status.remarks)
        let system = services.worlds.environment.systemNow()
        return .json([
            "passEntriesAvailable": .bool(status.passEntriesAvailable),
            "remotePassEntriesAvailable": .bool(status.remotePassEntriesAvailable),
            "requiresAuthentication": .bool(status.requiresAuthentication(system: system)),
        ])
    }
}

/// Statuses as they were worked out, each good at one version of its world, until something planned is due: asked again, the
/// store is not touched.
final class ExtensionStatusTable: Sendable {
    struct Key: Hashable, Sendable {
        let tenant: TenantName
        let deviceID: String
        let application: String

        /// - Throws: ``Refusal`` when the query lacks one.
        init(_ exchange: inout Exchange) throws(Refusal) {
            let strictness = exchange.settings.strictness
            var fields = FieldReader(queryOf: exchange, D1Fields.place, strictness: strictness)
            let place = D1Fields.place(&fields, hasContext: false)
            fields.finish(into: &exchange)
            guard let deviceID = place.deviceID, let application = place.application else { throw Refusal() }
            tenant = exchange.tenant
            self.deviceID = deviceID
            self.application = application
        }
    }

    private struct Entry {
        let version: Int64
        let status: D1ExtensionStatus
    }

    /// Many devices ask; nobody removes one. Past this number all are worked out anew.
    private static let capacity = 10_000
    private let entries = Mutex<[Key: Entry]>([:])

    func value(_ key: Key, _ version: Int64?) -> D1ExtensionStatus? {
        entries.withLock { entries in
            guard let entry = entries[key], entry.version == version else { return nil }
            return entry.status
        }
    }

    func keep(_ status: D1ExtensionStatus, _ key: Key, _ version: Int64?) {
        guard let version else { return }
        entries.withLock { entries in
            if entries.count >= ExtensionStatusTable.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = Entry(version: version, status: status)
        }
    }
}
