import Core
import Masking
import Wire

/// `PKIssuerProvisioningExtensionStatus`, with what it depends on besides the world itself.
struct D1ExtensionStatus: Sendable, Equatable {
    let passEntriesAvailable: Bool
    let remotePassEntriesAvailable: Bool
    /// When the last session ends; nil without one.
    let sessionUntil: Instant?
    /// To tell the time without asking the store.
    let clock: TenantClock
    /// When something planned happens to the world, which may change the answer; nil when nothing is planned.
    let nextDueAt: Instant?
    /// Why it is not more, among them failed checks: they refuse nothing.
    let remarks: [Check]

    func requiresAuthentication(system: Instant) -> Bool {
        guard let sessionUntil else { return true }
        return clock.now(system: system) >= sessionUntil
    }

    /// True until something planned happens: then only the store knows the answer.
    func holds(system: Instant) -> Bool {
        nextDueAt.map { clock.now(system: system) < $0 } ?? true
    }
}

extension View {
    /// What the extension says before any login: from the configuration and from what PassKit shows it.
    func d1ExtensionStatus(
        deviceID: String,
        application identifier: String
    ) throws -> Checked<D1ExtensionStatus> {
        var failures: [Check] = []
        let device = try store.record(Device.self, deviceID)
        let asking = try store.record(Application.self, identifier)
        if device == nil {
            failures.append(.failed("device", D1Fault.deviceUnknown, evidence: Masking.excerpt(deviceID, 64)))
        }
        if asking == nil {
            failures.append(
                .failed("application", D1Fault.applicationUnknown, evidence: Masking.excerpt(identifier, 100))
            )
        }
        guard let device, let asking else { return Checked(value: nil, checks: failures) }
        let (application, seen) = try walletExtension(of: asking)
        let found = try d1Configuration(deviceID: deviceID, application: application)
        guard let configuration = found.configuration else { return Checked(value: nil, checks: [found.check]) }

        var remarks = seen + [found.check]
        if !application.isEntitled {
            let evidence = application.identifier
            remarks.append(.failed("application.entitled", D1Fault.applicationNotEntitled, evidence: evidence))
        }
        let library = try passLibrary(of: device, application: application.identifier)
        remarks += D1Offer.unseen(library, application)
        let hasWatch = try hasWatch(device)
        if !hasWatch { remarks.append(.passed("entries.watch", evidence: "no watch is paired")) }
        var (isOffered, isOfferedRemotely) = (false, false)
        for member in configuration.issuers {
            for params in member.cards {
                let card = try card(issuerID: member.issuerID, reference: params.cardID)
                let hiding = D1Presence.pass(hiding: params, card: card, among: library.local)
                let hidingRemote = D1Presence.pass(hiding: params, card: card, among: library.remote)
                if hiding == nil { isOffered = true }
                if hidingRemote == nil { isOfferedRemotely = true }
                for pass in [hiding, hasWatch ? hidingRemote : nil].compactMap(\.self) {
                    remarks.append(D1Presence.reason(params, card: card, hiddenBy: pass))
                }
            }
        }
        let status = D1ExtensionStatus(
            passEntriesAvailable: application.isEntitled && isOffered,
            remotePassEntriesAvailable: application.isEntitled && hasWatch && isOfferedRemotely,
            sessionUntil: try sessionEnd(device, application),
            clock: tenant.clock,
            nextDueAt: tenant.nextDueAt,
            remarks: remarks
        )
        return Checked(value: status, checks: [])
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

extension View {
    func hasWatch(_ device: Device) throws -> Bool {
        try pairedDevices(of: device).contains { $0.deviceKind == Device.watch }
    }
}
