package import Wire

/// The card as an issuer's encrypted payload describes it (thales-push-provisioning 3.1).
package struct CardData: Sendable, Equatable {
    /// The issuer's own name of the card, `issuerCardRefId`.
    package var reference: String
    /// The number of the card; never printed whole.
    package var pan: PAN
    /// The month in which the card ends.
    package var expiry: CardExpiry
    /// The cardholder's name as it was sent.
    package var holderName: String
    /// Where an SMS would go; nil when the payload does not say.
    package var phone: String?
    /// Where a mail would go; nil when the payload does not say.
    package var email: String?

    /// Made of its members.
    package init(
        reference: String,
        pan: PAN,
        expiry: CardExpiry,
        holderName: String,
        phone: String? = nil,
        email: String? = nil
    ) {
        self.reference = reference
        self.pan = pan
        self.expiry = expiry
        self.holderName = holderName
        self.phone = phone
        self.email = email
    }
}

/// The rules a card number must keep, whichever face it came through.
package struct CardNumberRules: Sendable {
    /// Which numbers may come in.
    package let policy: PANPolicy
    /// How strictly documents are read.
    package let strictness: Strictness
    /// The tenant's time, for what looks swapped in an expiry; nil where no request is judged.
    package let now: Instant?

    /// Made of its members.
    package init(policy: PANPolicy, strictness: Strictness, now: Instant? = nil) {
        self.policy = policy
        self.strictness = strictness
        self.now = now
    }

    /// What is odd about an expiry that can be read: one that is over and could be YYMM as well. Nil for any other.
    package func orderCheck(of expiry: CardExpiry, subject: String) -> Check? {
        let year = expiry.year % 100
        guard let now, (1...12).contains(year), year != expiry.month, expiry.isOver(at: now) else { return nil }
        let evidence = "\(expiry.mmyy) is over as MMYY; as YYMM it would be month \(year) of 20\(expiry.mmyy.prefix(2))"
        return strictness == .strict
            ? .failed(subject, CardFault.expiryOrder, evidence: evidence)
            : .warning(subject, CardFault.expiryOrder, evidence: evidence)
    }

    /// Checks a number against the network it is said to be of. Evidence holds lengths and last digits only.
    package func checks(of pan: PAN, network: PaymentNetwork?, subject: String) -> [Check] {
        var checks: [Check] = []
        let actual = PaymentNetwork(pan: pan.digits)
        if let actual {
            let length = pan.digits.utf8.count
            if actual.panLengths.contains(length) {
                checks.append(.passed("\(subject).length"))
            } else {
                checks.append(
                    .failed("\(subject).length", CardFault.panLength, evidence: "\(length) digits, \(actual.scheme)")
                )
            }
            if let network, network != actual {
                checks.append(
                    .failed(
                        "\(subject).network",
                        CardFault.networkMismatch,
                        evidence: "asked for \(network.scheme), the number is \(actual.scheme)"
                    )
                )
            }
        } else {
            checks.append(.failed("\(subject).network", CardFault.networkUnknown, evidence: "ends in \(pan.suffix)"))
        }
        if pan.isLuhnValid {
            checks.append(.passed("\(subject).luhn"))
        } else if strictness == .strict {
            checks.append(.failed("\(subject).luhn", CardFault.panLuhn, evidence: "ends in \(pan.suffix)"))
        } else {
            checks.append(.warning("\(subject).luhn", CardFault.panLuhn, evidence: "ends in \(pan.suffix)"))
        }
        if policy.allows(pan) {
            checks.append(.passed("\(subject).testNumber"))
        } else {
            checks.append(.failed("\(subject).testNumber", CardFault.panNotTest, evidence: "ends in \(pan.suffix)"))
        }
        return checks
    }

    /// The rules for a number whose issuer is not known yet. The check digit, which strictness decides, is only warned
    /// about: ``View/checkDigitCheck(of:tenant:subject:)`` judges it when the number has been read.
    package static func beforeIssuer(_ policy: PANPolicy) -> CardNumberRules {
        CardNumberRules(policy: policy, strictness: .documented)
    }
}
