import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// Credentials for the networks' own faces: those of the fixtures, and those that are made inside a tenant.
struct CredentialHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let one = "/v1/credentials/{id}"
        return [
            .control("listCredentials", .get, "/v1/credentials", handler: list),
            .control("createCredential", .post, "/v1/credentials", handler: create),
            .control("getCredential", .get, one, handler: get),
            .control("deleteCredential", .delete, one, handler: delete),
        ]
    }

    private var kinds: [CredentialKind] { services.apiFaces.flatMap(\.credentialKinds) }
    private var fixtures: [Credential] { services.faces.fixtureCredentials }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let own = try await services.worlds.read(exchange.tenant) { try $0.store.records(Credential.self) }
        return .json(["items": .array((fixtures + own).map { shown($0) })])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let own = try await services.worlds.read(exchange.tenant) { try $0.store.record(Credential.self, id) }
        guard let found = own ?? fixtures.first(where: { $0.id == id }) else { throw unknown(id) }
        return .json(shown(found))
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let request = try CredentialRequest(ControlFields(exchange), kinds)
        let members = try await services.faces.lane.run { () throws(Refusal) in try request.complete() }
        let credential = try await services.worlds.write(exchange.tenant) { world -> Credential? in
            if let issuerID = request.issuerID, try world.store.record(Issuer.self, issuerID) == nil { return nil }
            return try world.addCredential(
                network: request.kind.network,
                role: request.role,
                name: request.name,
                issuerID: request.issuerID,
                tokenRequestorID: request.tokenRequestorID,
                members: members,
                digests: request.kind.digests(of: members, request.role)
            )
        }
        guard let credential else {
            throw Refusal(.failed(.member("issuerId"), ControlFault.issuerNotFound, evidence: request.issuerID))
        }
        // The only answer with the private halves.
        var response = HTTPResponse.json(CredentialMessage.json(credential, credential.members), status: 201)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["id"]
        let existed = try await services.worlds.write(exchange.tenant) { world in
            guard try world.store.record(Credential.self, id) != nil else { return false }
            try world.store.remove(Credential.self, id)
            return true
        }
        if existed { return .empty(status: 204) }
        guard fixtures.contains(where: { $0.id == id }) else { throw unknown(id) }
        throw Refusal(.failed("credential", ControlFault.credentialOfFixtures, evidence: Masking.excerpt(id, 64)))
    }

    private func shown(_ credential: Credential) -> JSON {
        let kind = kinds.first { $0.network == credential.network }
        return CredentialMessage.json(credential, kind?.shown(credential) ?? JSONObject())
    }

    private func unknown(_ id: String) -> Refusal {
        Refusal(.failed("credential", ControlFault.credentialNotFound, evidence: Masking.excerpt(id, 64)))
    }
}

/// A credential to be made.
struct CredentialRequest: Sendable {
    let kind: CredentialKind
    let role: Credential.Role
    let name: String?
    let issuerID: String?
    let tokenRequestorID: String?
    private let given: JSONObject
    private let fields: ControlFields

    init(_ fields: ControlFields, _ kinds: [CredentialKind]) throws(Refusal) {
        self.fields = fields
        fields.expect("network", "role", "name", "issuerId", "tokenRequestorId")
        let network = try fields.string("network")
        guard let kind = kinds.first(where: { $0.network == network }) else {
            let known = kinds.isEmpty ? "no network is" : kinds.map(\.network).joined(separator: ", ") + " are"
            throw fields.refusal(
                "network",
                ControlFault.credentialNetwork,
                evidence: "\(Masking.excerpt(network, 40)); \(known) served with credentials"
            )
        }
        self.kind = kind
        let roles = kind.roles.map(\.rawValue).joined(separator: ", ")
        let role = try fields.required(
            "role",
            fields.optionalString("role", "one of \(roles)") { text in
                Credential.Role(rawValue: text).flatMap { kind.roles.contains($0) ? $0 : nil }
            }
        )
        self.role = role
        name = try fields.optionalString("name")
        issuerID = try fields.optionalString("issuerId")
        tokenRequestorID = try fields.optionalString("tokenRequestorId")
        var given = JSONObject()
        for member in kind.members(of: role) {
            fields.expect(member.name)
            if let value = fields.value(member.name) { given[member.name] = value }
        }
        self.given = given
    }

    /// The members that were given, and those that are made.
    func complete() throws(Refusal) -> JSONObject {
        var members = given
        do {
            try kind.make(role, &members)
        } catch let fault as CredentialFault {
            throw fields.invalid(fault.member, fault.wanted)
        } catch {
            throw fields.invalid("network", "members that can be used: \(error)")
        }
        return members
    }
}

/// A credential as it is answered.
enum CredentialMessage {
    static func json(_ credential: Credential, _ members: JSONObject) -> JSON {
        var json = JSONObject([
            ("id", .string(credential.id)), ("network", .string(credential.network)),
            ("role", .string(credential.role.rawValue)),
        ])
        if let name = credential.name { json["name"] = .string(name) }
        if let issuerID = credential.issuerID { json["issuerId"] = .string(issuerID) }
        if let id = credential.tokenRequestorID { json["tokenRequestorId"] = .string(id) }
        for (name, value) in members.members { json[name] = value }
        return .object(json)
    }
}
