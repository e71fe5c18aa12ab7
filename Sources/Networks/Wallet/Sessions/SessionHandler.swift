import Core
import Crypto
import Traffic
import Web
import Wire

/// `provisioning-sessions`: what PassKit's delegate is given before the app asks its issuer.
struct SessionHandler: Sendable {
    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = WalletFace.basePath + "/devices/{deviceId}/provisioning-sessions"
        return [Endpoint(Route("wallet.createProvisioningSession", .post, path, .sandbox), handler: create)]
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let deviceID = exchange.parameters["deviceId"]
        let request = SessionRequest(&exchange)
        exchange.subject.note(application: request.application)
        let primaryAccountIdentifier = request.primaryAccountIdentifier
        let isWellFormed = !exchange.isRefused

        let outcome = try await services.decide(&exchange) { world -> Checked<SessionOutcome> in
            guard let device = try world.store.record(Device.self, deviceID) else {
                let place = Check.Place.path("deviceId")
                let unknown = Check.failed("device", DeviceFault.unknown, at: place, evidence: deviceID)
                return Checked(value: nil, checks: [unknown])
            }
            var checks: [Check] = []
            let application = try request.application.flatMap { try world.store.record(Application.self, $0) }
            if let name = request.application {
                checks.append(Self.entitlement(of: application, named: name).at(WalletField.application.place))
                if let application {
                    let listing = try Self.listing(of: application, network: request.network, in: world.view)
                    checks.append(listing.at(WalletField.application.place))
                }
            }
            guard isWellFormed, checks.allSatisfy(\.passed), let network = request.network,
                let suffix = request.suffix, let name = request.application
            else { return Checked(value: nil, checks: checks) }
            if let identifier = primaryAccountIdentifier, !identifier.isEmpty,
                let present = try world.view.passes(on: device).first(where: { pass in
                    pass.card.primaryAccountIdentifier == identifier
                })
            {
                return Checked(value: .present(present), checks: checks)
            }
            let session = try world.beginSession(on: device, network: network, suffix: suffix, application: name)
            return Checked(value: .begun(session, leaf: device.leafCertificate), checks: checks)
        }
        switch outcome {
        case .present(let pass):
            exchange.tokenID = pass.token.tokenID
            exchange.errorMembers["pass"] = PassMessage.json(pass)
            throw exchange.refusal(.failed("session.notPresent", WalletFault.alreadyPresent))
        case .begun(let session, let leaf):
            let chain = [leaf, services.keyring.appleSubCA.der]
            // The device's key, and with it its certificate, comes from OpenSSL's generator.
            return HTTPResponse.json(SessionMessage.json(session, certificates: chain), status: 201)
                .withRandom(["/certificates/0"])
        }
    }

    private enum SessionOutcome: Sendable {
        case present(PassView)
        case begun(ProvisioningSession, leaf: [UInt8])
    }

    private static func entitlement(of application: Application?, named name: String) -> Check {
        guard let application else {
            return .failed("application.entitled", WalletFault.notEntitled, evidence: "\(name) is not registered")
        }
        guard application.isEntitled else {
            return .failed("application.entitled", WalletFault.notEntitled, evidence: "\(name) is not entitled")
        }
        return .passed("application.entitled")
    }

    /// A pass will be made all the same: what the metadata lists decides visibility, not entitlement.
    ///
    /// - Parameter network: nil when the request names none; then one network that lists the application will do.
    private static func listing(of application: Application, network: PaymentNetwork?, in view: View) throws -> Check {
        let networks = network.map { [$0] } ?? PaymentNetwork.allCases
        var listed: [String] = []
        for network in networks {
            let metadata = try view.passMetadata(issuerID: application.issuerID, network: network)
            let entries = metadata.associatedApplicationIdentifiers
            if Association.covers(application.identifier, entries: entries) { return .passed("application.listed") }
            listed.append("\(network.rawValue) lists \(entries.isEmpty ? "none" : entries.joined(separator: ", "))")
        }
        return .warning(
            "application.listed",
            WalletFault.appNotListed,
            evidence: listed.joined(separator: "; ")
        )
    }
}
