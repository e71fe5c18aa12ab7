import Crypto
package import Wire

/// A one-time code that was sent to the cardholder. The control API's inbox shows it.
package struct ActivationCode: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "activationCode"
    /// Life in seconds (CONTRACT, section 3).
    package static let lifeSeconds: Int64 = 1_800
    /// How often a wrong code may be typed before it is void.
    package static let attempts = 3

    /// The token that it activates.
    package let tokenID: String
    /// Id of the activation method.
    package let method: String
    /// The digits that the cardholder types.
    package let code: String
    /// From then on, by the tenant's clock, it is void.
    package let expiresAt: Instant
    /// How often a wrong code may still be typed.
    package var attemptsLeft: Int

    /// Made of its members.
    package init(
        tokenID: String,
        method: String,
        code: String,
        expiresAt: Instant,
        attemptsLeft: Int = ActivationCode.attempts
    ) {
        self.tokenID = tokenID
        self.method = method
        self.code = code
        self.expiresAt = expiresAt
        self.attemptsLeft = attemptsLeft
    }

    /// Three wrong codes closed the method.
    package var isLocked: Bool { attemptsLeft <= 0 }

    /// A token has one code at a time: a new one replaces it.
    package var recordID: String { tokenID }
    /// The records without which it makes no sense.
    package var references: [RecordReference] { [RecordReference("tokenId", Token.self, tokenID)] }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "tokenId": .string(tokenID), "method": .string(method), "code": .string(code),
            "expiresAt": .instant(expiresAt), "attemptsLeft": .number(attemptsLeft),
        ]
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(ActivationCode.kind, document)
        tokenID = try reader.string("tokenId")
        method = try reader.string("method")
        code = try reader.string("code")
        expiresAt = try reader.instant("expiresAt")
        attemptsLeft = Int(try reader.integer("attemptsLeft"))
    }
}

/// What can go wrong with an activation code.
package enum ActivationCodeFault: String, DiagnosisSubject {
    case methodUnknown = "ACTIVATION_METHOD_UNKNOWN"
    case methodHasNoCode = "ACTIVATION_METHOD_HAS_NO_CODE"
    case methodLocked = "ACTIVATION_METHOD_LOCKED"
    case notRequested = "ACTIVATION_CODE_NOT_REQUESTED"
    case wrong = "ACTIVATION_CODE_WRONG"
    case expired = "ACTIVATION_CODE_EXPIRED"
}

extension ActivationCodeFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .methodUnknown:
            (.malformed, "The pass has no such activation method.", "Use an id of the pass's activationMethods.")
        case .methodHasNoCode:
            (
                .malformed, "No code is sent by this method.",
                "Ask by SMS or EMAIL; the bank's app and customer service activate without a code."
            )
        case .methodLocked:
            (
                .activation, "Three wrong codes closed the method.",
                "Ask for a code by another method, or unlock it with the control API."
            )
        case .notRequested:
            (.activation, "No code was sent for this token.", "Ask for one first: POST …/activation-code.")
        case .wrong:
            (.activation, "The activation code is wrong.", "Read the right one at GET /v1/activation-codes?tokenId=.")
        case .expired: (.activation, "The activation code is too old.", "Ask for a new one; a code lives 30 minutes.")
        }
    }
}

extension World {
    /// Sends a new code by one of the token's methods.
    ///
    /// - Returns: nil, or the check that refuses.
    package func requestCode(for token: Token, method: String, methods: [ActivationMethod]) throws -> Check? {
        guard let chosen = methods.first(where: { $0.id == method }) else {
            let known = methods.map(\.id).joined(separator: ", ")
            return .failed("activationCode.method", ActivationCodeFault.methodUnknown, evidence: "known: \(known)")
        }
        guard chosen.kind.sendsCode else {
            return .failed("activationCode.method", ActivationCodeFault.methodHasNoCode, evidence: method)
        }
        // Asking again gives a new code and no new attempts; choosing another method is the way out of a lock.
        let before = try store.record(ActivationCode.self, token.tokenID).flatMap { $0.method == method ? $0 : nil }
        if before?.isLocked == true {
            return .failed("activationCode.method", ActivationCodeFault.methodLocked, evidence: method)
        }
        try store.put(
            ActivationCode(
                tokenID: token.tokenID,
                method: method,
                code: tenant.draws.digits(6),
                expiresAt: now.adding(seconds: ActivationCode.lifeSeconds),
                attemptsLeft: before?.attemptsLeft ?? ActivationCode.attempts
            )
        )
        return nil
    }

    /// Opens the token's activation methods again; a code that was sent has all its attempts back.
    package func unlockActivation(of token: Token) throws {
        guard var code = try store.record(ActivationCode.self, token.tokenID) else { return }
        code.attemptsLeft = ActivationCode.attempts
        try store.put(code)
    }

    /// Compares a typed code with the one sent. A wrong one costs an attempt, which is kept though the call is refused.
    ///
    /// - Returns: nil when the code is right, else the check that refuses.
    package func spendCode(_ typed: String, for token: Token) throws -> Check? {
        let name = "activationCode.value"
        guard var sent = try store.record(ActivationCode.self, token.tokenID) else {
            return .failed(name, ActivationCodeFault.notRequested)
        }
        if sent.isLocked {
            return .failed(name, ActivationCodeFault.methodLocked, evidence: sent.method)
        }
        guard now <= sent.expiresAt else {
            let times = "now \(RFC3339.format(now)), code valid until \(RFC3339.format(sent.expiresAt))"
            return .failed(name, ActivationCodeFault.expired, evidence: times)
        }
        guard ConstantTime.areEqual(typed, sent.code) else {
            sent.attemptsLeft -= 1
            try store.put(sent)
            return .failed(name, ActivationCodeFault.wrong, evidence: "\(max(0, sent.attemptsLeft)) attempts left")
        }
        try store.remove(ActivationCode.self, token.tokenID)
        return nil
    }
}
