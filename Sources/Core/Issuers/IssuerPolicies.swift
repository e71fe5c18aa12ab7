package import Wire

/// An issuer's switches (CONTRACT, section 5).
package struct IssuerPolicies: Sendable, Equatable {
    /// Whether D1's issuer tokens must carry the client binding.
    package enum Binding: String, Sendable, CaseIterable {
        case mandatory
        case optional
        case off
    }

    /// What becomes of a provisioning whose activation data is wrong.
    package enum BadActivationData: String, Sendable, CaseIterable {
        /// No token.
        case refuse
        /// A token that waits for activation, as if none had been offered.
        case yellow
    }

    /// Whether requests whose path names the issuer must show one of its client certificates.
    package enum ClientCertificate: String, Sendable, CaseIterable {
        case optional
        /// Those without are refused, also on the port without TLS.
        case required
    }

    /// Whether a login must be bound to the device.
    package var binding = Binding.mandatory
    /// What becomes of a provisioning whose activation data is wrong.
    package var onBadActivationData = BadActivationData.refuse
    /// Nil takes the tenant's.
    package var strictness: Strictness?
    /// `getTokens` gives device and requestor name for every network, not for Mastercard only.
    package var fullTokenDetails = false
    /// A change to the state a token is already in answers success.
    package var repeatIsSuccess = false
    /// The network decides when the issuer's own endpoint does not answer.
    package var standIn = false
    /// Whether a client must show a certificate.
    package var clientCertificate = ClientCertificate.optional

    /// The policies of a new issuer.
    package init() {}

    /// As the control API and the store write it.
    package var document: JSON {
        var document: JSON = [
            "binding": .string(binding.rawValue), "onBadActivationData": .string(onBadActivationData.rawValue),
            "fullTokenDetails": .bool(fullTokenDetails), "repeatIsSuccess": .bool(repeatIsSuccess),
            "standIn": .bool(standIn),
        ]
        if let strictness { document = document.adding("strictness", .string(strictness.rawValue)) }
        if clientCertificate != .optional {
            document = document.adding("clientCertificate", .string(clientCertificate.rawValue))
        }
        return document
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("issuer.policies", document)
        binding = try reader.word("binding", Binding.self)
        onBadActivationData = try reader.word("onBadActivationData", BadActivationData.self)
        strictness = try reader.optionalWord("strictness", Strictness.self)
        fullTokenDetails = try reader.bool("fullTokenDetails")
        repeatIsSuccess = try reader.bool("repeatIsSuccess")
        standIn = try reader.bool("standIn")
        clientCertificate = try reader.optionalWord("clientCertificate", ClientCertificate.self) ?? .optional
    }
}
