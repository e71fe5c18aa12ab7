import Core
import Wire

/// What D1's token endpoint gave to an issuer's backend.
struct D1Bearer: Record, Equatable {
    static let kind = "d1Bearer"
    /// thales-push-provisioning 5.1.
    static let lifeSeconds: Int64 = 900

    /// Digest of the access token.
    let recordID: String
    let issuerID: String
    let expiresAt: Instant

    init(token: String, issuerID: String, expiresAt: Instant) {
        recordID = GivenSecret.recordID(token)
        self.issuerID = issuerID
        self.expiresAt = expiresAt
    }

    var keys: [RecordKey] { [.credential(recordID), GivenSecret.hourKey(expiresAt)] }

    var document: JSON {
        ["digest": .string(recordID), "issuerId": .string(issuerID), "expiresAt": .instant(expiresAt)]
    }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(D1Bearer.kind, document)
        recordID = try reader.string("digest")
        issuerID = try reader.string("issuerId")
        expiresAt = try reader.instant("expiresAt")
    }
}
