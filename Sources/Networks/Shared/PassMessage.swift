package import Core
package import Wire

/// A pass as the faces print it (CONTRACT, section 3).
package enum PassMessage {
    /// A `PKSecureElementPass` as the wallet's answers have it.
    package static func json(_ pass: PassView) -> JSON {
        [
            "passTypeIdentifier": .string(Pass.typeIdentifier),
            "serialNumber": .string(pass.serialNumber),
            "deviceName": .string(pass.deviceName),
            "isRemotePass": .bool(pass.isRemote),
            "activationMethods": .array(
                pass.activationMethods.map { method in
                    ["id": .string(method.id), "type": .string(method.kind.rawValue), "value": .string(method.value)]
                }
            ),
            "secureElementPass": [
                "primaryAccountIdentifier": .string(pass.card.primaryAccountIdentifier),
                "primaryAccountNumberSuffix": .string(pass.card.panSuffix),
                "deviceAccountIdentifier": .string(pass.token.tokenID),
                "deviceAccountNumberSuffix": .string(pass.token.suffix),
                "passActivationState": .string(pass.activationState),
            ],
        ]
    }
}
