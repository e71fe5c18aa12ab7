import Masking
package import Wire

/// A world as one JSON document, for `GET /v1/export` and `POST /v1/import`.
///
/// Keys are not in it: each kind says its own. Two exports of one world are the same bytes.
package enum WorldDocument {
    /// What an export says that it is.
    package static let format = "tsp-sandbox-world"
    /// An older version is one before the last migrations.
    package static let version = Int64(1 + DocumentMigration.all.count)
    /// Most bytes of a world that is exported, and of an import: both go through memory as a whole.
    package static let largest = 64 << 20
    private static let members: Set = ["format", "version", "tenant", "records", "numbers"]
    /// Documents may be as deep as a request's; three levels stand above them.
    package static let maximumDepth = JSON.maximumDepth + 8

    /// The document as bytes. It holds card numbers.
    package static func write(_ world: StoredWorld, of tenant: TenantName) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(world.rows.reduce(1_024) { $0 + $1.document.count + 64 })
        bytes.append(contentsOf: "{\"format\":\"\(format)\",\"version\":\(version),\"tenant\":".utf8)
        JSON.string(tenant.text).write(to: &bytes)
        bytes.append(contentsOf: ",\"records\":[".utf8)
        for (index, row) in world.rows.enumerated() {
            bytes.append(contentsOf: (index > 0 ? ",{\"kind\":" : "{\"kind\":").utf8)
            JSON.string(row.kind).write(to: &bytes)
            bytes.append(contentsOf: ",\"id\":".utf8)
            JSON.string(row.id).write(to: &bytes)
            bytes.append(contentsOf: ",\"document\":".utf8)
            bytes.append(contentsOf: row.document)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(contentsOf: "],\"numbers\":".utf8)
        let numbers = world.numbers.map { number -> JSON in
            [
                "ownerKind": .string(number.owner.kind), "ownerId": .string(number.owner.id),
                "number": .string(number.digits),
            ]
        }
        JSON.array(numbers).write(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The world in a document; every rule that a world keeps is checked.
    ///
    /// - Parameter kinds: what a world may hold.
    package static func read(
        _ json: JSON,
        policy: PANPolicy,
        kinds: RecordKinds
    ) throws(WorldRefusal) -> StoredWorld {
        guard let object = json.object, json["format"]?.string == format else {
            throw WorldRefusal(.format, "/format")
        }
        guard let written = json["version"]?.integer, (1...version).contains(written) else {
            throw WorldRefusal(.version, "/version")
        }
        guard let records = json["records"]?.array else { throw WorldRefusal(.format, "/records") }
        guard let numbers = json["numbers"]?.array else { throw WorldRefusal(.format, "/numbers") }
        if let tenant = json["tenant"], tenant.string == nil { throw WorldRefusal(.format, "/tenant") }
        for (name, _) in object.members where !members.contains(name) {
            throw WorldRefusal(.format, "/" + JSONPointer.escape(Masking.excerpt(name, 64)))
        }
        let migrations = DocumentMigration.all[(Int(written) - 1)...]
        var reader = WorldReader(policy: policy, kinds: kinds, migrations: migrations)
        for (index, item) in records.enumerated() { try reader.addRecord(item, "/records/\(index)") }
        try reader.checkTenant()
        try reader.checkReferences()
        for (index, item) in numbers.enumerated() { try reader.addNumber(item, "/numbers/\(index)") }
        try reader.checkNumbers()
        return reader.world
    }
}
