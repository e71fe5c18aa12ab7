package import Wire

extension View {
    /// What only the store can say about a provisioning request: whether its code was used, and whether the card
    /// reference stands for another number.
    package func provisioningChecks(issuerID: String, card: CardData?, code: AuthorizationCode?) throws -> [Check] {
        var checks: [Check] = []
        if let code { checks.append(contentsOf: try replayChecks(issuerID: issuerID, code: code)) }
        if let card, let known = try self.card(issuerID: issuerID, reference: card.reference) {
            if try store.number(of: known.vaultOwner) == card.pan.digits {
                checks.append(.passed("card.reference"))
            } else {
                checks.append(.failed("card.reference", CardFault.cardReferenceConflict))
            }
        }
        return checks
    }

    /// Whether the code's `jti` was used by a request that was committed.
    package func replayChecks(issuerID: String, code: AuthorizationCode) throws -> [Check] {
        guard let identifier = code.identifier else { return [] }
        if try isSpent(scope: issuerID, identifier: identifier) {
            return [.failed("authorizationCode.jti", AuthorizationCodeFault.replayed)]
        }
        return [.passed("authorizationCode.jti", evidence: "not used before")]
    }
}

extension World {
    /// Spends the code of a request that goes through.
    package func spend(_ code: AuthorizationCode, issuerID: String) throws {
        guard let identifier = code.identifier else { return }
        try spend(scope: issuerID, identifier: identifier, until: code.usableUntil)
    }
}
