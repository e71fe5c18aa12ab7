import Core
import Masking
import Traffic
import Web
import Wire

/// `configure`: what the app writes into the container of its app group for the Wallet extension.
struct ConfigureHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        [
            Endpoint(
                Route(
                    "d1.configure",
                    .post,
                    D1Face.basePath + "/client/v1/configure",
                    .inferred,
                    bodyLimit: 24 << 20,
                    bulkMembers: [D1Field.cardArt.rawValue]
                ),
                handler: configure
            )
        ]
    }

    func configure(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let request = ConfigureRequest(&exchange)
        for issuer in request.issuers { exchange.subject.note(issuerID: issuer.issuerID) }
        let configuration = try await services.decide(&exchange) { world -> Checked<D1Configuration> in
            let checks = try check(request, in: world.view)
            guard checks.allSatisfy(\.passed), let content = request.content else {
                return Checked(value: nil, checks: checks)
            }
            let configuration = content.configuration.ordered(world.nextSequence())
            try world.put(configuration, art: content.art)
            return Checked(value: configuration, checks: checks)
        }
        return .json([
            "deviceId": .string(configuration.deviceID), "application": .string(configuration.application),
            "appGroupID": .string(configuration.appGroupID),
            "issuers": .strings(request.issuers.map(\.issuerID)),
            "cards": .number(request.issuers.reduce(0) { $0 + $1.cards.count }),
        ])
    }

    private func check(_ request: ConfigureRequest, in view: View) throws -> [Check] {
        let resolved = try D1Fields.resolve(request.place, in: view)
        var checks = resolved.checks
        if let application = resolved.value, let group = request.appGroupID,
            !application.appGroupIDs.contains(group)
        {
            let own = application.appGroupIDs.isEmpty ? "none" : application.appGroupIDs.joined(separator: ", ")
            let evidence = "\(Masking.excerpt(group, 100)); the application's: \(own)"
            checks.append(.failed(D1Field.appGroupID.place, D1Fault.appGroupInvalid, evidence: evidence))
        }
        for issuer in request.issuers where Issuer.isIssuerID(issuer.issuerID) {
            guard try view.store.record(Issuer.self, issuer.issuerID) == nil else { continue }
            checks.append(.failed(D1Field.issuerId.place, D1Fault.issuerUnknown, evidence: issuer.issuerID))
        }
        return checks
    }
}
