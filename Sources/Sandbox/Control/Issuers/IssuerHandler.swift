import Core
import Crypto
import Masking
import Networks
import Traffic
import Web
import Wire

/// Issuers: where a bank puts its public keys.
struct IssuerHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let all = "/v1/issuers"
        return [
            .control("listIssuers", .get, all, handler: list),
            .control("createIssuer", .post, all, handler: create),
            .control("getIssuer", .get, all + "/{issuerId}", handler: get),
            .control("putIssuer", .put, all + "/{issuerId}", handler: put),
            .control("deleteIssuer", .delete, all + "/{issuerId}", handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let issuers = try await services.worlds.read(exchange.tenant) { try $0.store.records(Issuer.self) }
        return .json(["items": .array(issuers.map(IssuerMessage.json))])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["issuerId"]
        guard let issuer = try await services.worlds.read(exchange.tenant, { try $0.store.record(Issuer.self, id) })
        else { throw Refusal(.failed("issuer", ControlFault.issuerNotFound, evidence: Masking.excerpt(id, 16))) }
        return .json(IssuerMessage.json(issuer))
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        IssuerDocument.expect(fields)
        let id = try fields.string("issuerId")
        let stored = try await store(fields, id: id, replaces: false, exchange)
        guard !stored.existed else { throw fields.refusal("issuerId", .issuerExists) }
        return IssuerHandler.answer(stored, status: 201)
    }

    func put(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        IssuerDocument.expect(fields)
        let id = exchange.parameters["issuerId"]
        if let named = try fields.optionalString("issuerId"), named != id {
            throw fields.invalid("issuerId", "the id of the path, \(id)")
        }
        let stored = try await store(fields, id: id, replaces: true, exchange)
        return IssuerHandler.answer(stored, status: stored.existed ? 200 : 201)
    }

    /// The answer that makes pairs is the only one with their private halves.
    private static func answer(_ stored: Stored, status: Int) -> HTTPResponse {
        var response = HTTPResponse.json(IssuerMessage.json(stored.issuer, telling: stored.made), status: status)
        if !stored.made.isEmpty { response.headers[.cacheControl] = "no-store" }
        return response
    }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["issuerId"]
        let refusal = try await services.worlds.write(exchange.tenant) { world -> ControlFault? in
            guard try world.store.record(Issuer.self, id) != nil else { return .issuerNotFound }
            guard try world.store.records(Card.self, "issuer", id).isEmpty else { return .issuerHasCards }
            for network in PaymentNetwork.allCases {
                try world.store.remove(PassMetadata.self, PassMetadata.recordID(issuerID: id, network: network))
            }
            try world.store.remove(Issuer.self, id)
            return nil
        }
        if let refusal { throw Refusal(.failed("issuer", refusal, evidence: Masking.excerpt(id, 16))) }
        return .empty(status: 204)
    }

    /// Stores the issuer of a document. Network keys that it does not name are kept, or made for a new issuer.
    private func store(
        _ fields: ControlFields,
        id: String,
        replaces: Bool,
        _ exchange: Exchange
    ) async throws -> Stored {
        let document = try IssuerDocument(fields, id: id)
        let known = try await services.worlds.read(exchange.tenant) { try $0.store.record(Issuer.self, id) }
        let generated = try await services.faces.lane.run {
            // A new issuer without keys of its own gets a key pair for Mastercard, which takes a while to make.
            known == nil && !IssuerDocument.namesTAVKeys(fields) ? try GeneratedNetworkKeys.make() : nil
        }
        let wanted = document.usesWithoutKey(services.apiFaces.flatMap(\.tokenUses), existing: known)
        let made = try await services.faces.lane.run { try wanted.map { try IssuerHandler.pair(for: $0, of: id) } }
        return try await services.worlds.write(exchange.tenant) { world in
            let existing = try world.store.record(Issuer.self, id)
            if let existing, !replaces { return Stored(issuer: existing, existed: true, made: []) }
            let issuer = try document.issuer(
                existing: existing,
                generated: generated,
                generatedKeys: made,
                draws: &world.tenant.draws
            )
            try world.store.put(issuer)
            return Stored(issuer: issuer, existed: existing != nil, made: made)
        }
    }

    private struct Stored {
        let issuer: Issuer
        let existed: Bool
        let made: [IssuerKey]
    }

    private static func pair(for use: SignedTokenUse, of issuerID: String) throws -> IssuerKey {
        let isRSA = use.algorithms.allSatisfy { $0.keyKind == .rsa }
        let key = try isRSA ? PrivateKey.generateRSA(bits: 2_048) : PrivateKey.generateP256()
        return try IssuerKey(
            use: use.use,
            keyID: use.signing.keyID(of: issuerID),
            pem: key.publicKey.pem,
            privatePEM: key.pem
        )
    }
}
