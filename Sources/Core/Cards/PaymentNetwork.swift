/// A payment network in its four spellings (CONTRACT, head).
package enum PaymentNetwork: String, CaseIterable, Sendable, Hashable {
    case visa
    case mastercard
    case amex
    case discover

    /// As the TPC SDK writes it, for example `MASTERCARD`.
    package var scheme: String { rawValue.uppercased() }

    /// As PassKit writes it (`PKPaymentNetwork` raw values).
    package var passKitName: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .amex: "AmEx"
        case .discover: "Discover"
        }
    }

    /// From TSH's word in capitals; nil for any other.
    package init?(scheme: String) {
        guard let network = Self.allCases.first(where: { $0.scheme == scheme }) else { return nil }
        self = network
    }

    /// From PassKit's word; nil for any other.
    package init?(passKitName: String) {
        guard let network = Self.allCases.first(where: { $0.passKitName == passKitName }) else { return nil }
        self = network
    }

    /// What else APIs and SDKs call the four, in small letters only.
    private static let otherNames: [String: PaymentNetwork] = [
        "vi": .visa, "mc": .mastercard, "master": .mastercard, "americanexpress": .amex, "ae": .amex, "disc": .discover,
        "dfs": .discover,
    ]

    /// From a word that only a person takes for one of the four: other case, `AMERICAN_EXPRESS`, `Master-Card`. For hints,
    /// and where slips are taken; nil when nothing is recognised.
    package init?(meant text: String) {
        var letters = text.lowercased().filter { $0.isASCII && $0.isLetter }
        if letters.hasPrefix("paymentnetwork") { letters.removeFirst(14) }
        if letters != "mastercard", letters.hasSuffix("card") { letters.removeLast(4) }
        guard let network = PaymentNetwork(rawValue: letters) ?? PaymentNetwork.otherNames[letters] else { return nil }
        self = network
    }

    /// First digits of the token numbers made here; no test card number begins so.
    package var tokenRange: String {
        switch self {
        case .visa: "489507"
        case .mastercard: "529996"
        case .amex: "374288"
        case .discover: "601173"
        }
    }

    /// Digits of a token number.
    package var tokenNumberLength: Int { self == .amex ? 15 : 16 }

    /// The network of a card number by its first digits (ISO/IEC 7812 ranges), nil for any other scheme.
    package init?(pan digits: some StringProtocol) {
        let head = digits.utf8.prefix(4).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard digits.utf8.count >= 12 else { return nil }
        switch head {
        case 4000...4999: self = .visa
        case 5100...5599, 2221...2720: self = .mastercard
        case 3400...3499, 3700...3799: self = .amex
        case 6011, 6440...6599: self = .discover
        default: return nil
        }
    }

    /// Lengths that card numbers of the network have.
    package var panLengths: Set<Int> {
        switch self {
        case .visa: [13, 16, 18, 19]
        case .mastercard: [16]
        case .amex: [15]
        case .discover: [16, 19]
        }
    }
}
