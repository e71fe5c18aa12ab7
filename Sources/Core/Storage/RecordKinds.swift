/// Every kind of record that a world holds, the domain's and those of the faces: what an import can hold.
package struct RecordKinds: Sendable {
    /// The domain's own, in the order of a world's growth.
    package static let domain: [any Record.Type] = [
        Tenant.self, Issuer.self, Consumer.self, Card.self, CardDetails.self, Application.self, PassMetadata.self,
        PayloadKey.self, RetiredPayloadKey.self, TokenRequestor.self, Device.self, ProvisioningSession.self, Token.self,
        TokenChange.self,
        Pass.self, ActivationCode.self, SpentIdentifier.self, DueEvent.self, Callback.self, CallbackCounter.self,
        Credential.self, TenantToken.self, TenantOrigin.self,
    ]

    /// Every kind, the domain's first.
    package let all: [any Record.Type]
    /// Kinds that a world may hold that comes from elsewhere.
    let byName: [String: any Record.Type]
    /// Kinds that stay under a device's id when the device is gone.
    let outlivingDevices: [String]
    /// Kinds that belong to the tenant and not to its world.
    let resident: Set<String>

    /// - Parameter others: kinds of the upper targets; none has the name of another.
    package init(and others: [any Record.Type] = []) {
        all = RecordKinds.domain + others
        byName = Dictionary(all.filter { !$0.isResident }.map { ($0.kind, $0) }) { first, _ in first }
        resident = Set(all.filter { $0.isResident }.map { $0.kind })
        outlivingDevices = all.filter { $0.outlivesDevice }.map { $0.kind }
    }
}
