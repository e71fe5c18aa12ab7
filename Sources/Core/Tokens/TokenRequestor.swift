package import Wire

/// Who asks networks for tokens: a wallet, or a merchant that keeps them itself.
///
/// Some are built in; a tenant may have records of its own.
package struct TokenRequestor: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "tokenRequestor"

    /// What it is: a wallet that puts tokens on devices, or a merchant.
    package enum Kind: String, Sendable, CaseIterable {
        case wallet
        case merchant
    }

    /// The sandbox's own name of it, unique in a tenant.
    package let recordID: String
    /// As networks print it.
    package let name: String
    /// Its token requestor id (eleven digits) at each network that gave it one.
    package let ids: [PaymentNetwork: String]
    /// TSH's word for the wallet (`walletProviderId`); nil for a merchant.
    package let walletProviderID: String?
    /// What an authorization code for it has as `aud`; nil when none is made for it.
    package let audience: String?
    /// Whether it is a wallet or a merchant.
    package let requestorKind: Kind

    /// Made of its members.
    package init(
        _ recordID: String,
        name: String,
        ids: [PaymentNetwork: String],
        walletProviderID: String?,
        audience: String?,
        _ requestorKind: Kind
    ) {
        self.recordID = recordID
        self.name = name
        self.ids = ids
        self.walletProviderID = walletProviderID
        self.audience = audience
        self.requestorKind = requestorKind
    }

    /// What the record can be looked up by, besides its id.
    package var keys: [RecordKey] {
        PaymentNetwork.allCases.compactMap { network in
            ids[network].map { TokenRequestor.key(id: $0, network: network) }
        }
    }

    /// One number may be another requestor's at another network.
    fileprivate static func key(id: String, network: PaymentNetwork) -> RecordKey {
        RecordKey("id", "\(network.rawValue)/\(id)")
    }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "requestor": .string(recordID), "name": .string(name), "kind": .string(requestorKind.rawValue),
            "walletProviderId": .optional(walletProviderID), "audience": .optional(audience),
            "visa": .optional(ids[.visa]), "mastercard": .optional(ids[.mastercard]), "amex": .optional(ids[.amex]),
            "discover": .optional(ids[.discover]),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(TokenRequestor.kind, document)
        recordID = try reader.string("requestor")
        name = try reader.string("name")
        requestorKind = try reader.word("kind", Kind.self)
        walletProviderID = try reader.optionalString("walletProviderId")
        audience = try reader.optionalString("audience")
        var ids: [PaymentNetwork: String] = [:]
        for network in PaymentNetwork.allCases { ids[network] = try reader.optionalString(network.rawValue) }
        self.ids = ids
    }
}

extension TokenRequestor {
    /// Apple Pay's id at each network (EMVCo framework 2.3, 3.1).
    ///
    /// Visa, Mastercard and Amex are published; Discover's is not, so this one begins with a code no TSP has.
    package static func appleID(at network: PaymentNetwork) -> String {
        switch network {
        case .visa: "40010030273"
        case .mastercard: "50110030273"
        case .amex: "30010030273"
        case .discover: "90110030273"
        }
    }

    /// `aud` of the authorization codes for Apple Pay.
    package static let appleAudience = "APPLE_PAY"

    /// Apple Pay, with its number at each network.
    package static let apple = TokenRequestor(
        "apple-pay",
        name: "Apple Pay",
        ids: Dictionary(uniqueKeysWithValues: PaymentNetwork.allCases.map { ($0, appleID(at: $0)) }),
        walletProviderID: "APPLE_PAY",
        audience: appleAudience,
        .wallet
    )

    /// Known in every tenant (thales-push-provisioning 5.8; the audiences of the last two are the SDK's words).
    package static let builtIn = [
        apple,
        TokenRequestor(
            "google-pay",
            name: "Google Pay",
            ids: [.visa: "40010075001", .mastercard: "50120834693"],
            walletProviderID: "ANDROID_PAY",
            audience: "GOOGLE_PAY",
            .wallet
        ),
        TokenRequestor(
            "samsung-pay",
            name: "Samsung Pay",
            ids: [.visa: "40010043095", .mastercard: "50139059239"],
            walletProviderID: "SPAYHCE",
            audience: "SAMSUNG_PAY",
            .wallet
        ),
    ]

    /// Whether an authorization code with this `aud` is for a wallet that is known.
    package static func isAudience(_ text: String) -> Bool { builtIn.contains { $0.audience == text } }
}

extension View {
    /// The requestor with an id at a network, built in or the tenant's own; nil when nobody has it.
    package func tokenRequestor(id: String, network: PaymentNetwork) throws -> TokenRequestor? {
        if let known = TokenRequestor.builtIn.first(where: { $0.ids[network] == id }) { return known }
        let key = TokenRequestor.key(id: id, network: network)
        return try store.records(TokenRequestor.self, key.name, key.value).first
    }
}
