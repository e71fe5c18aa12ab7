/// A token with what faces print beside it.
package struct TokenDetails: Sendable {
    /// The token.
    package let token: Token
    /// Nil when no device holds it, or one that was wiped.
    package let device: Device?
    /// Nil when nobody is known by its requestor id.
    package let requestor: TokenRequestor?
}

extension View {
    /// The token, its device and its requestor.
    ///
    /// - Throws: what the store throws.
    package func details(of token: Token) throws -> TokenDetails {
        TokenDetails(
            token: token,
            device: try token.deviceID.flatMap { try store.record(Device.self, $0) },
            requestor: try tokenRequestor(id: token.tokenRequestorID, network: token.network)
        )
    }
}
