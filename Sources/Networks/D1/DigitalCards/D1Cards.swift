import Core
import Masking
import Wire

/// Finds the cards and digital cards that a session may use.
extension View {
    /// The consumer's card, active; else the check that says why not.
    ///
    /// - Parameter wanted: the issuer, when two of the session's have a card of that id.
    func d1Card(
        _ cardID: String,
        _ session: D1Session,
        issuerID wanted: String? = nil
    ) throws -> (card: Card?, checks: [Check]) {
        let name = "card"
        var others: [Card] = []
        for member in session.members where wanted == nil || member.issuerID == wanted {
            guard let card = try card(issuerID: member.issuerID, reference: cardID), let owner = card.consumerID else {
                continue
            }
            guard member.consumerIDs.contains(owner) else {
                others.append(card)
                continue
            }
            let evidence = "\(member.issuerID)/\(owner)"
            guard try consumer(issuerID: member.issuerID, consumerID: owner)?.state == .active else {
                return (nil, [.failed("consumer.state", D1Fault.consumerNotActive, evidence: evidence)])
            }
            guard card.state == .active else {
                let evidence = "\(card.reference) is \(card.state.rawValue)"
                return (nil, [.failed("card.state", D1Fault.cardNotActive, evidence: evidence)])
            }
            return (card, [.passed(name, evidence: evidence)])
        }
        if let other = others.first {
            return (nil, [.failed(name, D1Fault.cardOfOther, evidence: "\(other.issuerID)/\(other.reference)")])
        }
        return (nil, [.failed(name, D1Fault.cardUnknown, evidence: Masking.excerpt(cardID, 48))])
    }

    /// The token behind a digital card of the session's consumers, and its card.
    func digitalCard(
        _ tokenID: String,
        _ session: D1Session
    ) throws -> (token: Token?, card: Card?, check: Check) {
        let evidence = Masking.excerpt(tokenID, 64)
        guard let token = try store.record(Token.self, tokenID),
            let card = try store.record(Card.self, token.cardRecordID)
        else { return (nil, nil, .failed("digitalCard", D1Fault.digitalCardUnknown, evidence: evidence)) }
        guard let owner = card.consumerID, session.covers(issuerID: token.issuerID, consumerID: owner) else {
            return (nil, nil, .failed("digitalCard", D1Fault.digitalCardOfOther, evidence: evidence))
        }
        return (token, card, .passed("digitalCard"))
    }

    /// `cardDigitizationState`, in the order of thales-push-provisioning 4.1: what waits for activation comes first, and
    /// `digitized` means on the phone and, where one is paired, on the watch.
    func d1DigitizationState(of card: Card, in library: PassLibrary, hasWatch: Bool) -> D1DigitizationState {
        let isOfCard = { (pass: PassView) in
            pass.card.primaryAccountIdentifier == card.primaryAccountIdentifier
        }
        let (local, remote) = (library.local.filter(isOfCard), library.remote.filter(isOfCard))
        if local.contains(where: { $0.token.state == .inactive }) { return .pendingIDVLocal }
        if remote.contains(where: { $0.token.state == .inactive }) { return .pendingIDVRemote }
        if local.isEmpty || (remote.isEmpty && hasWatch) { return .notDigitized }
        return .digitized
    }
}

/// `CardDigitizationState` of the iOS SDK.
enum D1DigitizationState: String, Sendable, CaseIterable {
    case notDigitized
    case digitized
    case pendingIDVLocal
    case pendingIDVRemote
}

extension World {
    /// Activates what waits for it of a card on the session's device, or else on one paired with it.
    ///
    /// - Returns: the token that became active; nil when none was waiting.
    func activateDigitalCard(of card: Card, _ session: D1Session) throws -> Token? {
        guard let device = try store.record(Device.self, session.deviceID) else { return nil }
        let places = [device.deviceID] + (try view.pairedDevices(of: device).map(\.deviceID))
        let waiting = try view.liveTokens(of: card).filter { $0.state == .inactive }
        for place in places {
            guard var token = waiting.first(where: { $0.deviceID == place }) else { continue }
            guard try apply(.activate, to: &token, by: .issuer, reason: "D1 activateDigitalCard") == nil else {
                continue
            }
            return token
        }
        return nil
    }
}
