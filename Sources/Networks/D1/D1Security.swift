import Core
import Masking
import Traffic
import Web
import Wire

/// What every call after the login begins with: the session, its application, and what was configured for it.
struct D1Access: Sendable {
    let session: D1Session
    let application: Application
    let configuration: D1Configuration

    /// - Throws: ``Refusal`` without an open session (10005) or a configuration (20009).
    init(_ exchange: inout Exchange, _ services: Services) async throws {
        guard let token = exchange.request.bearer else {
            throw exchange.refusal(.failed("session", D1Fault.sessionMissing, at: .header("authorization")))
        }
        let found = try await services.worlds.read(exchange.tenant) { view in try D1Access.find(token, in: view) }
        if let session = found.session { exchange.note(session) }
        guard let access = exchange.take(found.access) else { throw Refusal() }
        self = access
    }

    private init(session: D1Session, application: Application, configuration: D1Configuration) {
        self.session = session
        self.application = application
        self.configuration = configuration
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
        let wanted = cardID.isEmpty ? nil : request.queryValue(Field.issuerId.rawValue)
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

/// Members that several D1 requests have.
enum D1Fields {
    /// Device, application and context, as they stand in the request.
    struct Place: Sendable {
        let deviceID: String?
        let application: String?
        let context: D1Context?
    }

    static func place(_ fields: inout FieldReader, hasContext: Bool = true) -> Place {
        let deviceID = fields.string(.deviceId)
        let application = fields.string(.application)
        guard hasContext else { return Place(deviceID: deviceID, application: application, context: nil) }
        let text = fields.string(.context)
        let context = text.flatMap(D1Context.init(rawValue:))
        if let text, context == nil {
            fields.fail(.context, D1Fault.contextUnknown, evidence: Masking.excerpt(text, 32))
        }
        return Place(deviceID: deviceID, application: application, context: context)
    }

    /// What the store says of a place: device and application exist, and the application runs in that context.
    static func resolve(_ place: Place, in view: View) throws -> Checked<Application> {
        var checks: [Check] = []
        if let id = place.deviceID, try view.store.record(Device.self, id) == nil {
            let evidence = Masking.excerpt(id, 64)
            checks.append(.failed("device", D1Fault.deviceUnknown, at: Field.deviceId.place, evidence: evidence))
        }
        guard let name = place.application else { return Checked(value: nil, checks: checks) }
        guard let application = try view.store.record(Application.self, name) else {
            let (place, evidence) = (Field.application.place, Masking.excerpt(name, 100))
            checks.append(.failed("application", D1Fault.applicationUnknown, at: place, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        if let context = place.context, !context.fits(application.applicationKind) {
            let evidence = "kind \(application.applicationKind.rawValue), context \(context.rawValue)"
            checks.append(.failed(Field.context.place, D1Fault.contextMismatch, evidence: evidence))
        }
        return Checked(value: application, checks: checks)
    }
}
