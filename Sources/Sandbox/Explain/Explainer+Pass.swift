import Core
import Crypto
import Networks
import Traffic
import Wire

extension Explainer {
    /// Pass data for a provisioning session, as the wallet opens it.
    func pass(_ value: JSON) async throws -> [Check] {
        guard let sessionID = context.sessionID else { throw context.fields.missing("sessionId") }
        if let id = context.issuerID {
            let isKnown = try await services.worlds.read(tenant) { try $0.store.record(Issuer.self, id) != nil }
            if !isKnown { throw context.fields.invalid("issuerId", "an issuer that exists") }
        }
        let explanation = PassExplanation(services: services, tenant: tenant)
        return try await explanation.checks(value, sessionID: sessionID, issuerID: context.issuerID)
    }
}
