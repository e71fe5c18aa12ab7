/// What records say of each other.
extension WorldReader {
    /// Every record that another one cannot do without is there. What may outlive the thing it names is not looked at:
    /// a consumer or a device can be removed, and an issuer without cards.
    func checkReferences() throws(WorldRefusal) {
        var changes: [String: Int64] = [:]
        try forEachRecord { (record, _) throws(WorldRefusal) in
            if let change = record as? TokenChange { changes[change.tokenID, default: 0] += 1 }
        }
        try forEachRecord { (record, pointer) throws(WorldRefusal) in
            let missing = record.references.first { records[Place(kind: $0.kind, id: $0.id)] == nil }
            guard let member = missing?.member ?? inconsistent(record, changes) else { return }
            throw WorldRefusal(.referenceUnknown, "\(pointer)/document/\(member)")
        }
    }

    /// The member of a token, or of its history, that does not fit the other.
    ///
    /// - Parameter changes: how many there are of each token.
    private func inconsistent(_ record: any Record, _ changes: [String: Int64]) -> String? {
        switch record {
        case let token as Token:
            guard token.hasPass == has(Pass.self, token.tokenID) else { return "tokenId" }
            return changes[token.tokenID, default: 0] == token.changes ? nil : "changes"
        case let change as TokenChange:
            let count = self.record(Token.self, change.tokenID)?.changes ?? 0
            return (1...max(1, count)).contains(change.number) ? nil : "number"
        default: return nil
        }
    }
}
