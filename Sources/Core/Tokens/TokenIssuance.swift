import Wire

/// Makes tokens and changes them.
extension World {
    /// Makes a token of the card on the device for Apple's wallet, and its pass.
    package func issuePass(
        of card: Card,
        on device: Device,
        state: TokenState,
        sessionNonce: [UInt8],
        tokenID: String? = nil
    ) throws -> PassView {
        let requestorID = TokenRequestor.appleID(at: card.network)
        let token = try makeToken(of: card, requestorID, .device(device.deviceID), state, tokenID)
        let pass = Pass(
            tokenID: token.tokenID,
            serialNumber: try serialNumber(of: card, on: device),
            sessionNonce: sessionNonce,
            metadata: try view.passMetadata(issuerID: card.issuerID, network: card.network)
        )
        try store.put(pass)
        try tell(.tokenMade(token, card: card))
        return PassView(token: token, pass: pass, card: card, device: device, isRemote: false, in: view)
    }

    /// Makes a token of the card for a requestor that has no passes.
    ///
    /// - Parameter requestorID: the requestor's id at the card's network.
    package func issueToken(
        of card: Card,
        requestorID: String,
        holder: Token.Holder,
        state: TokenState,
        tokenID: String? = nil
    ) throws -> Token {
        let token = try makeToken(of: card, requestorID, holder, state, tokenID)
        try tell(.tokenMade(token, card: card))
        return token
    }

    /// A token with its number in the vault and the first line of its history.
    private func makeToken(
        of card: Card,
        _ requestorID: String,
        _ holder: Token.Holder,
        _ state: TokenState,
        _ wanted: String?
    ) throws -> Token {
        let number = try unusedTokenNumber(card.network)
        let token = Token(
            tokenID: try wanted ?? unusedTokenID(card.network),
            network: card.network,
            issuerID: card.issuerID,
            cardReference: card.reference,
            tokenRequestorID: requestorID,
            holder: holder,
            suffix: String(number.suffix(4)),
            expiry: card.expiry,
            state: state,
            at: now
        )
        try store.put(token)
        try store.add(TokenChange(creating: token))
        try store.setNumber(number, of: token.vaultOwner)
        if state == .inactive {
            try plan(.expireToken(token.tokenID), at: now.adding(seconds: Token.activationPeriodSeconds))
        }
        return token
    }

    /// Applies an event and stores the token. Nothing changes when the life cycle refuses.
    package func apply(
        _ event: TokenEvent,
        to token: inout Token,
        by actor: LifecycleActor,
        reason: String? = nil
    ) throws -> LifecycleFault? {
        let change: TokenChange
        do throws(LifecycleFault) {
            change = try token.apply(event, by: actor, reason: reason, at: now)
        } catch {
            return error
        }
        try store.add(change)
        let isSuspendedAtOnce = try event == .activate && suspendWhenLost(&token)
        // A code for a token that no longer waits is good for nothing.
        if change.from == .inactive { try store.remove(ActivationCode.self, token.tokenID) }
        try store.put(token)
        try tell(.tokenChanged(token, event))
        if isSuspendedAtOnce { try tell(.tokenChanged(token, .suspend)) }
        return nil
    }

    /// A token that waited while its device was lost does not become usable there: it joins the others.
    private func suspendWhenLost(_ token: inout Token) throws -> Bool {
        guard let id = token.deviceID, try store.record(Device.self, id)?.isLost == true else { return false }
        let change: TokenChange
        do throws(LifecycleFault) {
            change = try token.apply(.suspend, by: .requestor, reason: "lost mode", at: now)
        } catch {
            return false
        }
        try store.add(change)
        return true
    }

    /// A phone and its watches show one card under one serial number, so that the verification link is the same.
    private func serialNumber(of card: Card, on device: Device) throws -> String {
        let paired = try view.pairedDevices(of: device)
        // Two watches of one phone are not paired with each other.
        for other in try paired + paired.flatMap({ try view.pairedDevices(of: $0) })
        where other.deviceID != device.deviceID {
            if let pass = try view.livePass(of: card, on: other) { return pass.serialNumber }
        }
        return try unused(Identifiers.serialNumber) { try !store.records(Pass.self, "serial", $0).isEmpty }
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
