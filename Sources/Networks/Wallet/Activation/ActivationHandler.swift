import Core
import Crypto
import Traffic
import Web
import Wire

/// Activation of a yellow pass from the wallet: by a code, or by activation data from the issuer's app.
struct ActivationHandler: Sendable {
    static let methodBody = FieldTable<WalletField>(required: [.method])
    static let body = FieldTable<WalletField>(optional: [.activationCode, .activationData])

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        [
            Endpoint(
                Route("wallet.requestActivationCode", .post, PassHandler.onePath + "/activation-code", .sandbox),
                handler: requestCode
            ),
            Endpoint(
                Route("wallet.activatePass", .post, PassHandler.onePath + "/activate", .sandbox),
                handler: activate
            ),
        ]
    }

    func requestCode(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let (deviceID, serial) = (exchange.parameters["deviceId"], exchange.parameters["serialNumber"])
        var fields = FieldReader(&exchange, Self.methodBody, strictness: exchange.settings.strictness)
        let method = fields.string(.method)
        fields.finish(into: &exchange)
        try exchange.refuseIfFailed()
        guard let method else { throw Refusal() }
        let pass = try await services.changePass(&exchange) { world in
            let found = try world.view.pending(serialNumber: serial, on: deviceID)
            guard case .found(let pass) = found else { return found.change }
            let check = try world.requestCode(for: pass.token, method: method, methods: pass.activationMethods)
            return check.map { .failed($0.at(WalletField.method.place), pass.token.tokenID) } ?? .done(pass)
        }
        return .json(["tokenId": .string(pass.token.tokenID), "method": .string(method)], status: 202)
    }

    func activate(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.body, strictness: exchange.settings.strictness)
        let code = fields.string(.activationCode)
        let data = fields.optionalBytes(.activationData)
        fields.finish(into: &exchange)
        if code == nil, data == nil, exchange.failures.isEmpty {
            exchange.note(.failed(.body(""), WalletFault.nothingToActivateWith))
        }
        try exchange.refuseIfFailed()
        if let data { return try await activate(with: data, &exchange) }
        return try await activate(withCode: code ?? "", &exchange)
    }

    private func activate(withCode code: String, _ exchange: inout Exchange) async throws -> HTTPResponse {
        let (deviceID, serial) = (exchange.parameters["deviceId"], exchange.parameters["serialNumber"])
        let pass = try await services.changePass(&exchange) { world in
            let found = try world.view.pending(serialNumber: serial, on: deviceID)
            guard case .found(let pass) = found else { return found.change }
            if let check = try world.spendCode(code, for: pass.token) {
                return .failed(check.at(WalletField.activationCode.place), pass.token.tokenID)
            }
            return try world.activate(pass, reason: "activation code")
        }
        return .json(PassMessage.json(pass))
    }

    private func activate(with data: [UInt8], _ exchange: inout Exchange) async throws -> HTTPResponse {
        let (deviceID, serial) = (exchange.parameters["deviceId"], exchange.parameters["serialNumber"])
        let prepared = try await services.worlds.read(exchange.tenant) { view -> ActivationSubject in
            let found = try view.pending(serialNumber: serial, on: deviceID)
            guard case .found(let pass) = found else { return .change(found.change) }
            guard let issuer = try view.store.record(Issuer.self, pass.token.issuerID),
                let number = try view.store.number(of: pass.card.vaultOwner), let pan = PAN(number)
            else { return .change(.unknownPass) }
            return .verify(
                issuer,
                ActivationDataContext(
                    network: pass.token.network,
                    pan: pan,
                    expiry: pass.card.expiry,
                    nonce: pass.sessionNonce,
                    allowsMissingNonce: true,
                    tokenID: pass.token.tokenID,
                    networkKeys: issuer.networkKeys,
                    now: view.now,
                    strictness: issuer.policies.strictness ?? view.tenant.settings.strictness
                )
            )
        }
        let (issuer, context): (Issuer, ActivationDataContext)
        switch prepared {
        case .change(let change):
            _ = try change.pass(&exchange)
            throw Refusal()
        case .verify(let found, let ready): (issuer, context) = (found, ready)
        }
        exchange.tokenID = context.tokenID
        let checks = await services.lane.run { [tavKey = services.keyring.tavKey] in
            ActivationData.verify(data, context, tshKey: tavKey.publicKey)
        }.at(WalletField.activationData.place)
        exchange.note(checks)
        try exchange.refuseIfFailed()
        let pass = try await services.changePass(&exchange, verifiedWith: issuer) { world in
            let found = try world.view.pending(serialNumber: serial, on: deviceID)
            guard case .found(let pass) = found else { return found.change }
            // What was verified must be what is activated: card and token may have changed in the meantime.
            guard pass.token.tokenID == context.tokenID, pass.card.expiry == context.expiry,
                try world.store.number(of: pass.card.vaultOwner) == context.pan.digits
            else { return .unknownPass }
            return try world.activate(pass, reason: "activation data")
        }
        return .json(PassMessage.json(pass))
    }

    private enum ActivationSubject: Sendable {
        case verify(Issuer, ActivationDataContext)
        case change(PassChange)
    }
}

/// A pass that waits for activation, or why there is none.
private enum PendingPass {
    case found(PassView)
    case unknownDevice
    case unknownPass
    case notPending(Token)

    var change: PassChange {
        switch self {
        case .found, .unknownPass: .unknownPass
        case .unknownDevice: .unknownDevice
        case .notPending(let token):
            .failed(
                .failed("pass.pending", WalletFault.notPending, evidence: "the token is \(token.state.rawValue)"),
                token.tokenID
            )
        }
    }
}

extension View {
    fileprivate func pending(serialNumber: String, on deviceID: String) throws -> PendingPass {
        guard let device = try store.record(Device.self, deviceID) else { return .unknownDevice }
        guard let pass = try pass(serialNumber: serialNumber, on: device) else { return .unknownPass }
        return pass.token.state == .inactive ? .found(pass) : .notPending(pass.token)
    }
}

extension World {
    fileprivate func activate(_ pass: PassView, reason: String) throws -> PassChange {
        var pass = pass
        if let fault = try apply(.activate, to: &pass.token, by: .cardholder, reason: reason) {
            return .refused(fault, pass.token.tokenID)
        }
        return .done(pass)
    }
}
