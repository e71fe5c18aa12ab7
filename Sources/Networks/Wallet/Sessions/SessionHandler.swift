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
                let name = request.application
            else { return Checked(value: nil, checks: checks) }
            var target: Device? = device
            var present: [PassView] = []
            if let identifier = primaryAccountIdentifier, !identifier.isEmpty {
                (target, present) = try Self.target(identifier, device, in: world.view)
                if present.isEmpty, let unknown = try Self.unknown(identifier, application, in: world.view) {
                    checks.append(unknown)
                    guard unknown.passed else { return Checked(value: nil, checks: checks) }
                }
            }
            guard let target else { return Checked(value: .present(present), checks: checks) }
            let session = try world.beginSession(
                on: target,
                network: network,
                suffix: request.suffix ?? "",
                application: name
            )
            return Checked(value: .begun(session, leaf: target.leafCertificate), checks: checks)
        }
        switch outcome {
        case .present(let passes):
            exchange.tokenID = passes.first?.token.tokenID
            exchange.errorMembers["pass"] = passes.first.map(PassMessage.json)
            exchange.errorMembers["passes"] = .array(passes.map(PassMessage.json))
            throw exchange.refusal(.failed("session.notPresent", WalletFault.alreadyPresent))
        case .begun(let session, let leaf):
            let chain = [leaf, services.keyring.appleSubCA.der]
            // The device's key, and with it its certificate, comes from OpenSSL's generator.
            return HTTPResponse.json(SessionMessage.json(session, certificates: chain), status: 201)
                .withRandom(["/certificates/0"])
        }
    }

    private enum SessionOutcome: Sendable {
        /// No device is left that lacks the card.
        case present([PassView])
        case begun(ProvisioningSession, leaf: [UInt8])
    }

    /// The device that lacks the card: the one that asks, else the first watch that was paired with it; and the passes of those
    /// that have it.
    private static func target(
        _ identifier: String,
        _ device: Device,
        in view: View
    ) throws -> (Device?, [PassView]) {
        let watches = try view.pairedDevices(of: device).filter { $0.deviceKind == Device.watch }
        var present: [PassView] = []
        for candidate in [device] + watches {
            let isRemote = candidate.deviceID != device.deviceID
            let own = try view.passes(on: candidate, isRemote: isRemote).filter { pass in
                pass.card.primaryAccountIdentifier == identifier
            }
            if own.isEmpty { return (candidate, present) }
            present += own
        }
        return (nil, present)
    }

    /// A warning for an identifier that no card of the issuer has: the app kept one of another world, or of another issuer.
    private static func unknown(_ identifier: String, _ application: Application?, in view: View) throws -> Check? {
        guard let issuerID = application?.issuerID else { return nil }
        if try view.isPrimaryAccountIdentifier(identifier, ofIssuer: issuerID) { return nil }
        let (name, place) = ("session.primaryAccountIdentifier", WalletField.primaryAccountIdentifier.place)
        return view.tenant.settings.strictness == .strict
            ? .failed(name, CardFault.fpanIdentifierUnknown, at: place)
            : .warning(name, CardFault.fpanIdentifierUnknown, at: place)
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
