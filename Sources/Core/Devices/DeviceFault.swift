package import Wire

/// What a request can get wrong about a device.
package enum DeviceFault: String, DiagnosisSubject {
    case unknown = "DEVICE_UNKNOWN"
}

extension DeviceFault {
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        (.notFound, "There is no such device.", "Make one: POST /wallet/apple/devices.")
    }
}
