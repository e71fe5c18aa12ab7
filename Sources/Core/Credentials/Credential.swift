package import Wire

/// What a client of a network's own API signs and encrypts with: one made inside a tenant, or one of the fixtures, which is
/// good in every tenant (CONTRACT, section 9).
package struct Credential: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "credential"
    /// It is given out for the tenant: a copy of the world has none.
    package static let isResident = true

    /// Whose part the client plays.
    package enum Role: String, Sendable, CaseIterable {
        /// A token requestor: a wallet, a merchant.
        case requestor
        /// An issuer, or who acts for it.
        case issuer
        /// Thales TSH.
        case tsh
    }

    /// The id under which it is listed.
    package let id: String
    /// Whose face takes it, for example `visa`.
    package let network: String
    /// Whose part the client plays.
    package let role: Role
    /// For people.
    package let name: String?
    /// The only issuer that it is for; nil for all.
    package let issuerID: String?
    /// The token requestor that it is for.
    package let tokenRequestorID: String?
    /// What the network gives and takes, by name; private halves are among it.
    package let members: JSONObject
    /// What requests show of it, so that it is found by it: see ``digest(of:network:)``.
    package let digests: [String]

    /// Made of its members.
    package init(
        id: String,
        network: String,
        role: Role,
        name: String? = nil,
        issuerID: String? = nil,
        tokenRequestorID: String? = nil,
        members: JSONObject,
        digests: [String]
    ) {
        self.id = id
        self.network = network
        self.role = role
        self.name = name
        self.issuerID = issuerID
        self.tokenRequestorID = tokenRequestorID
        self.members = members
        self.digests = digests
    }

    /// What a credential is found by in all tenants: an API key, a client id, and so on.
    ///
    /// - Parameter value: what a request shows.
    package static func digest(of value: String, network: String) -> String {
        GivenSecret.recordID("\(network)/\(value)")
    }

    /// The id under which a tenant has this record.
    package var recordID: String { id }
    /// Found by what requests show.
    package var keys: [RecordKey] { digests.map { .credential($0) } }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "id": .string(id), "network": .string(network), "role": .string(role.rawValue), "name": .optional(name),
            "issuerId": .optional(issuerID), "tokenRequestorId": .optional(tokenRequestorID),
            "members": .object(members), "digests": .strings(digests),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Credential.kind, document)
        id = try reader.string("id")
        network = try reader.string("network")
        role = try reader.word("role", Role.self)
        name = try reader.optionalString("name")
        issuerID = try reader.optionalString("issuerId")
        tokenRequestorID = try reader.optionalString("tokenRequestorId")
        guard let members = try reader.optionalObject("members") else {
            throw RecordFault(kind: Credential.kind, member: "members")
        }
        self.members = members
        digests = try reader.strings("digests")
    }

    /// One of its members as text; nil when it has none of that name.
    package func text(_ member: String) -> String? { members[member]?.string }
}

extension World {
    /// Keeps a credential under a new id.
    package func addCredential(
        network: String,
        role: Credential.Role,
        name: String?,
        issuerID: String?,
        tokenRequestorID: String?,
        members: JSONObject,
        digests: [String]
    ) throws -> Credential {
        let id = try unused({ "cred-" + Hex.encode($0.bytes(8)) }) { try store.record(Credential.self, $0) != nil }
        let credential = Credential(
            id: id,
            network: network,
            role: role,
            name: name,
            issuerID: issuerID,
            tokenRequestorID: tokenRequestorID,
            members: members,
            digests: digests
        )
        try store.put(credential)
        return credential
    }
}
