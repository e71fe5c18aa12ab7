import Wire

/// A recipient of a payload that carries the name of one of our keys.
struct RecipientTrial {
    /// Most of them that are tried for one payload.
    static let limit = 16

    /// Which of the payload's recipients it is, from 1.
    let number: Int
    let info: KeyTransportRecipient
    let recipient: PayloadRecipient
    /// How its key is encrypted; set once that was judged.
    var parameters: OAEPParameters?

    /// The content key, or nil when it does not open.
    func open() throws(CryptoError) -> SecretBytes? {
        guard let parameters else { return nil }
        return try recipient.privateKey.decryptOAEP(info.encryptedKey, parameters)
    }
}

/// The recipients of ours in one payload: those that may still open it, and why the others do not.
struct RecipientTrials {
    /// All of ours, those that were refused too.
    let count: Int
    var usable: [RecipientTrial] = []
    private(set) var refusals: [Check] = []

    init(count: Int) { self.count = count }

    var hasUsable: Bool { !usable.isEmpty }

    /// Keeps why one does not open; told only when none does.
    mutating func refuse(_ check: Check) { refusals.append(check) }

    /// `evidence`, and which recipient it is about where there are several.
    func words(_ trial: RecipientTrial, _ evidence: String) -> String {
        count == 1 ? evidence : "recipient \(trial.number): \(evidence)"
    }
}
