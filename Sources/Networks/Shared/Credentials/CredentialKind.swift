package import Core
package import Wire

/// The credentials of one network, as its face describes them: what they consist of, and how one is made.
package struct CredentialKind: Sendable {
    /// One member of a credential.
    package struct Member: Sendable {
        /// Its name in the control API.
        package let name: String
        /// Whether it is a private half or a shared secret: told once, when it is made.
        package let isSecret: Bool
        /// Whether requests show it, so that the credential is found by it.
        package let isShown: Bool
        /// The roles whose credentials have it.
        package let roles: [Credential.Role]

        /// A member of the credentials of these roles.
        package init(_ name: String, isSecret: Bool = false, isShown: Bool = false, roles: [Credential.Role]) {
            self.name = name
            self.isSecret = isSecret
            self.isShown = isShown
            self.roles = roles
        }
    }

    /// The network, for example `mastercard`.
    package let network: String
    /// What its credentials consist of.
    package let members: [Member]
    /// Makes what is not given. It uses private keys, so it runs where those may.
    ///
    /// - Throws: ``CredentialFault`` for a given member that cannot be used.
    package let make: @Sendable (Credential.Role, inout JSONObject) throws -> Void

    /// Made of its members.
    package init(
        network: String,
        members: [Member],
        make: @escaping @Sendable (Credential.Role, inout JSONObject) throws -> Void
    ) {
        self.network = network
        self.members = members
        self.make = make
    }

    /// The roles that clients of the network have.
    package var roles: [Credential.Role] { Credential.Role.allCases.filter { !members(of: $0).isEmpty } }

    /// What a role's credentials consist of.
    package func members(of role: Credential.Role) -> [Member] { members.filter { $0.roles.contains(role) } }

    /// What a credential with these members is found by.
    package func digests(of members: JSONObject, _ role: Credential.Role) -> [String] {
        self.members(of: role).filter(\.isShown).compactMap { members[$0.name]?.string }
            .map { Credential.digest(of: $0, network: network) }
    }

    /// The credential as it may be shown: without private halves.
    package func shown(_ credential: Credential) -> JSONObject {
        let secrets = Set(members.filter(\.isSecret).map(\.name))
        return JSONObject(credential.members.members.filter { !secrets.contains($0.key) }.map { ($0.key, $0.value) })
    }
}

/// A given member of a credential that cannot be used.
package struct CredentialFault: Error, Sendable {
    /// Its name.
    package let member: String
    /// What would be right.
    package let wanted: String

    /// A member, and what would be right.
    package init(member: String, wanted: String) {
        self.member = member
        self.wanted = wanted
    }
}
