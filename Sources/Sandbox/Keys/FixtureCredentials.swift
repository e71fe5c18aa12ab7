import Core
import Networks
import Wire

/// Reads `keys/networks/<network>/credentials.json`, with the files that stand beside it (CONTRACT, section 9).
enum FixtureCredentials {
    /// - Throws: ``KeyringFault`` naming the file.
    static func load(_ source: FileSource, _ kinds: [CredentialKind]) throws -> [Credential] {
        try kinds.flatMap { kind in
            let place = "networks/\(kind.network)"
            let name = place + "/credentials.json"
            guard source.exists(name) else { return [Credential]() }
            let (path, bytes) = (source.path(name), try source.bytes(name))
            guard let items = (try? JSON.parse(bytes))?["items"]?.array else {
                throw KeyringFault(path: path, reason: "wanted {\"items\": [...]}")
            }
            return try items.map { item in
                guard let credential = try credential(item, kind, source, place) else {
                    throw KeyringFault(path: path, reason: "an item lacks id or role, or has another network's")
                }
                return credential
            }
        }
    }

    private static func credential(
        _ item: JSON,
        _ kind: CredentialKind,
        _ source: FileSource,
        _ place: String
    ) throws -> Credential? {
        guard let id = item["id"]?.string, let role = item["role"]?.string.flatMap(Credential.Role.init),
            item["network"]?.string ?? kind.network == kind.network
        else { return nil }
        var members = JSONObject()
        for member in kind.members(of: role) {
            if let value = item[member.name] { members[member.name] = value }
            guard let file = item[member.name + "File"]?.string else { continue }
            members[member.name] = .string(try source.text("\(place)/\(file)"))
        }
        return Credential(
            id: id,
            network: kind.network,
            role: role,
            name: item["name"]?.string,
            issuerID: item["issuerId"]?.string,
            tokenRequestorID: item["tokenRequestorId"]?.string,
            members: members,
            digests: kind.digests(of: members, role)
        )
    }
}
