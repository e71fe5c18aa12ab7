/// A way to activate a yellow token, as a pass lists it.
package struct ActivationMethod: Sendable, Equatable {
    /// The ways to a code, in PassKit's words.
    package enum Kind: String, Sendable, CaseIterable {
        case sms = "SMS"
        case email = "EMAIL"
        case customerService = "CUSTOMER_SERVICE"
        case bankApp = "bank_app"

        /// True when a one-time code is sent by it.
        package var sendsCode: Bool { self == .sms || self == .email }
    }

    /// Names the method in `activation-code`.
    package let id: String
    /// The way.
    package let kind: Kind
    /// What the cardholder is shown: a masked address, a number to call, the app's name.
    package let value: String

    /// The methods of a token: SMS, e-mail and customer service always, the bank's app when the pass metadata has its name and
    /// the address that opens it.
    package static func all(card: Card, metadata: PassMetadata) -> [ActivationMethod] {
        var methods = [
            ActivationMethod(id: "SMS", kind: .sms, value: "******" + (card.phone ?? "00").suffix(2)),
            ActivationMethod(id: "EMAIL", kind: .email, value: masked(email: card.email)),
            ActivationMethod(id: "CUSTOMER_SERVICE", kind: .customerService, value: "+1 555 0100"),
        ]
        if let app = metadata.bankApp, metadata.appLaunchURL != nil {
            methods.append(ActivationMethod(id: "bank_app", kind: .bankApp, value: app))
        }
        return methods
    }

    private static func masked(email: String?) -> String {
        guard let email, let at = email.firstIndex(of: "@"), let first = email.first else { return "c***@example.com" }
        return "\(first)***\(email[at...])"
    }
}
