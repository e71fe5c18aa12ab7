package import Core
package import Wire

/// Something of a request that a network refuses when it comes twice: a nonce, or the `jti` of a token. A caller stage hands
/// it to the exchange; it is spent in the transaction of the change that the request asks for, or after an answer that
/// changes nothing, so that a request that was refused may be sent again.
package struct SingleUse: Sendable {
    /// Who must not send it twice, for example `mastercard/<consumer key>`.
    package let scope: String
    package let value: String
    /// Until then it is remembered; after that the request would be refused anyway.
    package let until: Instant
    /// What refuses the second request; a failed check.
    package let used: Check

    package init(scope: String, value: String, until: Instant, used: Check) {
        self.scope = scope
        self.value = value
        self.until = until
        self.used = used
    }
}

extension World {
    /// Spends what may come once.
    ///
    /// - Returns: what refuses the request, because it came before.
    package func spend(_ uses: [SingleUse]) throws -> [Check] {
        var checks: [Check] = []
        for use in uses {
            if try view.isSpent(scope: use.scope, identifier: use.value) {
                checks.append(use.used)
            } else {
                try spend(scope: use.scope, identifier: use.value, until: use.until)
            }
        }
        return checks
    }
}
