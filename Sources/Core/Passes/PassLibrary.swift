/// What an application sees in one device's pass library.
package struct PassLibrary: Sendable {
    /// Passes on the device itself.
    package var local: [PassView] = []
    /// Passes on devices that are paired with it.
    package var remote: [PassView] = []
    /// Passes that are there and hidden, because their metadata does not list the application.
    package var hidden: [PassView] = []

    /// Without passes.
    package init() {}

    /// Those of the device first.
    package var visible: [PassView] { local + remote }
    /// More than one card answers the question.
    package var isAmbiguous: Bool {
        local.count + remote.count > 1 && Set(visible.map(\.card.primaryAccountIdentifier)).count > 1
    }

    /// The passes that `isIncluded` lets through.
    package func filtered(_ isIncluded: (PassView) throws -> Bool) rethrows -> PassLibrary {
        var library = PassLibrary()
        library.local = try local.filter(isIncluded)
        library.remote = try remote.filter(isIncluded)
        library.hidden = try hidden.filter(isIncluded)
        return library
    }
}

extension View {
    /// Devices paired with this one, whichever side named the other.
    package func pairedDevices(of device: Device) throws -> [Device] {
        var devices = try store.records(Device.self, "pairedWith", device.deviceID)
        if let other = device.pairedWith, !devices.contains(where: { $0.deviceID == other }),
            let named = try store.record(Device.self, other)
        {
            devices.append(named)
        }
        return devices
    }

    /// Tokens on the device that are not deleted.
    package func liveTokens(on deviceID: String) throws -> [Token] {
        try store.records(Token.self, "device", deviceID).filter { $0.state != .deleted }
    }

    /// True when the card's number ends with the digits, four or five of them.
    package func card(_ card: Card, endsWith digits: String) throws -> Bool {
        if digits.utf8.count <= 4 { return card.panSuffix == digits }
        return try store.number(of: card.vaultOwner)?.hasSuffix(digits) ?? false
    }

    /// The passes an application sees on a device and on those paired with it; nil means Wallet itself, which sees all.
    package func passLibrary(of device: Device, application: String?) throws -> PassLibrary {
        var library = PassLibrary()
        try collect(device, isRemote: false, application: application, into: &library)
        for paired in try pairedDevices(of: device) {
            try collect(paired, isRemote: true, application: application, into: &library)
        }
        return library
    }

    private func collect(
        _ device: Device,
        isRemote: Bool,
        application: String?,
        into library: inout PassLibrary
    ) throws {
        for pass in try passes(on: device, isRemote: isRemote) {
            let entries = pass.metadata.associatedApplicationIdentifiers
            if let application, !Association.covers(application, entries: entries) {
                library.hidden.append(pass)
            } else if isRemote {
                library.remote.append(pass)
            } else {
                library.local.append(pass)
            }
        }
    }
}
