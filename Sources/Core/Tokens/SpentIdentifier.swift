package import Wire

/// Something that came once and must not come again: a `jti` that a committed request used, or a nonce.
package struct SpentIdentifier: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "jti"

    /// Who must not use it twice: an issuer's id for a `jti`, else a text of the face with a slash in it.
    package let scope: String
    /// The `jti`.
    package let identifier: String
    /// Of a `jti` `exp` plus the leeway; after that what it came in is refused anyway.
    package let until: Instant

    /// Made of its members.
    package init(scope: String, identifier: String, until: Instant) {
        self.scope = scope
        self.identifier = identifier
        self.until = until
    }

    /// The id of the record that belongs to these.
    package static func recordID(scope: String, identifier: String) -> String { "\(scope)/\(identifier)" }

    /// The id under which a tenant has this record.
    package var recordID: String { SpentIdentifier.recordID(scope: scope, identifier: identifier) }

    /// The scope was an issuer's id before there were others, and has kept its name.
    package var document: JSON {
        ["issuerId": .string(scope), "jti": .string(identifier), "until": .instant(until)]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(SpentIdentifier.kind, document)
        scope = try reader.string("issuerId")
        identifier = try reader.string("jti")
        until = try reader.instant("until")
    }
}

extension View {
    /// True when the identifier was spent and its token could still be accepted.
    package func isSpent(scope: String, identifier: String) throws -> Bool {
        let id = SpentIdentifier.recordID(scope: scope, identifier: identifier)
        guard let spent = try store.record(SpentIdentifier.self, id) else { return false }
        return spent.until >= now
    }
}

extension World {
    /// Spends an identifier.
    package func spend(scope: String, identifier: String, until: Instant) throws {
        try store.put(SpentIdentifier(scope: scope, identifier: identifier, until: until))
        try removeWhatIsOver()
    }

    /// Removes spent identifiers and sessions that nothing can ask for any more. Looks once in an hour of tenant time,
    /// at all of them, so that a clock that was moved leaves none behind.
    package func removeWhatIsOver() throws {
        let hour = now.seconds / 3_600
        guard hour != tenant.cleanedHour else { return }
        tenant.cleanedHour = hour
        for spent in try store.records(SpentIdentifier.self) where spent.until < now {
            try store.remove(SpentIdentifier.self, spent.recordID)
        }
        let oldest = now.adding(seconds: -3_600)
        for session in try store.records(ProvisioningSession.self) where session.createdAt < oldest {
            try store.remove(ProvisioningSession.self, session.recordID)
        }
    }
}
