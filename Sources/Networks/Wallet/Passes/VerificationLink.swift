import Core
import Web

/// The link that Wallet opens for in-app verification (apple-pay-provisioning 12).
enum VerificationLink {
    /// The right link, and wrong ones that an app must survive.
    enum Variant: String, CaseIterable {
        case regular = ""
        case missingAction = "missing-action"
        case missingSerial = "missing-serial"
        case emptySerial = "empty-serial"
        case missingPassType = "missing-pass-type"
        case noQuery = "no-query"
        case unknownSerial = "unknown-serial"
        case otherPassType = "other-pass-type"
        case extraParameters = "extra-parameters"
        /// Every character of the serial number is percent-encoded.
        case encoded

        /// Those that are asked for by name.
        static let names = allCases.filter { $0 != .regular }.map(\.rawValue).joined(separator: ", ")
    }

    static func url(launch: String, serialNumber: String, variant: Variant) -> String {
        let passType = variant == .otherPassType ? "pass.com.example.other" : Pass.typeIdentifier
        let serial: String
        switch variant {
        case .unknownSerial: serial = String(repeating: "0", count: 32)
        case .emptySerial: serial = ""
        case .encoded: serial = serialNumber.utf8.map { "%" + hexadecimal($0) }.joined()
        default: serial = PercentEncoding.encode(serialNumber)
        }
        if variant == .noQuery { return launch }
        var parameters: [String] = []
        if variant != .missingPassType { parameters.append("passTypeIdentifier=\(PercentEncoding.encode(passType))") }
        if variant != .missingSerial { parameters.append("serialNumber=\(serial)") }
        if variant != .missingAction { parameters.append("action=verify") }
        if variant == .extraParameters { parameters.insert("source=wallet", at: 1) }
        // An appLaunchURL may have a query of its own, and a fragment that stays at the end.
        let parts = launch.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let separator = !parts[0].contains("?") ? "?" : parts[0].hasSuffix("?") || parts[0].hasSuffix("&") ? "" : "&"
        let fragment = parts.count > 1 ? "#" + parts[1] : ""
        return parts[0] + separator + parameters.joined(separator: "&") + fragment
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
