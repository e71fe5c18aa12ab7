/// What the store has of a tenant, for those who replace or remove its world whether or not it can be read.
enum FoundTenant {
    case missing
    case readable(Tenant)
    /// Its own record is not one.
    case damaged(StoreFault)

    /// - Throws: what has nothing to do with the record.
    init(_ reader: RecordReader) throws {
        do {
            self = try reader.record(Tenant.self, Tenant.recordID).map(FoundTenant.readable) ?? .missing
        } catch let fault as StoreFault where fault.reason == .damaged {
            self = .damaged(fault)
        }
    }

    var tenant: Tenant? { if case .readable(let tenant) = self { tenant } else { nil } }
}
