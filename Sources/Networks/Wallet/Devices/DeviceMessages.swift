import Core
import Wire

/// A device as the wallet face prints it, with its pairing seen from its own side.
enum DeviceMessage {
    /// - Parameter paired: the devices that it is paired with, whichever side named the other.
    static func json(_ device: Device, paired: [Device]) -> JSON {
        let isWatch = device.deviceKind == Device.watch
        let phone = device.pairedWith ?? (isWatch ? paired.first?.deviceID : nil)
        let json: JSON = [
            "deviceId": .string(device.deviceID), "secureElementId": .string(device.secureElementID),
            "kind": .string(device.deviceKind), "name": .string(device.name), "pairedWith": .optional(phone),
            "lostMode": .bool(device.isLost),
        ]
        return isWatch ? json : json.adding("pairedDevices", .strings(paired.map(\.deviceID)))
    }
}
