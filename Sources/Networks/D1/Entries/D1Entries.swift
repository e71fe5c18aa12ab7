import Core
import Wire

/// A card that the Wallet extension offers: `PKIssuerProvisioningExtensionPaymentPassEntry`.
struct D1Entry: Sendable {
    let issuerID: String
    let consumerID: String
    let params: D1Configuration.CardParams
    let card: Card
    /// The FPAN id, once the card is on one of the paired devices.
    let primaryAccountIdentifier: String?
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
    func d1Entries(
        _ list: D1EntryList,
        of configuration: D1Configuration,
        session: D1Session,
        application: Application
    ) throws -> Checked<[D1Entry]> {
        guard let device = try store.record(Device.self, session.deviceID) else {
            return Checked(value: nil, checks: [.failed("device", D1Fault.deviceUnknown)])
        }
        guard application.isEntitled else {
            let evidence = application.identifier
            return Checked(
                value: nil,
                checks: [.failed("application.entitled", D1Fault.applicationNotEntitled, evidence: evidence)]
            )
        }
        if list == .remote, try !hasWatch(device) {
            return Checked(value: [], checks: [.warning("entries.watch", D1Fault.noWatch)])
        }
        let library = try passLibrary(of: device, application: application.identifier)
        let passes = list == .local ? library.local : library.remote
        var entries: [D1Entry] = []
        var checks = hiddenRemarks(library, application)
        for member in configuration.issuers {
            let who = "\(member.issuerID)/\(member.consumerID)"
            guard session.covers(issuerID: member.issuerID, consumerID: member.consumerID) else {
                checks.append(.warning("entries.session", D1Fault.issuerNotLoggedIn, evidence: who))
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
                guard card.state == .active else {
                    let evidence = "\(params.cardID) is \(card.state.rawValue)"
                    checks.append(Check.failed("entries.card", D1Fault.cardNotActive, evidence: evidence).asRemark)
                    continue
                }
                checks.append(contentsOf: D1Presence.warnings(params, card: card, by: passes))
                guard !D1Presence.isHidden(params, card: card, by: passes) else { continue }
                entries.append(
                    D1Entry(
                        issuerID: member.issuerID,
                        consumerID: member.consumerID,
                        params: params,
                        card: card,
                        primaryAccountIdentifier: library.visible.lazy.map(\.card.primaryAccountIdentifier)
                            .first { $0 == card.primaryAccountIdentifier }
                    )
                )
            }
        }
        return Checked(value: entries, checks: checks)
    }

    /// Says when a pass is there and the extension cannot see it: its bundle id is missing in the pass metadata.
    private func hiddenRemarks(_ library: PassLibrary, _ application: Application) -> [Check] {
        guard !library.hidden.isEmpty else { return [] }
        var hidden = PassLibrary()
        hidden.hidden = library.hidden
        return VisibilityFault.check(of: hidden, application: application.identifier).map { [$0.asRemark] } ?? []
    }
}
