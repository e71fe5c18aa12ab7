import Masking
import Wire

/// Takes a world's records and numbers one by one. What it has taken keeps every rule that the sandbox's own worlds keep.
struct WorldReader {
    let policy: PANPolicy
    let kinds: RecordKinds
    /// What the world has not seen.
    private let migrations: ArraySlice<DocumentMigration>
    private(set) var world = StoredWorld()
    private(set) var records: [Place: (record: any Record, pointer: String)] = [:]
    private var owners: Set<VaultOwner> = []

    struct Place: Hashable {
        let kind: String
        let id: String
    }

    init(policy: PANPolicy, kinds: RecordKinds, migrations: ArraySlice<DocumentMigration>) {
        self.policy = policy
        self.migrations = migrations
        self.kinds = kinds
    }

    mutating func addRecord(_ item: JSON, _ pointer: String) throws(WorldRefusal) {
        guard let kind = item["kind"]?.string else { throw WorldRefusal(.format, pointer + "/kind") }
        guard let id = item["id"]?.string else { throw WorldRefusal(.format, pointer + "/id") }
        guard let document = item["document"] else { throw WorldRefusal(.format, pointer + "/document") }
        var entries = [DocumentMigration.Entry(kind: kind, id: id, keys: [], document: document)]
        for migration in migrations { entries = entries.flatMap { migration.replacing($0) ?? [$0] } }
        for entry in entries { try add(entry.kind, entry.id, entry.document, pointer) }
    }

    private mutating func add(
        _ kind: String,
        _ id: String,
        _ document: JSON,
        _ pointer: String
    ) throws(WorldRefusal) {
        guard let type = kinds.byName[kind] else {
            throw WorldRefusal(.kindUnknown, pointer + "/kind", evidence: Masking.excerpt(kind, 32))
        }
        let record: any Record
        do {
            record = try type.init(document: document)
        } catch {
            // A part of a document names itself, and not where it stands.
            let member = error.kind == kind ? "/" + JSONPointer.escape(error.member) : ""
            let evidence = "\(error.kind), \(error.member)"
            throw WorldRefusal(.recordInvalid, pointer + "/document" + member, evidence: evidence)
        }
        guard record.recordID.hasSameBytes(as: id) else { throw WorldRefusal(.recordID, pointer + "/id") }
        let place = Place(kind: kind, id: id)
        guard records[place] == nil else {
            throw WorldRefusal(.duplicate, pointer, evidence: "kind \(kind)")
        }
        records[place] = (record, pointer)
        // The document as the kind writes it: what it does not know has no meaning.
        world.rows.append(
            StoredWorld.Row(kind: kind, id: id, keys: record.keys, document: record.document.bytes)
        )
    }

    mutating func addNumber(_ item: JSON, _ pointer: String) throws(WorldRefusal) {
        guard let kind = item["ownerKind"]?.string else { throw WorldRefusal(.format, pointer + "/ownerKind") }
        guard let id = item["ownerId"]?.string else { throw WorldRefusal(.format, pointer + "/ownerId") }
        guard let digits = item["number"]?.string else { throw WorldRefusal(.format, pointer + "/number") }
        let owner = VaultOwner(kind: kind, id: id)
        guard owners.insert(owner).inserted else { throw WorldRefusal(.duplicate, pointer, evidence: "owner") }
        guard let pan = PAN(digits) else { throw WorldRefusal(.numberInvalid, pointer + "/number") }
        let isFitting: Bool
        switch kind {
        case Card.kind:
            guard let card = record(Card.self, id) else {
                throw WorldRefusal(.numberOwner, pointer + "/ownerId")
            }
            try check(pan, card.network, pointer)
            isFitting = card.panSuffix == pan.suffix
        case Token.kind:
            guard let token = record(Token.self, id) else {
                throw WorldRefusal(.numberOwner, pointer + "/ownerId")
            }
            // A token number is one that the sandbox makes, so that no card number hides there.
            isFitting =
                token.suffix == pan.suffix && pan.isLuhnValid && digits.hasPrefix(token.network.tokenRange)
                && digits.utf8.count == token.network.tokenNumberLength
        case World.retiredKind:
            // Counted by the tenant, like events: what is yet to be retired must not take its place.
            guard let slash = id.lastIndex(of: "/"), let count = Int64(id[id.index(after: slash)...]),
                (0...sequence).contains(count),
                has(Card.self, String(id[..<slash]))
            else { throw WorldRefusal(.numberOwner, pointer + "/ownerId") }
            try check(pan, nil, pointer)
            isFitting = true
        default: throw WorldRefusal(.numberOwner, pointer + "/ownerKind")
        }
        guard isFitting else { throw WorldRefusal(.numberInvalid, pointer + "/number") }
        world.numbers.append(StoredWorld.Number(owner: owner, digits: digits))
    }

    func has<R: Record>(_ type: R.Type, _ id: String) -> Bool { records[Place(kind: R.kind, id: id)] != nil }

    func record<R: Record>(_ type: R.Type, _ id: String) -> R? { records[Place(kind: R.kind, id: id)]?.record as? R }

    /// Every record with its place in the document, in the document's order.
    func forEachRecord(_ body: (any Record, _ pointer: String) throws(WorldRefusal) -> Void) throws(WorldRefusal) {
        for row in world.rows {
            guard let (record, pointer) = records[Place(kind: row.kind, id: row.id)] else { continue }
            try body(record, pointer)
        }
    }

    /// The rules for a card's number, as every face has them; a wrong check digit is only a remark.
    private func check(_ pan: PAN, _ network: PaymentNetwork?, _ pointer: String) throws(WorldRefusal) {
        let rules = CardNumberRules(policy: policy, strictness: .documented)
        let checks = rules.checks(of: pan, network: network, subject: "world.number")
        if let failure = checks.first(where: { !$0.passed }) { throw WorldRefusal(failure, pointer + "/number") }
    }

    /// The tenant's change counter; 0 before ``checkTenant()`` has found one.
    private var sequence: Int64 {
        record(Tenant.self, Tenant.recordID)?.sequence ?? 0
    }

    /// Every card and every token has its number.
    func checkNumbers() throws(WorldRefusal) {
        for (index, row) in world.rows.enumerated() where row.kind == Card.kind || row.kind == Token.kind {
            guard owners.contains(VaultOwner(kind: row.kind, id: row.id)) else {
                throw WorldRefusal(.numberMissing, "/records/\(index)")
            }
        }
    }
}
