package import Wire

extension Token {
    package var document: JSON {
        [
            "tokenId": .string(tokenID), "network": .string(network.rawValue), "issuerId": .string(issuerID),
            "cardReference": .string(cardReference), "deviceId": .string(deviceID),
            "serialNumber": .string(serialNumber), "suffix": .string(suffix), "expiry": .string(expiry.mmyy),
            "createdAt": .instant(createdAt), "sessionNonce": .base64(sessionNonce), "metadata": metadata.document,
            "state": .string(state.rawValue), "suspenders": .strings(suspenders.map(\.rawValue)),
            "history": .array(history.map(\.document)), "lockedMethods": .strings(lockedMethods),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Token.kind, document)
        guard let expiry = try? CardExpiry(mmyy: try reader.string("expiry")) else {
            throw RecordFault(kind: Token.kind, member: "expiry")
        }
        var history: [Change] = []
        for item in try reader.array("history") { history.append(try Change(document: item)) }
        try self.init(
            restoring: reader,
            network: reader.word("network", PaymentNetwork.self),
            expiry: expiry,
            metadata: PassMetadata(document: reader.value("metadata") ?? .null),
            lifecycle: TokenLifecycle(
                state: reader.word("state", TokenState.self),
                suspenders: reader.words("suspenders", LifecycleActor.self)
            ),
            history: history
        )
    }
}

extension Token.Change {
    package var document: JSON {
        [
            "at": .instant(at), "event": .string(event), "by": .string(by.rawValue), "reason": .optional(reason),
            "from": .optional(from?.rawValue), "to": .string(to.rawValue),
        ]
    }

    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader("token.history", document)
        at = try reader.instant("at")
        event = try reader.string("event")
        by = try reader.word("by", LifecycleActor.self)
        reason = try reader.optionalString("reason")
        from = try reader.optionalWord("from", TokenState.self)
        to = try reader.word("to", TokenState.self)
    }
}
