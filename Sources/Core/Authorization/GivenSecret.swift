import Crypto
package import Wire

/// Secrets that the sandbox gave out, found by their digest: the store never holds one, and looking one up takes a time
/// that says nothing about it.
package enum GivenSecret {
    /// A new secret of 32 bytes in base64url, for one tenant: those of one seed must not give out the same, because a
    /// credential that two tenants hold selects none of them.
    package static func make(_ draws: inout Draws, for tenant: TenantName?) -> String {
        Base64.encode(Hash.sha256.digest(draws.bytes(32) + Array((tenant?.text ?? "").utf8)), .url)
    }

    /// What the record of a secret is found by: the digest in hexadecimal.
    package static func recordID(_ secret: String) -> String {
        Hex.encode(Hash.sha256.digest(Array(secret.utf8)))
    }

    /// The key by which ``World/removeStale(_:)`` finds what ends in an hour.
    package static func hourKey(_ instant: Instant) -> RecordKey { RecordKey("hour", String(instant.seconds / 3_600)) }
}

extension World {
    /// A secret that no record of this kind was made for.
    package func unusedSecret<R: Record>(_ type: R.Type) throws -> String {
        try unused({ GivenSecret.make(&$0, for: name) }) { try store.record(type, GivenSecret.recordID($0)) != nil }
    }

    /// Removes credentials of a kind that were over hours ago; until then they are still told apart from unknown ones.
    package func removeStale<R: Record>(_ type: R.Type) throws {
        let hour = now.seconds / 3_600
        for stale in (hour - 26)...(hour - 24) {
            for old in try store.records(type, "hour", String(stale)) { try store.remove(type, old.recordID) }
        }
    }
}
