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
            .control("updateApplication", .patch, one, handler: update),
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

    /// What a document does not name stays; null takes away what need not be there.
    func update(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = exchange.parameters["application"]
        let found = try await services.worlds.read(exchange.tenant) { try $0.store.record(Application.self, name) }
        guard let found else { throw unknown(name) }
        let changed = try ApplicationDocument.change(found, ControlFields(exchange))
        let outcome = try await services.worlds.write(exchange.tenant) { world -> (isKnown: Bool, existed: Bool) in
            guard try world.store.record(Issuer.self, changed.issuerID) != nil else { return (false, true) }
            guard try world.store.record(Application.self, name) == found else { return (true, false) }
            try world.store.put(changed)
            return (true, true)
        }
        guard outcome.isKnown else {
            throw Refusal(.failed(.member("issuerId"), ControlFault.issuerNotFound, evidence: changed.issuerID))
        }
        // Somebody else changed it in between: once more, over what it is now.
        guard outcome.existed else { return try await update(&exchange) }
        return .json(changed.document)
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
    private static let members = ["issuerId", "kind", "entitled", "appGroupIDs", "storeIdentifier", "urlScheme"]

    /// The application with the members that a document names.
    static func change(_ application: Application, _ fields: ControlFields) throws(Refusal) -> Application {
        for member in members { fields.expect(member) }
        fields.cursor.expect("application", again: application.identifier)
        var changed = application
        if fields.has("issuerId") { changed.issuerID = try fields.string("issuerId") }
        if let kind = try fields.word("kind", Application.Kind.self) { changed.applicationKind = kind }
        changed.isEntitled = try fields.bool("entitled", default: changed.isEntitled)
        if fields.cursor.object["appGroupIDs"] != nil { changed.appGroupIDs = try fields.strings("appGroupIDs") }
        if fields.cursor.object["storeIdentifier"] != nil {
            changed.storeIdentifier = try fields.storeIdentifier("storeIdentifier")
        }
        if fields.cursor.object["urlScheme"] != nil { changed.urlScheme = try fields.optionalString("urlScheme") }
        return changed
    }

    static func read(_ fields: ControlFields, identifier: String) throws(Refusal) -> Application {
        fields.expect("issuerId", "kind", "entitled", "appGroupIDs", "storeIdentifier", "urlScheme")
        fields.cursor.expect("application", again: identifier)
        guard Association.isApplicationIdentifier(identifier), !CardReference.holdsCardNumber(identifier) else {
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
