import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// What an issuer configures at a network's portal about its app.
struct PassMetadataHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        let one = "/v1/issuers/{issuerId}/pass-metadata/{network}"
        return [
            .control("getPassMetadata", .get, one, handler: get),
            .control("putPassMetadata", .put, one, handler: put),
            .control("applyPassMetadata", .post, one + "/apply", handler: apply),
        ]
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (issuerID, network) = try subject(exchange)
        let metadata = try await services.worlds.read(exchange.tenant) { view -> PassMetadata? in
            guard try view.store.record(Issuer.self, issuerID) != nil else { return nil }
            return try view.passMetadata(issuerID: issuerID, network: network)
        }
        guard let metadata else { throw unknownIssuer(issuerID) }
        return .json(PassMetadataDocument.json(metadata))
    }

    func put(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (issuerID, network) = try subject(exchange)
        let fields = try ControlFields(exchange)
        fields.cursor.expect("issuerId", again: issuerID)
        fields.cursor.expect("network", again: network.rawValue)
        let metadata = try PassMetadataDocument.read(fields, issuerID: issuerID, network: network)
        let remarks = try await services.worlds.write(exchange.tenant) { world -> [Check]? in
            guard try world.store.record(Issuer.self, issuerID) != nil else { return nil }
            try world.store.put(metadata)
            let applications = try world.store.records(Application.self).filter { $0.issuerID == issuerID }
            return PassMetadataDocument.remarks(on: metadata, applications)
        }
        guard let remarks else { throw unknownIssuer(issuerID) }
        exchange.note(remarks)
        return .json(PassMetadataDocument.json(metadata))
    }

    /// Gives existing passes the metadata of today, as an issuer asks its network to.
    func apply(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (issuerID, network) = try subject(exchange)
        let fields = exchange.hasDocument ? try ControlFields(exchange) : nil
        fields?.expect("tokenId")
        let tokenID = try fields?.optionalString("tokenId")
        let outcome = try await services.worlds.write(exchange.tenant) { world -> Result<Int, Refusal> in
            guard try world.store.record(Issuer.self, issuerID) != nil else { return .failure(unknownIssuer(issuerID)) }
            if let fields, let tokenID {
                let token = try world.store.record(Token.self, tokenID)
                guard token?.issuerID == issuerID, token?.network == network else {
                    let evidence = "no \(network.rawValue) token of \(issuerID)"
                    return .failure(
                        fields.refusal("tokenId", .failed("token", TokenFault.unknown, evidence: evidence))
                    )
                }
            }
            return .success(try world.applyPassMetadata(issuerID: issuerID, network: network, tokenID: tokenID))
        }
        return .json(["updatedPasses": .number(try outcome.get())])
    }

    private func subject(_ exchange: Exchange) throws(Refusal) -> (String, PaymentNetwork) {
        let name = exchange.parameters["network"]
        guard let network = PaymentNetwork(rawValue: name) else {
            throw Refusal(.failed("network", ControlFault.networkUnknown, evidence: Masking.excerpt(name, 24)))
        }
        return (exchange.parameters["issuerId"], network)
    }

    private func unknownIssuer(_ id: String) -> Refusal {
        Refusal(.failed("issuer", ControlFault.issuerNotFound, evidence: Masking.excerpt(id, 16)))
    }
}

/// Pass metadata as it is put.
enum PassMetadataDocument {
    static func json(_ metadata: PassMetadata) -> JSON { metadata.document }

    static func read(
        _ fields: ControlFields,
        issuerID: String,
        network: PaymentNetwork
    ) throws(Refusal) -> PassMetadata {
        fields.expect(
            "contactName",
            "bank_app",
            "appLaunchURL",
            "associatedStoreIdentifiers",
            "associatedApplicationIdentifiers"
        )
        if fields.has("associatedApplicationIdentifier") {
            throw fields.refusal("associatedApplicationIdentifier", .associationSingular)
        }
        let entries = try fields.strings("associatedApplicationIdentifiers")
        for (index, entry) in entries.enumerated() {
            if let objection = Association.objection(to: entry) {
                throw fields.refusal(
                    "associatedApplicationIdentifiers/\(index)",
                    .associationEntry,
                    evidence: objection
                )
            }
        }
        let stores = try fields.storeIdentifiers("associatedStoreIdentifiers")
        let launchURL = try fields.optionalString("appLaunchURL")
        if launchURL != nil, stores.isEmpty { throw fields.refusal("appLaunchURL", .launchURLNeedsStore) }
        if let launchURL, !isURL(launchURL) { throw fields.invalid("appLaunchURL", "an address like mybank://verify") }
        return PassMetadata(
            issuerID: issuerID,
            network: network,
            contactName: try fields.optionalString("contactName") ?? "",
            bankApp: try fields.optionalString("bank_app"),
            appLaunchURL: launchURL,
            associatedStoreIdentifiers: stores,
            associatedApplicationIdentifiers: entries
        )
    }

    /// What is stored with a warning, because the phone would show a pass that leads nowhere (CONTRACT, section 3).
    static func remarks(on metadata: PassMetadata, _ applications: [Application]) -> [Check] {
        var remarks: [Check] = []
        func remark(_ member: String, _ fault: ControlFault, _ evidence: String? = nil) {
            remarks.append(.warning("passMetadata.\(member)", fault, at: .body("/\(member)"), evidence: evidence))
        }
        if metadata.associatedApplicationIdentifiers.isEmpty {
            remark("associatedApplicationIdentifiers", .associationEmpty)
        }
        if let url = metadata.appLaunchURL {
            let scheme = url.prefix { $0 != ":" }.lowercased()
            let known = applications.compactMap(\.urlScheme)
            if !known.contains(where: { $0.lowercased() == scheme }) {
                let list = known.isEmpty ? "none" : known.joined(separator: ", ")
                remark("appLaunchURL", .launchURLOfNoApplication, "\(scheme); registered: \(list)")
            }
        }
        let stores = Set(applications.compactMap(\.storeIdentifier))
        let strange = metadata.associatedStoreIdentifiers.filter { !stores.contains($0) }
        if !strange.isEmpty {
            let list = stores.isEmpty ? "none" : stores.sorted().joined(separator: ", ")
            let evidence = "\(strange.prefix(8).joined(separator: ", ")); registered: \(list)"
            remark("associatedStoreIdentifiers", .storeIdentifierOfNoApplication, evidence)
        }
        return remarks
    }

    /// A scheme, a colon, and something without spaces.
    private static func isURL(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.utf8.count <= 512 else { return false }
        let scheme = text[..<colon]
        // What a browser runs or reads from the disk opens no app.
        if ["javascript", "data", "vbscript", "file", "about", "blob"].contains(scheme.lowercased()) { return false }
        return !scheme.isEmpty && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
            && text.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
            && text.index(after: colon) < text.endIndex
    }
}
