/// Every kind of record of the domain, by its name: what an import can hold, besides the fault rules of a tenant.
package enum RecordKinds {
    /// In the order of a world's growth.
    package static let all: [any Record.Type] = [
        Tenant.self, Issuer.self, Consumer.self, Card.self, D1CardDetails.self, Application.self, PassMetadata.self,
        PayloadKey.self, TokenRequestor.self, Device.self, ProvisioningSession.self, Token.self, TokenChange.self,
        Pass.self,
        ActivationCode.self, SpentIdentifier.self, DueEvent.self, Callback.self, CallbackCounter.self,
        D1Configuration.self, BindingHash.self, D1Session.self,
        D1Bearer.self,
    ]
}
