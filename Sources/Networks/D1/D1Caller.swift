import Core
import Traffic
import Web
import Wire

/// Who calls after the login: the session, its application, and what was configured for it.
struct D1Access: Sendable {
    let session: D1Session
    let application: Application
    let configuration: D1Configuration
}

/// Asks for a bearer, whatever it opens.
struct D1Bearers: CallerStage {
    func identify(_ exchange: inout Exchange) async throws -> String { try D1Bearers.bearer(&exchange) }

    static func bearer(_ exchange: inout Exchange) throws(Refusal) -> String {
        guard let token = exchange.request.bearer else {
            throw exchange.refusal(.failed("session", D1Fault.sessionMissing, at: .header("authorization")))
        }
        return token
    }
}

/// Identifies the caller by the session in the bearer.
struct D1Callers: CallerStage {
    let services: Services

    let looksAtHead = true

    /// - Throws: ``Refusal`` without an open session (10005) or a configuration (20009).
    func identify(_ exchange: inout Exchange) async throws -> D1Access {
        let token = try D1Bearers.bearer(&exchange)
        let found = try await services.worlds.read(exchange.tenant) { view in try D1Callers.find(token, in: view) }
        if let session = found.session { exchange.note(session) }
        guard let access = exchange.take(found.access) else { throw Refusal() }
        return access
    }

    private static func find(_ token: String, in view: View) throws -> (session: D1Session?, access: Checked<D1Access>)
    {
        let (session, check) = try view.d1Session(token)
        guard let session else { return (nil, Checked(value: nil, checks: [check])) }
        guard let application = try view.store.record(Application.self, session.application) else {
            let missing = Check.failed("application", D1Fault.applicationUnknown, evidence: session.application)
            return (session, Checked(value: nil, checks: [check, missing]))
        }
        let found = try view.d1Configuration(deviceID: session.deviceID, application: application)
        let access = Checked(
            value: found.configuration.map { configuration in
                D1Access(session: session, application: application, configuration: configuration)
            },
            checks: [check, found.check]
        )
        return (session, access)
    }
}

extension Exchange {
    /// Notes for fault rules what a session says of a request: its issuers are meant, but of several the one whose card, or
    /// digital card, the path names.
    mutating func note(_ session: D1Session) {
        let cardID = parameters["cardId"]
        // Only where the operation itself reads it.
        let wanted = cardID.isEmpty ? nil : request.queryValue(D1Field.issuerId.rawValue)
        let members = session.members.filter { wanted == nil || $0.issuerID == wanted }
        if !cardID.isEmpty {
            for member in members {
                subject.note(
                    FaultSubject.CardName(
                        issuerID: member.issuerID,
                        reference: cardID,
                        consumerIDs: member.consumerIDs
                    )
                )
            }
        }
        let isAboutOne = !cardID.isEmpty || !parameters["digitalCardId"].isEmpty
        if !isAboutOne || members.count == 1 { for member in members { subject.note(issuerID: member.issuerID) } }
    }
}
