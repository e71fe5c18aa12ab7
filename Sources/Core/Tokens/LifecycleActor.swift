/// Who asks for a change of a token. The first three are the suspenders of CONTRACT section 1.
package enum LifecycleActor: String, Sendable, CaseIterable, Hashable {
    case issuer
    /// The token requestor, here the wallet provider.
    case requestor
    case cardholder
    /// The network itself, through the control API only.
    case network
}
