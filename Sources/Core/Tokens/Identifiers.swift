import Wire

/// Ids of cards, tokens and devices, in the shapes seen at each network (amex-discover-emvco 3.13, visa-vts 8,
/// mastercard-mdes 11.2). All are drawn from the tenant's seed.
package enum Identifiers {
    /// The token's reference; PassKit's `deviceAccountIdentifier`.
    static func tokenID(_ network: PaymentNetwork, _ draws: inout Draws) -> String {
        switch network {
        case .visa: "DNITHE" + draws.digits(18)
        case .mastercard: "DAPLMC" + draws.digits(10) + Hex.encode(draws.bytes(16))
        // Amex and Discover references are opaque; the prefix only helps a reader of logs.
        case .amex: "AXTR" + Hex.encode(draws.bytes(14))
        case .discover: "DSTR" + Hex.encode(draws.bytes(14))
        }
    }

    /// The FPAN id of a card.
    static func primaryAccountIdentifier(_ network: PaymentNetwork, _ draws: inout Draws) -> String {
        switch network {
        case .visa: "V-" + Hex.encode(draws.bytes(15))
        case .mastercard: "FAPLMC" + draws.digits(10) + Hex.encode(draws.bytes(16))
        case .amex: "AXFP" + Hex.encode(draws.bytes(14))
        case .discover: "DSFP" + Hex.encode(draws.bytes(14))
        }
    }

    /// A Luhn-valid number of the network's token range.
    static func tokenNumber(_ network: PaymentNetwork, _ draws: inout Draws) -> String {
        let body = network.tokenRange + draws.digits(network.tokenNumberLength - network.tokenRange.utf8.count - 1)
        return body + String(Luhn.checkDigit(for: body))
    }

    static func deviceID(_ draws: inout Draws) -> String { "dev-" + Hex.encode(draws.bytes(8)) }
    static func secureElementID(_ draws: inout Draws) -> String { Hex.encode(draws.bytes(24)).uppercased() }
    static func sessionID(_ draws: inout Draws) -> String { "ses-" + Hex.encode(draws.bytes(12)) }
    static func serialNumber(_ draws: inout Draws) -> String { Hex.encode(draws.bytes(16)) }
    /// Names one operation; it is not a secret.
    package static func operationID(_ draws: inout Draws) -> String { Hex.encode(draws.bytes(16)) }
}
