import Core
import Wire

/// A read of what is remembered, away from the store thread. What it does not find is a miss: whatever came of it then
/// does not count, and the store thread reads again.
final class MemoReader: StoreReader {
    /// Why the closure ends early.
    private struct Missed: Error {}

    private let memo: ReadMemo
    private let tenant: String
    private let turn: UInt64
    private var isOver = false
    private(set) var hasMissed = false

    init(_ memo: ReadMemo, _ tenant: TenantName, turn: UInt64) {
        self.memo = memo
        self.tenant = tenant.text
        self.turn = turn
    }

    /// The call is over.
    func invalidate() { isOver = true }

    func record<R: Record>(_ type: R.Type, _ id: String) throws -> R? {
        let found: [R] = try records("", id)
        return found.first
    }

    func records<R: Record>(_ type: R.Type, _ name: String, _ value: String) throws -> [R] {
        try records(name, value)
    }

    func records<R: Record>(_ type: R.Type) throws -> [R] { throw miss() }
    func document(kind: String, id: String) throws -> JSON? { throw miss() }
    func documents(kind: String, key: RecordKey) throws -> [JSON] { throw miss() }
    func documents(kind: String) throws -> [JSON] { throw miss() }
    func number(of owner: VaultOwner) throws -> String? { throw miss() }
    func owners(ofNumber number: String) throws -> [VaultOwner] { throw miss() }
    func tenantCount() throws -> Int { throw miss() }
    func everything(of tenant: TenantName) throws -> StoredWorld? { throw miss() }
    func snapshots() throws -> [Snapshot] { throw miss() }
    func snapshot(_ id: String) throws -> StoredWorld? { throw miss() }

    private func records<R: Record>(_ key: String, _ value: String) throws -> [R] {
        let place = ReadMemo.Place(tenant: tenant, kind: R.kind, key: key, value: value)
        guard !isOver, let records: [R] = memo.records(place, turn: turn) else { throw miss() }
        return records
    }

    private func miss() -> any Error {
        guard !isOver else {
            return StoreFault(reason: .failed, message: "The transaction was used after its call had ended.")
        }
        hasMissed = true
        return Missed()
    }
}
