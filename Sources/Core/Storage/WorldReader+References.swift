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
            guard let member = missing(of: record, changes) else { return }
            throw WorldRefusal(.referenceUnknown, "\(pointer)/document/\(member)")
        }
    }

    /// The first member that names a record that there is not.
    ///
    /// - Parameter changes: how many there are of each token.
    private func missing(of record: any Record, _ changes: [String: Int64]) -> String? {
        switch record {
        case let card as Card: return has(Issuer.self, card.issuerID) ? nil : "issuerId"
        case let token as Token:
            guard has(Issuer.self, token.issuerID) else { return "issuerId" }
            guard has(Card.self, token.cardRecordID) else { return "cardReference" }
            guard token.hasPass == has(Pass.self, token.tokenID) else { return "tokenId" }
            guard changes[token.tokenID, default: 0] == token.changes else { return "changes" }
            // A device that is wiped deletes its tokens and goes.
            guard token.state != .deleted, let id = token.deviceID else { return nil }
            return has(Device.self, id) ? nil : "deviceId"
        case let pass as Pass: return has(Token.self, pass.tokenID) ? nil : "tokenId"
        case let change as TokenChange:
            guard let token = self.record(Token.self, change.tokenID) else { return "tokenId" }
            return (1...max(1, token.changes)).contains(change.number) ? nil : "number"
        case let session as ProvisioningSession:
            return session.tokenID.map { has(Token.self, $0) } ?? true ? nil : "tokenId"
        case let code as ActivationCode: return has(Token.self, code.tokenID) ? nil : "tokenId"
        case let details as D1CardDetails: return has(Card.self, details.recordID) ? nil : "card"
        default: return nil
        }
    }
}
