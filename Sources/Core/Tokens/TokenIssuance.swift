import Wire

/// Makes tokens and finds those a request means.
extension View {
    /// The card's token on the device that is not deleted.
    package func liveToken(of card: Card, on deviceID: String) throws -> Token? {
        try liveTokens(on: deviceID).first { token in
            guard token.issuerID == card.issuerID else { return false }
            if token.cardRecordID == card.recordID { return true }
            // Two references of one number are one card to the wallet.
            let other = try store.record(Card.self, token.cardRecordID)
            return other?.primaryAccountIdentifier == card.primaryAccountIdentifier
        }
    }

    /// The issuer's metadata for the network, empty when none was put.
    package func passMetadata(issuerID: String, network: PaymentNetwork) throws -> PassMetadata {
        let id = PassMetadata.recordID(issuerID: issuerID, network: network)
        return try store.record(PassMetadata.self, id) ?? PassMetadata(issuerID: issuerID, network: network)
    }
}

extension World {
    /// Makes a token of the card on the device, with its number in the vault and its pass.
    package func issueToken(
        of card: Card,
        on device: Device,
        state: TokenState,
        sessionNonce: [UInt8],
        tokenID wanted: String? = nil
    ) throws -> Token {
        let number = try unusedTokenNumber(card.network)
        let token = Token(
            tokenID: try wanted ?? unusedTokenID(card.network),
            network: card.network,
            issuerID: card.issuerID,
            cardReference: card.reference,
            deviceID: device.deviceID,
            serialNumber: try serialNumber(of: card, on: device),
            suffix: String(number.suffix(4)),
            expiry: card.expiry,
            sessionNonce: sessionNonce,
            metadata: try view.passMetadata(issuerID: card.issuerID, network: card.network),
            state: state,
            at: now
        )
        try store.put(token)
        try store.setNumber(number, of: token.vaultOwner)
        if state == .inactive {
            try plan(.expireToken(token.tokenID), at: now.adding(seconds: Token.activationPeriodSeconds))
        }
        try notifyDigitized(token, card: card)
        return token
    }

    /// Applies an event and stores the token. Nothing changes when the life cycle refuses.
    package func apply(
        _ event: TokenEvent,
        to token: inout Token,
        by actor: LifecycleActor,
        reason: String? = nil
    ) throws -> LifecycleFault? {
        do throws(LifecycleFault) {
            try token.apply(event, by: actor, reason: reason, at: now)
        } catch {
            return error
        }
        if event == .activate { token.lockedMethods = [] }
        let isSuspendedAtOnce = try event == .activate && suspendWhenLost(&token)
        // A code for a token that no longer waits is good for nothing.
        if token.state != .inactive { try store.remove(ActivationCode.self, token.tokenID) }
        try store.put(token)
        try notifyChanged(token, event)
        if isSuspendedAtOnce { try notifyChanged(token, .suspend) }
        return nil
    }

    /// A token that waited while its device was lost does not become usable there: it joins the others.
    private func suspendWhenLost(_ token: inout Token) throws -> Bool {
        guard let device = try store.record(Device.self, token.deviceID), device.isLost else { return false }
        do throws(LifecycleFault) {
            try token.apply(.suspend, by: .requestor, reason: "lost mode", at: now)
        } catch {
            return false
        }
        return true
    }

    /// A phone and its watches show one card under one serial number, so that the verification link is the same.
    private func serialNumber(of card: Card, on device: Device) throws -> String {
        let paired = try view.pairedDevices(of: device)
        // Two watches of one phone are not paired with each other.
        for other in try paired + paired.flatMap({ try view.pairedDevices(of: $0) })
        where other.deviceID != device.deviceID {
            if let token = try view.liveToken(of: card, on: other.deviceID) { return token.serialNumber }
        }
        return try unused(Identifiers.serialNumber) { try !store.records(Token.self, "serial", $0).isEmpty }
    }

    private func unusedTokenID(_ network: PaymentNetwork) throws -> String {
        try unused({ Identifiers.tokenID(network, &$0) }) { try store.record(Token.self, $0) != nil }
    }

    private func unusedTokenNumber(_ network: PaymentNetwork) throws -> String {
        try unused({ Identifiers.tokenNumber(network, &$0) }) { try !store.owners(ofNumber: $0).isEmpty }
    }
}

extension View {
    /// Every token of the issuer's card with this number at the network, in order of creation.
    package func tokens(ofNumber pan: PAN, issuerID: String, network: PaymentNetwork) throws -> [Token] {
        try cards(withNumber: pan).filter { $0.issuerID == issuerID }
            .flatMap { try store.records(Token.self, "card", $0.recordID) }
            .filter { $0.network == network }
    }
}

extension World {
    /// Stamps today's metadata on the passes of an issuer at a network, or on one of them.
    ///
    /// - Returns: how many passes have it now.
    package func applyPassMetadata(issuerID: String, network: PaymentNetwork, tokenID: String?) throws -> Int {
        let metadata = try view.passMetadata(issuerID: issuerID, network: network)
        var updated = 0
        for var token in try store.records(Token.self, "issuer", issuerID)
        where token.network == network && token.state != .deleted && (tokenID == nil || token.tokenID == tokenID) {
            token.metadata = metadata
            try store.put(token)
            updated += 1
        }
        return updated
    }
}
