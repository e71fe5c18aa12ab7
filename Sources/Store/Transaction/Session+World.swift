import Core

extension Session {
    /// Every record of a tenant with its keys, in order of creation.
    func rows(of tenant: String) throws(StoreFault) -> [StoredWorld.Row] {
        var keys: [Int64: [RecordKey]] = [:]
        let found = try statements.allKeys.all(tenant) { row in
            (ordinal: row.integer(0), key: RecordKey(row.text(1), row.text(2)))
        }
        for (ordinal, key) in found { keys[ordinal, default: []].append(key) }
        return try statements.allRecords.all(tenant) { row in
            StoredWorld.Row(
                kind: row.text(1),
                id: row.text(2),
                keys: keys[row.integer(0)] ?? [],
                document: row.bytes(3)
            )
        }
    }

    /// The vault's entries of a tenant, in order of entry.
    func numbers(of tenant: String) throws(StoreFault) -> [StoredWorld.Number] {
        try statements.allNumbers.all(tenant) { row in
            StoredWorld.Number(owner: VaultOwner(kind: row.text(0), id: row.text(1)), digits: row.text(2))
        }
    }
}
