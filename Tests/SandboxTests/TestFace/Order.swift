import Core
import Networks
import Traffic
import Web
import Wire

/// What clients of the test network make: a record that names an issuer, without which it makes no sense.
struct Order: Record, Equatable {
    static let kind = "testnetOrder"
    let id: String
    let issuerID: String
    let clientID: String

    var recordID: String { id }
    var references: [RecordReference] { [RecordReference("issuerId", Issuer.self, issuerID)] }
    var document: JSON { ["id": .string(id), "issuerId": .string(issuerID), "clientId": .string(clientID)] }

    init(id: String, issuerID: String, clientID: String) {
        self.id = id
        self.issuerID = issuerID
        self.clientID = clientID
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Order.kind, document)
        id = try reader.string("id")
        issuerID = try reader.string("issuerId")
        clientID = try reader.string("clientId")
    }
}

struct OrderHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = SignedFace.basePath + "/orders"
        return [
            Endpoint(
                Route("testnet.createOrder", .post, path, .sandbox),
                caller: SignedCaller(services: services),
                handler: create
            )
        ]
    }

    func create(_ exchange: inout Exchange, _ client: Credential) async throws -> HTTPResponse {
        let body = try? JSON.parse(exchange.request.body)
        let (id, issuerID) = (body?["id"]?.string ?? "", body?["issuerId"]?.string ?? "")
        let order = try await services.decide(&exchange) { world in
            guard try world.store.record(Issuer.self, issuerID) != nil else {
                return Checked<Order>(value: nil, checks: [.failed("order.issuer", SignedFault.issuerUnknown)])
            }
            let order = Order(id: id, issuerID: issuerID, clientID: client.id)
            try world.store.put(order)
            return Checked(value: order, checks: [.passed("order.issuer")])
        }
        return .json(["id": .string(order.id), "tenant": .string(exchange.tenant.text)], status: 201)
    }
}
