import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// Applications: which apps and extensions exist, and which are entitled.
struct ApplicationHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let one = "/v1/applications/{application}"
        return [
            .control("getApplication", .get, one, handler: get),
            .control("putApplication", .put, one, handler: put),
            .control("deleteApplication", .delete, one, handler: delete),
        ]
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = exchange.parameters["application"]
        let found = try await services.worlds.read(exchange.tenant) { try $0.store.record(Application.self, name) }
        guard let found else { throw unknown(name) }
        return .json(found.document)
    }

    func put(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let application = try ApplicationDocument.read(
            ControlFields(exchange),
            identifier: exchange.parameters["application"]
        )
        let outcome = try await services.worlds.write(exchange.tenant) { world -> (isKnown: Bool, existed: Bool) in
            guard try world.store.record(Issuer.self, application.issuerID) != nil else { return (false, false) }
            let existed = try world.store.record(Application.self, application.identifier) != nil
            try world.store.put(application)
            return (true, existed)
        }
        guard outcome.isKnown else {
            let evidence = application.issuerID
            throw Refusal(.failed(.member("issuerId"), ControlFault.issuerNotFound, evidence: evidence))
        }
        return .json(application.document, status: outcome.existed ? 200 : 201)
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = exchange.parameters["application"]
        let existed = try await services.worlds.write(exchange.tenant) { world in
            guard try world.store.record(Application.self, name) != nil else { return false }
            try world.store.remove(Application.self, name)
            return true
        }
        guard existed else { throw unknown(name) }
        return .empty(status: 204)
    }

    private func unknown(_ name: String) -> Refusal {
        Refusal(.failed("application", ControlFault.applicationNotFound, evidence: Masking.excerpt(name, 100)))
    }
}

/// An application as it is put.
enum ApplicationDocument {
    static func read(_ fields: ControlFields, identifier: String) throws(Refusal) -> Application {
        fields.expect("issuerId", "kind", "entitled", "appGroupIDs", "storeIdentifier", "urlScheme")
        fields.cursor.expect("application", again: identifier)
        guard Association.isApplicationIdentifier(identifier) else {
            throw fields.refusal("application", .applicationForm, evidence: Masking.excerpt(identifier, 100))
        }
        return Application(
            identifier: identifier,
            issuerID: try fields.string("issuerId"),
            applicationKind: try fields.word("kind", Application.Kind.self) ?? .app,
            isEntitled: try fields.bool("entitled", default: true),
            appGroupIDs: try fields.strings("appGroupIDs"),
            storeIdentifier: try fields.storeIdentifier("storeIdentifier"),
            urlScheme: try fields.optionalString("urlScheme")
        )
    }
}
