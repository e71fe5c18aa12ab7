/// What records say of each other.
extension WorldReader {
    /// Every record that another one cannot do without is there. What may outlive the thing it names is not looked at:
    /// a consumer or a device can be removed, and an issuer without cards.
    func checkReferences() throws(WorldRefusal) {
        try forEachRecord { (record, pointer) throws(WorldRefusal) in
            guard let member = missing(of: record) else { return }
            throw WorldRefusal(.referenceUnknown, "\(pointer)/document/\(member)")
        }
    }

    /// The first member that names a record that there is not.
    private func missing(of record: any Record) -> String? {
        switch record {
        case let card as Card: return has(Issuer.self, card.issuerID) ? nil : "issuerId"
        case let token as Token:
            guard has(Issuer.self, token.issuerID) else { return "issuerId" }
            guard has(Card.self, token.cardRecordID) else { return "cardReference" }
            // A device that is wiped deletes its tokens and goes.
            return token.state == .deleted || has(Device.self, token.deviceID) ? nil : "deviceId"
        case let session as ProvisioningSession:
            return session.tokenID.map { has(Token.self, $0) } ?? true ? nil : "tokenId"
        case let code as ActivationCode: return has(Token.self, code.tokenID) ? nil : "tokenId"
        case let details as D1CardDetails: return has(Card.self, details.recordID) ? nil : "card"
        default: return nil
        }
    }
}
