import Core
import Wire

/// A snapshot's records as its row holds them: a JSON list. Its numbers are not among them.
enum SnapshotContent {
    /// Whose the snapshot's numbers are in the vault. No tenant has such a name, so no look-up finds them.
    static func vaultTenant(_ tenant: String, _ id: String) -> String { "\(tenant)#\(id)" }

    static func encode(_ rows: [StoredWorld.Row]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let keys = row.keys.flatMap { key in [JSON.string(key.name), .string(key.value)] }
            bytes.append(contentsOf: "[".utf8)
            JSON.string(row.kind).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
            JSON.string(row.id).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
            JSON.array(keys).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: row.document)
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// Nil when the bytes are not content that ``encode(_:)`` made.
    static func decode(_ bytes: [UInt8]) -> [StoredWorld.Row]? {
        guard let items = (try? JSON.parse(bytes, maximumDepth: .max, integers: .any))?.array else { return nil }
        var rows: [StoredWorld.Row] = []
        rows.reserveCapacity(items.count)
        for item in items {
            guard let parts = item.array, parts.count == 4, let kind = parts[0].string, let id = parts[1].string,
                let texts = parts[2].array?.compactMap(\.string), texts.count.isMultiple(of: 2)
            else { return nil }
            let keys = stride(from: 0, to: texts.count, by: 2).map { RecordKey(texts[$0], texts[$0 + 1]) }
            rows.append(StoredWorld.Row(kind: kind, id: id, keys: keys, document: parts[3].bytes))
        }
        return rows
    }
}
