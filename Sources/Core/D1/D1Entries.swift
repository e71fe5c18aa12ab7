import Masking
package import Wire

/// A card that the Wallet extension offers: `PKIssuerProvisioningExtensionPaymentPassEntry`.
package struct D1Entry: Sendable {
    package let issuerID: String
    package let consumerID: String
    package let params: D1Configuration.CardParams
    package let card: Card
    /// The FPAN id, once the card is on one of the paired devices.
    package let primaryAccountIdentifier: String?
}

/// Which list of entries is meant.
package enum D1EntryList: Sendable, CaseIterable {
    /// For the phone itself.
    case local
    /// For the watch that is paired with it.
    case remote
}

/// Whether a configured card is already on a device, as far as the application can tell.
enum D1Presence {
    /// With `last4` a pass of that card hides it; without, any pass does: the shared-device trap (CONTRACT, section 4).
    static func isHidden(_ params: D1Configuration.CardParams, card: Card?, by passes: [PassView]) -> Bool {
        guard let last4 = params.last4 else { return !passes.isEmpty }
        return passes.contains { pass in
            guard pass.card.panSuffix == last4 else { return false }
            guard let card else { return true }
            return pass.card.primaryAccountIdentifier == card.primaryAccountIdentifier
        }
    }

    /// A card without `last4` that any pass hides; nil when none does.
    static func sharedDeviceWarning(_ params: D1Configuration.CardParams, by passes: [PassView]) -> Check? {
        guard params.last4 == nil, let pass = passes.first else { return nil }
        let evidence = "hidden by the pass of a card that ends in \(pass.card.panSuffix)"
        return .warning("entries.\(params.cardID)", D1Fault.sharedDevice, evidence: evidence)
    }

    static func warnings(_ params: D1Configuration.CardParams, card: Card, by passes: [PassView]) -> [Check] {
        let name = "entries.\(params.cardID)"
        guard let last4 = params.last4 else { return sharedDeviceWarning(params, by: passes).map { [$0] } ?? [] }
        var warnings: [Check] = []
        if last4 != card.panSuffix { warnings.append(.warning(name, D1Fault.last4Mismatch, evidence: last4)) }
        let others = passes.filter {
            $0.card.panSuffix == last4 && $0.card.primaryAccountIdentifier != card.primaryAccountIdentifier
        }
        if !others.isEmpty { warnings.append(.warning(name, D1Fault.sharedSuffix, evidence: last4)) }
        return warnings
    }
}

extension View {
    /// The entries of a list for an open session. A check that failed refuses the whole list.
    package func d1Entries(
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

    package func hasWatch(_ device: Device) throws -> Bool {
        try pairedDevices(of: device).contains { $0.deviceKind == Device.watch }
    }
}

extension D1Session {
    package func covers(issuerID: String, consumerID: String) -> Bool {
        members.contains { $0.issuerID == issuerID && $0.consumerIDs.contains(consumerID) }
    }
}

/// `PKIssuerProvisioningExtensionStatus`, with what it depends on besides the world itself.
package struct D1ExtensionStatus: Sendable, Equatable {
    package let passEntriesAvailable: Bool
    package let remotePassEntriesAvailable: Bool
    /// When the last session ends; nil without one.
    package let sessionUntil: Instant?
    /// To tell the time without asking the store.
    package let clock: TenantClock
    /// When something planned happens to the world, which may change the answer; nil when nothing is planned.
    package let nextDueAt: Instant?
    package let remarks: [Check]

    package func requiresAuthentication(system: Instant) -> Bool {
        guard let sessionUntil else { return true }
        return clock.now(system: system) >= sessionUntil
    }

    /// True until something planned happens: then only the store knows the answer.
    package func holds(system: Instant) -> Bool {
        nextDueAt.map { clock.now(system: system) < $0 } ?? true
    }
}

extension View {
    /// What the extension says before any login: from the configuration and from what PassKit shows it.
    package func d1ExtensionStatus(
        deviceID: String,
        application identifier: String
    ) throws -> Checked<D1ExtensionStatus> {
        var failures: [Check] = []
        let device = try store.record(Device.self, deviceID)
        let application = try store.record(Application.self, identifier)
        if device == nil {
            failures.append(.failed("device", D1Fault.deviceUnknown, evidence: Masking.excerpt(deviceID, 64)))
        }
        if application == nil {
            failures.append(
                .failed("application", D1Fault.applicationUnknown, evidence: Masking.excerpt(identifier, 100))
            )
        }
        guard let device, let application else { return Checked(value: nil, checks: failures) }
        let found = try d1Configuration(deviceID: deviceID, application: application)
        guard let configuration = found.configuration else { return Checked(value: nil, checks: [found.check]) }

        var remarks = [found.check]
        if !application.isEntitled {
            remarks.append(Check.failed("application.entitled", D1Fault.applicationNotEntitled).asRemark)
        }
        let library = try passLibrary(of: device, application: application.identifier)
        for params in configuration.issuers.flatMap(\.cards) {
            let passes = library.local.isEmpty ? library.remote : library.local
            if let warning = D1Presence.sharedDeviceWarning(params, by: passes) { remarks.append(warning) }
        }
        let offers = { (passes: [PassView]) throws -> Bool in
            guard application.isEntitled else { return false }
            return try configuration.issuers.contains { member in
                try member.cards.contains { params in
                    let card = try card(issuerID: member.issuerID, reference: params.cardID)
                    return !D1Presence.isHidden(params, card: card, by: passes)
                }
            }
        }
        let status = D1ExtensionStatus(
            passEntriesAvailable: try offers(library.local),
            remotePassEntriesAvailable: try hasWatch(device) && offers(library.remote),
            sessionUntil: try sessionEnd(device, application),
            clock: tenant.clock,
            nextDueAt: tenant.nextDueAt,
            remarks: remarks
        )
        return Checked(value: status, checks: remarks)
    }

    /// The end of the last session that the application can use: its own, or one of a sibling in the same context,
    /// since both extensions share a keychain.
    private func sessionEnd(_ device: Device, _ application: Application) throws -> Instant? {
        try store.records(D1Session.self, "device", device.deviceID).filter { session in
            guard session.context.fits(application.applicationKind) else { return false }
            if session.application == application.identifier { return true }
            guard let sibling = try store.record(Application.self, session.application) else { return false }
            return sibling.appGroupIDs.contains(where: application.appGroupIDs.contains)
        }.map(\.expiresAt).max()
    }
}
