import Core
import Crypto
import Foundation
import Testing
import Wire

/// Values that many tests begin with.
enum Samples {
    static let issuerID = "DEMOBANK01"

    /// The text of a file of `keys/`.
    static func key(_ name: String) -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../../keys").standardized
        return (try? String(contentsOf: root.appending(path: name + ".pem"), encoding: .utf8)) ?? ""
    }

    /// The hexadecimal digits of a payload of `fixtures/cms/`.
    static func cms(_ name: String) -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../../fixtures/cms").standardized
        let text = (try? String(contentsOf: root.appending(path: name + ".hex"), encoding: .utf8)) ?? ""
        return text.filter { !$0.isNewline }
    }

    static let networkKeys = NetworkKeys(
        mastercard: [
            NetworkKeys.TAVKey(
                alias: "TAV-1",
                publicPEM: key("issuers/DEMOBANK01/tav.pub"),
                privatePEM: key("issuers/DEMOBANK01/tav.key")
            )
        ],
        visa: NetworkKeys.VisaKey(keySetID: "401200.1", key: Array(0x10...0x1F)),
        amex: Array(0x20...0x3F),
        discover: Array(0x40...0x5F)
    )

    static func issuer(_ id: String = issuerID, ranges: [AccountRange?] = []) -> Issuer {
        Issuer(
            issuerID: id,
            name: "Demo Bank",
            verificationKeys: [
                IssuerKey(use: .authorizationCode, keyID: "auth-1", pem: key("issuers/DEMOBANK01/authorization.pub")),
                IssuerKey(use: .issuerToken, keyID: "other-use", pem: key("issuers/DEMOBANK02/authorization.pub")),
            ],
            accountRanges: ranges.compactMap { $0 },
            networkKeys: networkKeys,
            policies: IssuerPolicies(),
            extras: JSONObject([("callbacks", ["visa": "https://example.test"])])
        )
    }

    static func pan(_ text: String) throws -> PAN { try #require(PAN(text)) }

    static func expiry(_ mmyy: String) throws -> CardExpiry { try CardExpiry(mmyy: mmyy) }

    /// A published test number of the network.
    static func number(_ network: PaymentNetwork) -> String {
        switch network {
        case .visa: "4111111111111111"
        case .mastercard: "5555555555554444"
        case .amex: "378282246310005"
        case .discover: "6011111111111117"
        }
    }

    static func cardData(
        _ reference: String = "card-1",
        _ number: String = "4111111111111111",
        expiry mmyy: String = "1232"
    ) throws -> CardData {
        try CardData(reference: reference, pan: pan(number), expiry: expiry(mmyy), holderName: "ANA PRUEBA")
    }
}

extension World {
    /// A device without real credentials.
    func device(_ kind: String = Device.phone, pairedWith other: String? = nil) throws -> Device {
        let device = Device(
            deviceID: "dev-" + String(nextSequence()),
            secureElementID: "SE",
            deviceKind: kind,
            name: kind,
            pairedWith: other,
            leafKey: [1],
            leafCertificate: [2],
            nonceSecret: [3]
        )
        try store.put(device)
        return device
    }
}

extension Array where Element == Check {
    /// Names of the codes of the checks that refuse, in order.
    var refused: [String] { filter { !$0.passed }.compactMap { $0.code?.name } }

    /// Names of the codes of the checks that warn, in order.
    var warned: [String] { filter { $0.passed }.compactMap { $0.code?.name } }

    /// Everything that is printed of the checks.
    var printed: String {
        map { [$0.name, $0.evidence ?? "", $0.hint ?? ""].joined(separator: " ") }.joined(separator: "\n")
    }
}
