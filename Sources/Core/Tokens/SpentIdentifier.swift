package import Wire

/// A `jti` that a committed request used. It is unique per issuer until the token it came in has expired.
package struct SpentIdentifier: Record, Equatable {
    package static let kind = "jti"

    package let issuerID: String
    package let identifier: String
    /// `exp` plus the leeway; after that the token is refused anyway.
    package let until: Instant

    package init(issuerID: String, identifier: String, until: Instant) {
        self.issuerID = issuerID
        self.identifier = identifier
        self.until = until
    }

    package static func recordID(issuerID: String, identifier: String) -> String { "\(issuerID)/\(identifier)" }

    package var recordID: String { SpentIdentifier.recordID(issuerID: issuerID, identifier: identifier) }

    package var document: JSON {
        ["issuerId": .string(issuerID), "jti": .string(identifier), "until": .instant(until)]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(SpentIdentifier.kind, document)
        issuerID = try reader.string("issuerId")
        identifier = try reader.string("jti")
        until = try reader.instant("until")
    }
}

extension View {
    /// True when the identifier was spent and its token could still be accepted.
    package func isSpent(issuerID: String, identifier: String) throws -> Bool {
        let id = SpentIdentifier.recordID(issuerID: issuerID, identifier: identifier)
        guard let spent = try store.record(SpentIdentifier.self, id) else { return false }
        return spent.until >= now
    }
}

extension World {
    /// Spends an identifier.
    package func spend(issuerID: String, identifier: String, until: Instant) throws {
        try store.put(SpentIdentifier(issuerID: issuerID, identifier: identifier, until: until))
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
