package import Wire

/// What a request can get wrong about a device.
package enum DeviceFault: String, DiagnosisSubject {
    case unknown = "DEVICE_UNKNOWN"
    case lost = "DEVICE_LOST"
}

extension DeviceFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .unknown: (.notFound, "There is no such device.", "Make one: POST /wallet/apple/devices.")
        case .lost:
            (
                .declined, "The device is in lost mode and takes no new pass (the sandbox's own rule).",
                "End it: POST /wallet/apple/devices/{deviceId}/lost-mode {\"on\":false}."
            )
        }
    }
}
