import Wire

/// Says that somebody made a tenant on purpose, and did not only name it: a file keeps such a one for ever. It is the tenant's
/// and not its world's, so no copy has it.
struct TenantOrigin: Record, Equatable {
    static let kind = "tenantOrigin"
    static let isResident = true
    static let recordID = "made"

    var recordID: String { TenantOrigin.recordID }
    var document: JSON { ["made": true] }

    init() {}
    init(document: JSON) throws(RecordFault) {}
}
