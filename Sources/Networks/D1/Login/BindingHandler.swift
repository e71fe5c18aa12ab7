import Core
import Traffic
import Web
import Wire

/// `binding-hash`: plays the SDK's `bindingHash()` (thales-push-provisioning 2.3).
struct BindingHandler: Sendable {
    static let body = D1Fields.placeAndContext + FieldTable(optional: [.value])

    let services: Services

    var endpoints: [any RoutedEndpoint] {
        let path = D1Face.basePath + "/client/v1/binding-hash"
        return [Endpoint(Route("d1.bindingHash", .post, path, .inferred), handler: bind)]
    }

    func bind(_ exchange: inout Exchange) async throws -> HTTPResponse {
        var fields = FieldReader(&exchange, Self.body, strictness: exchange.settings.strictness)
        let place = D1Fields.place(&fields)
        let value = fields.string(.value)
        if let value, !ClientBinding.isValue(value) {
            fields.fail(.value, D1Fault.bindingValueForm, evidence: "\(value.utf8.count) bytes")
        }
        fields.finish(into: &exchange)
        exchange.subject.note(application: place.application)
        let made = try await services.decide(&exchange) { world -> Checked<(value: String, binding: BindingHash)> in
            let checks = try D1Fields.resolve(place, in: world.view).checks
            guard checks.allSatisfy(\.passed), let deviceID = place.deviceID, let context = place.context else {
                return Checked(value: nil, checks: checks)
            }
            guard let made = try world.bind(value, deviceID: deviceID, context: context) else {
                return Checked(value: nil, checks: checks + [.failed(D1Field.value.place, D1Fault.bindingValueTaken)])
            }
            return Checked(value: made, checks: checks)
        }
        return .json([
            "bindingHash": .string(made.value), "expiresAt": .string(RFC3339.format(made.binding.expiresAt)),
        ])
    }
}
