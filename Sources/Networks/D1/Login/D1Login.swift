package import Core
package import Wire

/// Who logs in, and where.
package struct D1Caller: Sendable, Equatable {
    let deviceID: String
    let application: Application
    let context: D1Context

    init(deviceID: String, application: Application, context: D1Context) {
        self.deviceID = deviceID
        self.application = application
        self.context = context
    }
}

extension View {
    /// What only the store can say about the tokens of a login: consumers, `jti`, client binding.
    ///
    /// - Parameters:
    ///   - tokens: each with the name its checks begin with.
    ///   - caller: nil when nobody logs in; then a binding may be of any device and context.
    package func loginChecks(_ tokens: [(field: String, token: IssuerToken)], _ caller: D1Caller?) throws -> [Check] {
        var checks: [Check] = []
        for (field, token) in tokens {
            guard let issuer = try store.record(Issuer.self, token.issuerID) else { continue }
            for consumerID in token.consumerIDs {
                checks.append(try consumerCheck(consumerID, issuerID: issuer.issuerID, name: "\(field).sub"))
            }
            if let identifier = token.identifier {
                checks.append(
                    try isSpent(scope: issuer.issuerID, identifier: identifier)
                        ? .failed("\(field).jti", AuthorizationCodeFault.replayed)
                        : .passed("\(field).jti", evidence: "not used before")
                )
            }
            checks.append(
                try bindingCheck(
                    token,
                    policy: issuer.policies.binding,
                    deviceID: caller?.deviceID,
                    context: caller?.context,
                    field: field
                )
            )
        }
        return checks
    }

    private func consumerCheck(_ consumerID: String, issuerID: String, name: String) throws -> Check {
        guard let consumer = try consumer(issuerID: issuerID, consumerID: consumerID) else {
            return .failed(name, IssuerTokenFault.consumerUnknown, evidence: consumerID)
        }
        guard consumer.state == .active else {
            return .failed("consumer.state", D1Fault.consumerNotActive, evidence: consumerID)
        }
        return .passed("consumer.state", evidence: consumerID)
    }

    /// The open session of a token, or the check that says why there is none.
    func d1Session(_ token: String) throws -> (session: D1Session?, check: Check) {
        guard let session = try store.record(D1Session.self, GivenSecret.recordID(token)) else {
            return (nil, .failed("session", D1Fault.sessionUnknown))
        }
        guard now < session.expiresAt else {
            let evidence = "until \(RFC3339.format(session.expiresAt))"
            return (nil, .failed("session", D1Fault.sessionExpired, evidence: evidence))
        }
        return (session, .passed("session"))
    }
}

extension World {
    /// Opens a session, and spends the `jti` and the binding of each token. The checks were made before.
    func logIn(_ tokens: [IssuerToken], _ caller: D1Caller) throws -> (token: String, session: D1Session) {
        try removeStale(D1Session.self)
        for token in tokens {
            if let identifier = token.identifier {
                try spend(scope: token.issuerID, identifier: identifier, until: token.usableUntil)
            }
            let policy = try store.record(Issuer.self, token.issuerID)?.policies.binding
            if policy != .off, let value = token.binding?.string,
                var binding = try store.record(BindingHash.self, GivenSecret.recordID(value))
            {
                binding.isSpent = true
                try store.put(binding)
            }
        }
        let secret = try unusedSecret(D1Session.self)
        let session = D1Session(
            token: secret,
            deviceID: caller.deviceID,
            application: caller.application.identifier,
            context: caller.context,
            members: tokens.map { D1Session.Member(issuerID: $0.issuerID, consumerIDs: $0.consumerIDs) },
            expiresAt: now.adding(seconds: D1Session.lifeSeconds)
        )
        try store.put(session)
        return (secret, session)
    }
}
