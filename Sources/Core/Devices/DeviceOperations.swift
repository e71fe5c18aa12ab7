import Crypto
import Masking
import Wire

extension World {
    /// Adds a device. Its name defaults to one that PassKit would show.
    package func addDevice(
        kind: String,
        name: String?,
        pairedWith: String?,
        credentials: DeviceCredentials
    ) throws -> Device {
        let device = Device(
            deviceID: try unused(Identifiers.deviceID, isTaken: isDevice),
            secureElementID: Identifiers.secureElementID(&tenant.draws),
            // Any word is kept as text, so that it may be one that should not be.
            deviceKind: Masking.text(kind),
            name: Masking.text(name ?? Device.defaultName(kind)),
            pairedWith: pairedWith,
            leafKey: credentials.key,
            leafCertificate: credentials.certificate,
            nonceSecret: tenant.draws.bytes(32)
        )
        try store.put(device)
        return device
    }

    /// Pairs the device with another one, or with none. What they and all that are paired with them hold of one card has one
    /// serial number from then on, the other's before all, since the verification link of a phone and its watches is the same.
    package func pair(_ device: inout Device, with other: String?) throws {
        device.pairedWith = other
        try store.put(device)
        guard let other else { return }
        var serials: [String: String] = [:]
        for deviceID in try family(of: [other, device.deviceID]) {
            for token in try view.liveTokens(on: deviceID) {
                guard let card = try store.record(Card.self, token.cardRecordID),
                    var pass = try store.record(Pass.self, token.tokenID)
                else { continue }
                let shown = "\(card.issuerID)/\(card.primaryAccountIdentifier)"
                let serial = serials[shown] ?? pass.serialNumber
                serials[shown] = serial
                if pass.serialNumber == serial { continue }
                pass.serialNumber = serial
                try store.put(pass)
            }
        }
    }

    /// The devices and all that are paired with them, over any number of pairs, the nearest first.
    private func family(of first: [String]) throws -> [String] {
        var found = first
        var next = 0
        while next < found.count {
            if let device = try store.record(Device.self, found[next]) {
                let paired = try view.pairedDevices(of: device).map(\.deviceID)
                found += paired.filter { !found.contains($0) }
            }
            next += 1
        }
        return found
    }

    /// True also for the id of a device that was wiped: what is still kept of it is not another one's.
    private func isDevice(_ id: String) throws -> Bool {
        try store.record(Device.self, id) != nil
            || environment.kinds.outlivingDevices.contains { kind in
                try store.hasRecords(kind: kind, key: RecordKey("device", id))
            }
    }

    /// Removes the device; its tokens are deleted by the requestor.
    package func wipe(_ device: Device) throws {
        for var token in try view.liveTokens(on: device.deviceID) {
            _ = try apply(.delete, to: &token, by: .requestor, reason: "device wiped")
        }
        for var paired in try store.records(Device.self, "pairedWith", device.deviceID) {
            paired.pairedWith = nil
            try store.put(paired)
        }
        try store.remove(Device.self, device.deviceID)
    }

    /// Suspends or resumes the device's tokens by the requestor. Tokens that do not take the step stay as they are.
    package func setLost(_ isLost: Bool, of device: inout Device) throws {
        for var token in try view.liveTokens(on: device.deviceID) {
            _ = try apply(isLost ? .suspend : .resume, to: &token, by: .requestor, reason: "lost mode")
        }
        device.isLost = isLost
        try store.put(device)
    }

    /// Begins a provisioning session: a fresh nonce, signed by the device.
    package func beginSession(
        on device: Device,
        network: PaymentNetwork,
        suffix: String,
        application: String
    ) throws -> ProvisioningSession {
        // Four bytes, as nonces in public logs are (apple-pay-provisioning 2).
        let nonce = try unused({ $0.bytes(4) }) { nonce in
            try !store.records(ProvisioningSession.self, "nonce", Hex.encode(nonce)).isEmpty
        }
        let session = ProvisioningSession(
            sessionID: try unused(Identifiers.sessionID) { try store.record(ProvisioningSession.self, $0) != nil },
            deviceID: device.deviceID,
            network: network,
            suffix: suffix,
            application: application,
            nonce: nonce,
            nonceSignature: HMAC.sha256(nonce, key: SecretBytes(device.nonceSecret)),
            createdAt: now
        )
        try store.put(session)
        try removeWhatIsOver()
        return session
    }
}

extension Device {
    static func defaultName(_ kind: String) -> String {
        switch kind {
        case Device.phone: "iPhone"
        case Device.watch: "Apple Watch"
        default: kind
        }
    }
}
