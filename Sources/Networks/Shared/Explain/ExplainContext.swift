package import Core
package import Traffic
package import Wire

/// What is known besides a value that is explained (CONTRACT, section 8).
package struct ExplainContext: Sendable {
    /// Whose keys are to be used.
    package var issuerID: String?
    /// The only key to be tried.
    package var keyID: String?
    /// What a signed token is for.
    package var use: IssuerKey.Use?
    /// The `sub` that is wanted.
    package var subject: String?
    /// The `aud` that is wanted.
    package var audience: String?
    /// The card's network.
    package var network: PaymentNetwork?
    /// The card's number.
    package var pan: PAN?
    /// The card's expiry.
    package var expiry: CardExpiry?
    /// The nonce of the provisioning session.
    package var nonce: [UInt8]?
    /// The provisioning session.
    package var sessionID: String?
    /// The request that carried the value, as far as it is given.
    package var request = Request()

    /// A request whose signature is explained.
    package struct Request: Sendable {
        /// Its method, in capitals.
        package var method: String?
        /// Its whole URL.
        package var url: String?
        /// Its headers, by lower-case name.
        package var headers: [String: String] = [:]
        /// Its body as it was sent.
        package var body: String?

        /// Nothing is known of it.
        package init() {}
    }

    /// Refuses a member in the words of the control API: its name, and what is wanted.
    package let invalid: @Sendable (_ member: String, _ wanted: String) -> Refusal

    /// An empty context.
    package init(invalid: @escaping @Sendable (String, String) -> Refusal) { self.invalid = invalid }

    /// A refusal of a member of the context.
    package func refusal(_ member: String, _ fault: some Diagnosed, evidence: String? = nil) -> Refusal {
        refusal(member, .failed("body.\(member)", fault, evidence: evidence))
    }

    /// A refusal of a member of the context by a check of the domain.
    package func refusal(_ member: String, _ check: Check) -> Refusal {
        Refusal(check.at(.body("/context/\(member)")))
    }

    /// The member must be there.
    package func missing(_ member: String) -> Refusal {
        refusal(member, FieldFault.missing, evidence: "\(member) is missing")
    }

    /// A refusal of the key that is named, with those there are.
    package func keyUnknown(_ known: [String]) -> Refusal {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        return refusal("keyId", ExplainFault.keyUnknown, evidence: "known: \(list)")
    }
}
