import Core
import Traffic
import Web
import Wire

/// `passEntries` and `remotePassEntries` of the Wallet extension.
struct PassEntriesHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let callers = D1Callers(services: services)
        let base = D1Face.basePath + "/client/v1"
        return [
            Endpoint(
                Route("d1.passEntries", .get, base + "/pass-entries", .inferred, bulkMembers: ["art"]),
                caller: callers,
                handler: local
            ),
            Endpoint(
                Route("d1.remotePassEntries", .get, base + "/remote-pass-entries", .inferred, bulkMembers: ["art"]),
                caller: callers,
                handler: remote
            ),
        ]
    }

    func local(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        try await list(.local, &exchange, access)
    }

    func remote(_ exchange: inout Exchange, _ access: D1Access) async throws -> HTTPResponse {
        try await list(.remote, &exchange, access)
    }

    private func list(
        _ list: D1EntryList,
        _ exchange: inout Exchange,
        _ access: D1Access
    ) async throws -> HTTPResponse {
        let found = try await services.worlds.read(exchange.tenant) { view in
            try view.d1Entries(list, access)
        }
        let offer = exchange.take(found) ?? D1Offer()
        try exchange.refuseIfFailed()
        exchange.note(offer.reasons)
        let artBytes = offer.entries.reduce(0) { $0 + $1.art.utf8.count }
        return await OffLoop.run(when: artBytes > OffLoop.bodyBytes) {
            .json(["items": .array(offer.entries.map(PassEntryMessage.json))])
        }
    }
}

/// `PKIssuerProvisioningExtensionPaymentPassEntry`, with its `PKAddPaymentPassRequestConfiguration` flattened in.
enum PassEntryMessage {
    static func json(_ entry: D1Entry) -> JSON {
        let identifier: JSON = [
            "issuerID": .string(entry.issuerID), "consumerID": .string(entry.consumerID),
            "cardID": .string(entry.params.cardID),
        ]
        var json: JSON = [
            // The SDK's identifier is a text that holds JSON.
            "identifier": .string(identifier.text), "title": .string(entry.params.productTitle),
            "art": .string(entry.art), "cardholderName": .string(entry.card.holderName),
            "paymentNetwork": .string(entry.card.network.passKitName),
            "primaryAccountSuffix": .string(entry.card.panSuffix),
        ]
        if let id = entry.primaryAccountIdentifier {
            json = json.adding("primaryAccountIdentifier", .string(id))
        }
        return json.adding("encryptionScheme", "EV_ECC_v2")
    }
}
