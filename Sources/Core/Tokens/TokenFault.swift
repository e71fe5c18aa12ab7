import Masking
package import Wire

/// Why a token id leads to no token of the one who asks.
package enum TokenFault: String, DiagnosisSubject {
    case unknown = "TOKEN_UNKNOWN"
    case otherIssuer = "TOKEN_OF_OTHER_ISSUER"
    case otherScheme = "TOKEN_OF_OTHER_SCHEME"
}

extension TokenFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .unknown: (.unknownToken, "There is no such token.", "Use the pass's deviceAccountIdentifier.")
        case .otherIssuer:
            (.unknownToken, "The token belongs to another issuer.", "Use the issuerId that owns the card.")
        case .otherScheme: (.unknownToken, "The token is one of another scheme.", "Send the scheme of the token.")
        }
    }
}

extension View {
    /// The token, when it is the issuer's and the network's; else the check that says why not.
    package func token(
        _ tokenID: String,
        issuerID: String?,
        network: PaymentNetwork?
    ) throws -> (token: Token?, check: Check) {
        guard let token = try store.record(Token.self, tokenID) else {
            return (nil, .failed("token.known", TokenFault.unknown, evidence: Masking.excerpt(tokenID, 64)))
        }
        if let issuerID, token.issuerID != issuerID {
            return (nil, .failed("token.issuer", TokenFault.otherIssuer, evidence: Masking.excerpt(tokenID, 64)))
        }
        if let network, token.network != network {
            let evidence = "the token is \(token.network.scheme), asked for \(network.scheme)"
            return (nil, .failed("token.scheme", TokenFault.otherScheme, evidence: evidence))
        }
        return (token, .passed("token.known"))
    }

    /// The refusal of an event, with the one special case that an app must tell apart: the token that is meant may be
    /// on the other device.
    package func lifecycleFault(
        of token: Token,
        _ event: TokenEvent,
        by actor: LifecycleActor
    ) throws -> LifecycleFault? {
        var lifecycle = token.lifecycle
        do throws(LifecycleFault) {
            try lifecycle.apply(event, by: actor)
            return nil
        } catch {
            guard error == .alreadyInState, event == .activate else { return error }
            let others = try store.records(Token.self, "card", token.cardRecordID)
            return others.contains { $0.state == .inactive } ? .otherDevicePending : error
        }
    }
}
