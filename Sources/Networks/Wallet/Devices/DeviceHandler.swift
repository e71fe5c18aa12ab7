import Core
import Crypto
import Masking
import Traffic
import Web
import Wire

/// `devices`: making, pairing, losing and wiping phones and watches.
struct DeviceHandler: Sendable {
    static let newBody = FieldTable<WalletField>(required: [.kind], optional: [.name, .pairedWith])
    static let changeBody = FieldTable<WalletField>(optional: [.name, .pairedWith])
    static let lostModeBody = FieldTable<WalletField>(required: [.on])

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let devices = WalletFace.basePath + "/devices"
        return [
            Endpoint(
                Route("wallet.listDevices", .get, devices, .sandbox, queryParameters: ListPage.parameters),
                handler: list
            ),
            Endpoint(Route("wallet.createDevice", .post, devices, .sandbox), handler: create),
            Endpoint(Route("wallet.getDevice", .get, devices + "/{deviceId}", .sandbox), handler: get),
            Endpoint(Route("wallet.updateDevice", .patch, devices + "/{deviceId}", .sandbox), handler: update),
            Endpoint(Route("wallet.wipeDevice", .delete, devices + "/{deviceId}", .sandbox), handler: wipe),
            Endpoint(Route("wallet.lostMode", .post, devices + "/{deviceId}/lost-mode", .sandbox), handler: lostMode),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let page = try ListPage(&exchange)
        let devices = try await services.worlds.read(exchange.tenant) { view in
            let shown = try page.part(of: Device.self, in: view)
            return (items: try shown.items.map { try DeviceHandler.json($0, in: view) }, next: shown.next)
        }
        return .json(page.list(devices.items, next: devices.next))
    }

    func create(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.newBody, strictness: exchange.settings.strictness)
        let kind = fields.string(.kind)
        let name = fields.optionalString(.name)
        let pairedWith = fields.optionalString(.pairedWith)
        fields.finish(into: &exchange)
        try exchange.refuseIfFailed()
        guard let kind else { throw Refusal() }
        let credentials = try await services.lane.run { [keyring = services.keyring] in
            try DeviceCredentials.make(keyring: keyring)
        }
        let made = try await services.decide(&exchange) { world -> Checked<JSON> in
            if let pairedWith, try world.store.record(Device.self, pairedWith) == nil {
                return Checked(value: nil, checks: [DeviceHandler.unknownPair(pairedWith)])
            }
            let device = try world.addDevice(
                kind: kind,
                name: name,
                pairedWith: pairedWith,
                credentials: credentials
            )
            return Checked(value: try DeviceHandler.json(device, in: world.view), checks: [])
        }
        return .json(made, status: 201)
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(try await device(&exchange))
    }

    func update(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let deviceID = exchange.parameters["deviceId"]
        _ = try await device(&exchange)
        var fields = FieldReader(&exchange, Self.changeBody, strictness: exchange.settings.strictness)
        let name = fields.optionalString(.name)
        // `null` unpairs, absence leaves the pairing.
        let namesPairing = fields.names(.pairedWith)
        let pairedWith = fields.optionalString(.pairedWith)
        fields.finish(into: &exchange)
        if pairedWith == deviceID {
            exchange.note(.failed("device.pairedWith", WalletFault.pairedWithItself, at: WalletField.pairedWith.place))
        }
        try exchange.refuseIfFailed()
        let device = try await change(&exchange) { world, device in
            if let name { device.name = Masking.text(name) }
            if let pairedWith, try world.store.record(Device.self, pairedWith) == nil {
                return [DeviceHandler.unknownPair(pairedWith)]
            }
            if namesPairing { try world.pair(&device, with: pairedWith) } else { try world.store.put(device) }
            return []
        }
        return .json(device)
    }

    func wipe(_ exchange: inout Exchange) async throws -> HTTPResponse {
        _ = try await change(&exchange) { world, device in
            try world.wipe(device)
            return []
        }
        return .empty(status: 204)
    }

    func lostMode(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.lostModeBody, strictness: exchange.settings.strictness)
        let on = fields.bool(.on)
        fields.finish(into: &exchange)
        try exchange.refuseIfFailed()
        guard let on else { throw Refusal() }
        let device = try await change(&exchange) { world, device in
            try world.setLost(on, of: &device)
            return []
        }
        return .json(device)
    }

    /// Decides about the device in the path; `body` gives what refuses.
    private func change(
        _ exchange: inout Exchange,
        _ body: @escaping @Sendable (World, inout Device) throws -> [Check]
    ) async throws -> JSON {
        let deviceID = exchange.parameters["deviceId"]
        return try await services.decide(&exchange) { world -> Checked<JSON> in
            guard var device = try world.store.record(Device.self, deviceID) else {
                return Checked(value: nil, checks: [DeviceHandler.unknown(deviceID)])
            }
            let checks = try body(world, &device)
            return Checked(value: try DeviceHandler.json(device, in: world.view), checks: checks)
        }
    }

    private static func unknown(_ deviceID: String) -> Check {
        .failed("device", DeviceFault.unknown, at: .path("deviceId"), evidence: deviceID)
    }

    private static func unknownPair(_ deviceID: String?) -> Check {
        .failed(
            "device.pairedWith",
            WalletFault.pairedDeviceUnknown,
            at: WalletField.pairedWith.place,
            evidence: deviceID
        )
    }

    private static func json(_ device: Device, in view: View) throws -> JSON {
        DeviceMessage.json(device, paired: try view.pairedDevices(of: device))
    }

    private func device(_ exchange: inout Exchange) async throws -> JSON {
        let deviceID = exchange.parameters["deviceId"]
        let device = try await services.worlds.read(exchange.tenant) { view in
            try view.store.record(Device.self, deviceID).map { try DeviceHandler.json($0, in: view) }
        }
        guard let device else {
            throw exchange.refusal(DeviceHandler.unknown(deviceID))
        }
        return device
    }
}
