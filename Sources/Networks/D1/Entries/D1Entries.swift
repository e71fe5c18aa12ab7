import Core
import Wire

/// A card that the Wallet extension offers: `PKIssuerProvisioningExtensionPaymentPassEntry`.
struct D1Entry: Sendable {
    let issuerID: String
    let consumerID: String
    let params: D1Configuration.CardParams
    /// Base64 of a PNG or PDF.
    let art: String
    let card: Card
    /// The FPAN id, once the card is on one of the paired devices.
    let primaryAccountIdentifier: String?
}

/// The entries of one list, and why they are not more.
struct D1Offer: Sendable {
    var entries: [D1Entry] = []
    /// One failed check for each card that is left out, and for each pass that should hide a card and does not.
    var reasons: [Check] = []
}

/// Which list of entries is meant.
enum D1EntryList: Sendable, CaseIterable {
    /// For the phone itself.
    case local
    /// For the watch that is paired with it.
    case remote
}

extension View {
    /// The entries of a list for an open session. A check that failed refuses the whole list.
    func d1Entries(_ list: D1EntryList, _ access: D1Access) throws -> Checked<D1Offer> {
        let session = access.session
        guard let device = try store.record(Device.self, session.deviceID) else {
            return Checked(value: nil, checks: [.failed("device", D1Fault.deviceUnknown)])
        }
        var (application, checks) = try walletExtension(of: access.application)
        guard application.isEntitled else {
            let evidence = application.identifier
            checks.append(.failed("application.entitled", D1Fault.applicationNotEntitled, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        let found = try d1Configuration(deviceID: session.deviceID, application: application)
        guard let configuration = found.configuration else {
            return Checked(value: nil, checks: checks + [found.check])
        }
        var offer = D1Offer()
        if list == .remote, try !hasWatch(device) {
            offer.reasons.append(.failed("entries.watch", D1Fault.noWatch))
            return Checked(value: offer, checks: checks)
        }
        let library = try passLibrary(of: device, application: application.identifier)
        let passes = list == .local ? library.local : library.remote
        offer.reasons += D1Offer.unseen(library, application)
        for member in configuration.issuers {
            let who = "\(member.issuerID)/\(member.consumerID)"
            guard session.covers(issuerID: member.issuerID, consumerID: member.consumerID) else {
                offer.reasons.append(session.reason(leavingOut: member))
                continue
            }
            guard let consumer = try consumer(issuerID: member.issuerID, consumerID: member.consumerID),
                consumer.state == .active
            else {
                checks.append(.failed("consumer.state", D1Fault.consumerNotActive, evidence: who))
                continue
            }
            for params in member.cards {
                guard let card = try card(issuerID: member.issuerID, reference: params.cardID),
                    card.consumerID == member.consumerID
                else {
                    let evidence = "\(who)/\(params.cardID)"
                    checks.append(.failed("entries.card", D1Fault.entryCardInvalid, evidence: evidence))
                    continue
                }
                let state = try state(of: card)
                guard state == .active else {
                    let evidence = "it is \(state.rawValue)"
                    offer.reasons.append(
                        .failed("entries.\(params.cardID)", D1Fault.cardNotActive, evidence: evidence)
                    )
                    continue
                }
                checks.append(contentsOf: D1Presence.warnings(params, card: card, by: passes))
                if let pass = D1Presence.pass(hiding: params, card: card, among: passes) {
                    offer.reasons.append(D1Presence.reason(params, card: card, hiddenBy: pass))
                    continue
                }
                offer.entries.append(
                    D1Entry(
                        issuerID: member.issuerID,
                        consumerID: member.consumerID,
                        params: params,
                        art: try store.record(D1CardArt.self, configuration.artID(of: params, member))?.text ?? "",
                        card: card,
                        primaryAccountIdentifier: library.visible.lazy.map(\.card.primaryAccountIdentifier)
                            .first { $0 == card.primaryAccountIdentifier }
                    )
                )
            }
        }
        return Checked(value: offer, checks: checks)
    }
}

extension D1Offer {
    /// Says when a pass is there and the extension cannot see it: its bundle id is missing in the pass metadata.
    static func unseen(_ library: PassLibrary, _ application: Application) -> [Check] {
        var hidden = PassLibrary()
        hidden.hidden = library.hidden
        return hidden.hidden.isEmpty
            ? [] : [VisibilityFault.check(of: hidden, application: application.identifier)].compactMap(\.self)
    }
}

extension D1Session {
    /// Why the configured cards of an issuer's consumer are not offered.
    fileprivate func reason(leavingOut member: D1Configuration.IssuerParams) -> Check {
        let who = "\(member.issuerID)/\(member.consumerID)"
        guard let own = members.first(where: { $0.issuerID == member.issuerID }) else {
            return .failed("entries.session", D1Fault.issuerNotLoggedIn, evidence: who)
        }
        let evidence = "\(who); logged in is \(own.consumerIDs.joined(separator: ", "))"
        return .failed("entries.session", D1Fault.consumerNotLoggedIn, evidence: evidence)
    }
}
