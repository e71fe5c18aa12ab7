import Core
import Masking
import Wire

/// Members that several D1 requests have.
enum D1Fields {
    /// Device, application and context, as they stand in the request.
    struct Place: Sendable {
        let deviceID: String?
        let application: String?
        let context: D1Context?
    }

    static let place = FieldTable<D1Field>(required: [.deviceId, .application])
    static let placeAndContext = place + FieldTable(required: [.context])

    static func place(_ fields: inout FieldReader<D1Field>, hasContext: Bool = true) -> Place {
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
            checks.append(.failed("device", D1Fault.deviceUnknown, at: D1Field.deviceId.place, evidence: evidence))
        }
        guard let name = place.application else { return Checked(value: nil, checks: checks) }
        guard let application = try view.store.record(Application.self, name) else {
            let (place, evidence) = (D1Field.application.place, Masking.excerpt(name, 100))
            checks.append(.failed("application", D1Fault.applicationUnknown, at: place, evidence: evidence))
            return Checked(value: nil, checks: checks)
        }
        if let context = place.context, !context.fits(application.applicationKind) {
            let evidence = "kind \(application.applicationKind.rawValue), context \(context.rawValue)"
            checks.append(.failed(D1Field.context.place, D1Fault.contextMismatch, evidence: evidence))
        }
        return Checked(value: application, checks: checks)
    }
}
