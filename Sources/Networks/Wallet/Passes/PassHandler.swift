import Core
import Masking
import Traffic
import Web
import Wire

/// `devices/{deviceId}/passes`: what an application sees, and what the cardholder does with a pass.
struct PassHandler: Sendable {
    let services: Services

    static let path = WalletFace.basePath + "/devices/{deviceId}/passes"
    static let onePath = path + "/{serialNumber}"

    var endpoints: [any RoutedEndpoint] {
        [
            Endpoint(Route("wallet.listPasses", .get, Self.path, .sandbox), handler: list),
            Endpoint(
                Route("wallet.verificationURL", .get, Self.onePath + "/verification-url", .sandbox),
                handler: link
            ),
            Endpoint(Route("wallet.suspendPass", .post, Self.onePath + "/suspend", .sandbox), handler: suspend),
            Endpoint(Route("wallet.resumePass", .post, Self.onePath + "/resume", .sandbox), handler: resume),
            Endpoint(Route("wallet.deletePass", .delete, Self.onePath, .sandbox), handler: delete),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let deviceID = exchange.parameters["deviceId"]
        let query = exchange.request.query
        let application = query.first { $0.name == WalletField.application.rawValue }?.value
        let last4 = query.first { $0.name == WalletField.last4.rawValue }?.value
        let serial = query.first { $0.name == WalletField.serialNumber.rawValue }?.value
        if let last4, !(4...5).contains(last4.utf8.count) || !last4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            throw exchange.refusal(
                .failed(.query("last4"), WalletField.last4.code(.malformed), evidence: "4 or 5 digits wanted")
            )
        }
        let found = try await services.worlds.read(exchange.tenant) { view -> PassLibrary? in
            guard let device = try view.store.record(Device.self, deviceID) else { return nil }
            let library = try view.passLibrary(of: device, application: application)
            guard last4 != nil || serial != nil else { return library }
            return try library.filtered { pass in
                if let serial, pass.serialNumber != serial { return false }
                guard let last4 else { return true }
                return try view.card(pass.card, endsWith: last4)
            }
        }
        guard let library = found else {
            throw exchange.refusal(.failed("device", DeviceFault.unknown, at: .path("deviceId"), evidence: deviceID))
        }
        if let check = VisibilityFault.check(of: library, application: application) { exchange.note(check) }
        return .json([
            "localPasses": .array(library.local.map(PassMessage.json)),
            "remotePasses": .array(library.remote.map(PassMessage.json)),
            "ambiguous": .bool(library.isAmbiguous),
        ])
    }

    func link(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let variant = exchange.request.queryValue(WalletField.variant.rawValue)
        let link = variant.map(VerificationLink.Variant.init(rawValue:)) ?? .some(.regular)
        guard let link else {
            throw exchange.refusal(
                .failed(
                    .query("variant"),
                    WalletFault.variantUnknown,
                    evidence: variant.map { Masking.excerpt($0, 40) }
                )
            )
        }
        let pass = try await shownPass(&exchange)
        guard let launch = pass.metadata.appLaunchURL else {
            throw exchange.refusal(.failed("pass.appLaunchURL", WalletFault.noAppLaunchURL))
        }
        if pass.token.state != .inactive {
            let evidence = "it is \(pass.token.state.rawValue)"
            exchange.note(.warning("pass.state", WalletFault.passIsActive, evidence: evidence))
        }
        return .json([
            "url": .string(VerificationLink.url(launch: launch, serialNumber: pass.serialNumber, variant: link)),
            "storeIdentifier": .optional(pass.metadata.associatedStoreIdentifiers.first),
            "contactName": .string(pass.metadata.contactName), "bank_app": .optional(pass.metadata.bankApp),
        ])
    }

    func suspend(_ exchange: inout Exchange) async throws -> HTTPResponse { try await change(.suspend, &exchange) }
    func resume(_ exchange: inout Exchange) async throws -> HTTPResponse { try await change(.resume, &exchange) }

    func delete(_ exchange: inout Exchange) async throws -> HTTPResponse {
        _ = try await change(.delete, &exchange)
        return .empty(status: 204)
    }

    private func change(_ event: TokenEvent, _ exchange: inout Exchange) async throws -> HTTPResponse {
        let (deviceID, serial) = (exchange.parameters["deviceId"], exchange.parameters["serialNumber"])
        let pass = try await services.changePass(&exchange) { world in
            guard let device = try world.store.record(Device.self, deviceID) else { return .unknownDevice }
            guard var pass = try world.view.pass(serialNumber: serial, on: device) else { return .unknownPass }
            if let fault = try world.apply(event, to: &pass.token, by: .cardholder) {
                return .refused(fault, pass.token.tokenID)
            }
            return .done(pass)
        }
        return .json(PassMessage.json(pass))
    }

    /// The pass that the device shows: its own, else one of a device it is paired with.
    private func shownPass(_ exchange: inout Exchange) async throws -> PassView {
        let (deviceID, serial) = (exchange.parameters["deviceId"], exchange.parameters["serialNumber"])
        let found = try await services.worlds.read(exchange.tenant) { view -> (isDevice: Bool, pass: PassView?) in
            guard let device = try view.store.record(Device.self, deviceID) else { return (false, nil) }
            if let own = try view.pass(serialNumber: serial, on: device) { return (true, own) }
            for other in try view.pairedDevices(of: device) {
                if let remote = try view.pass(serialNumber: serial, on: other) { return (true, remote) }
            }
            return (true, nil)
        }
        guard let pass = found.pass else {
            throw exchange.refusal(
                found.isDevice
                    ? .failed("pass", WalletFault.passUnknown, at: .path("serialNumber"))
                    : .failed("device", DeviceFault.unknown, at: .path("deviceId"))
            )
        }
        exchange.tokenID = pass.token.tokenID
        return pass
    }
}

/// What became of a change of one pass.
enum PassChange: Sendable {
    case done(PassView)
    case unknownDevice
    case unknownPass
    case refused(LifecycleFault, String)
    case failed(Check, String)

    /// The changed pass.
    ///
    /// - Throws: ``Refusal`` for any other outcome.
    func pass(_ exchange: inout Exchange) throws -> PassView {
        switch self {
        case .done(let pass):
            exchange.tokenID = pass.token.tokenID
            return pass
        case .unknownDevice: throw exchange.refusal(.failed("device", DeviceFault.unknown, at: .path("deviceId")))
        case .unknownPass: throw exchange.refusal(.failed("pass", WalletFault.passUnknown, at: .path("serialNumber")))
        case .refused(let fault, let tokenID):
            exchange.tokenID = tokenID
            throw exchange.refusal(.failed("token.transition", fault))
        case .failed(let check, let tokenID):
            exchange.tokenID = tokenID
            throw exchange.refusal(check)
        }
    }
}

extension Services {
    /// Decides about one pass. A change that is refused may still have counted a wrong code.
    ///
    /// - Returns: the changed pass.
    func changePass(
        _ exchange: inout Exchange,
        verifiedWith issuer: Issuer? = nil,
        _ body: @escaping @Sendable (World) throws -> PassChange
    ) async throws -> PassView {
        let outcome = try await decide(&exchange, verifiedWith: [issuer]) { world in
            Checked(value: try body(world), checks: [])
        }
        return try outcome.pass(&exchange)
    }
}
