package import Wire

extension View {
    /// Says so when a nonce that is not the session's is one that another session was given; nil for any other.
    package func replayCheck(ofNonce nonce: [UInt8], in session: ProvisioningSession) throws -> Check? {
        guard nonce != session.nonce,
            let other = try store.records(ProvisioningSession.self, "nonce", Hex.encode(nonce)).first
        else { return nil }
        let evidence = other.tokenID == nil ? "of another open session" : "of a session that was used"
        return .failed("passData.nonce", PassContentFault.nonceReplay, evidence: evidence)
    }
}
