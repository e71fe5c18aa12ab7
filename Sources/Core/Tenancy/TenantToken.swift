package import Wire

/// A token of the control API that is good for one tenant (CONTRACT, section 5, "Safety").
package struct TenantToken: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "tenantToken"
    /// It is given out for the tenant: a copy of the world has none.
    package static let isResident = true

    /// What its holder may do.
    package enum Access: String, Sendable, CaseIterable {
        /// Look at the world, but not take it along.
        case read
        /// Everything inside the tenant.
        case full
    }

    /// The id under which it is listed.
    package let id: String
    /// What its holder may do.
    package let access: Access
    /// What it is found by; the token itself is nowhere.
    package let digest: String

    /// - Parameter token: as its holder sends it.
    package init(id: String, access: Access, token: String) {
        self.id = id
        self.access = access
        digest = TenantToken.digest(of: token)
    }

    /// What a token is found by in all tenants. No network has the name in front, so that no credential of a network is one.
    package static func digest(of token: String) -> String { Credential.digest(of: token, network: "control") }

    /// The id under which a tenant has this record.
    package var recordID: String { id }
    /// Found by its digest, among all tenants.
    package var keys: [RecordKey] { [.credential(digest)] }

    /// What the store keeps of it.
    package var document: JSON {
        ["id": .string(id), "access": .string(access.rawValue), "digest": .string(digest)]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(TenantToken.kind, document)
        id = try reader.string("id")
        access = try reader.word("access", Access.self)
        digest = try reader.string("digest")
    }
}
