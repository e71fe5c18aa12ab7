import Core
import Wire

/// A device as the wallet face prints it.
enum DeviceMessage {
    static func json(_ device: Device) -> JSON {
        [
            "deviceId": .string(device.deviceID), "secureElementId": .string(device.secureElementID),
            "kind": .string(device.deviceKind), "name": .string(device.name),
            "pairedWith": .optional(device.pairedWith), "lostMode": .bool(device.isLost),
        ]
    }
}
