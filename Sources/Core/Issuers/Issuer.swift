package import Wire

/// A card issuer: who it is, what verifies its signatures, which card numbers are its own.
package struct Issuer: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "issuer"

    /// Exactly ten characters (thales-push-provisioning 0, "issuerId").
    package let issuerID: String
    /// What people call it.
    package var name: String
    /// Public keys that verify what it signs, by use.
    package var verificationKeys: [IssuerKey]
    /// Card numbers that are its own; no two issuers share one.
    package var accountRanges: [AccountRange]
    /// Keys that it shares with the networks.
    package var networkKeys: NetworkKeys
    /// What it wants done where the documents leave a choice.
    package var policies: IssuerPolicies
    /// Fingerprints of the certificates that the issuer's clients show, see ``CertificateFingerprint``.
    package var clientCertificates: [String]
    /// Members this version keeps and does not use: `callbacks`, `d1`.
    package var extras: JSONObject

    /// An issuer; what is not given is as for a new one.
    package init(
        issuerID: String,
        name: String,
        verificationKeys: [IssuerKey],
        accountRanges: [AccountRange],
        networkKeys: NetworkKeys,
        policies: IssuerPolicies,
        clientCertificates: [String] = [],
        extras: JSONObject
    ) {
        self.issuerID = issuerID
        self.name = name
        self.verificationKeys = verificationKeys
        self.accountRanges = accountRanges
        self.networkKeys = networkKeys
        self.policies = policies
        self.clientCertificates = clientCertificates
        self.extras = extras
    }

    /// True for ten characters of `A–Z a–z 0–9 _`.
    package static func isIssuerID(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
                default: false
                }
            }
    }

    /// The keys for a use, in the order of registration.
    package func keys(for use: IssuerKey.Use) -> [IssuerKey] { verificationKeys.filter { $0.use == use } }

    /// The id under which a tenant has this record.
    package var recordID: String { issuerID }

    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] { clientCertificates.map { .credential(CertificateFingerprint.credential($0)) } }

    /// What the store keeps of it.
    package var document: JSON {
        let document: JSON = [
            "issuerId": .string(issuerID), "name": .string(name), "keys": .array(verificationKeys.map(\.document)),
            "accountRanges": .array(accountRanges.map(\.document)), "networkKeys": networkKeys.document,
            "policies": policies.document, "extras": .object(extras),
        ]
        guard !clientCertificates.isEmpty else { return document }
        return document.adding("clientCertificates", .array(clientCertificates.map { .string($0) }))
    }

    /// An issuer; what is not given is as for a new one.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Issuer.kind, document)
        issuerID = try reader.string("issuerId")
        name = try reader.string("name")
        verificationKeys = []
        for item in try reader.array("keys") { verificationKeys.append(try IssuerKey(document: item)) }
        accountRanges = []
        for item in try reader.array("accountRanges") { accountRanges.append(try AccountRange(document: item)) }
        networkKeys = try NetworkKeys(document: reader.value("networkKeys") ?? .null)
        policies = try IssuerPolicies(document: reader.value("policies") ?? .null)
        clientCertificates = reader.value("clientCertificates") == nil ? [] : try reader.strings("clientCertificates")
        guard clientCertificates.allSatisfy({ CertificateFingerprint.normalized($0) == $0 }),
            Set(clientCertificates).count == clientCertificates.count
        else { throw RecordFault(kind: Issuer.kind, member: "clientCertificates") }
        extras = try reader.optionalObject("extras") ?? JSONObject()
    }
}

extension View {
    /// The issuer that registered a key of that name for the use, so that a token with a wrong `iss` is looked at too.
    package func issuer(holding keyID: String, for use: IssuerKey.Use) throws -> Issuer? {
        try store.records(Issuer.self).first { issuer in issuer.keys(for: use).contains { $0.keyID == keyID } }
    }
}
