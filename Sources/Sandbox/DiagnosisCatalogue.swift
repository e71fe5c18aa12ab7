import Core
import Crypto
import Networks
import Traffic
package import Wire

/// All diagnosis codes, by subject, in the order `Docs/errors.md` lists them.
package enum DiagnosisCatalogue {
    package static let sections: [(title: String, codes: [DiagnosisCode])] = [
        ("HTTP and the sandbox itself", HTTPFault.codes),
        ("TLS", ClientCertificateFault.codes + HandshakeFault.codes),
        ("JSON", JSONFault.Reason.codes),
        ("Request documents", DocumentFault.codes),
        ("Fields of a request", FieldFault.codes + FaceCatalog.fieldCodes + PassKitFieldFault.codes),
        ("TPC", TPCFault.codes),
        ("D1", D1Fault.codes + IssuerTokenFault.codes + TokenIdentifierFault.codes + BindingFault.codes),
        ("D1, issuer API", D1IssuerFault.codes + JWEFault.codes),
        ("Authorization codes and other tokens", JWTFault.codes + TimeClaimFault.codes + AuthorizationCodeFault.codes),
        ("Text form of an encrypted payload", PayloadEncodingFault.codes),
        ("CMS", CMSFault.codes),
        ("Cards", CardFault.codes + CardRegistryFault.codes),
        ("Issuers", IssuerFault.codes),
        ("Keys and certificates", KeyFault.codes + CertificateFault.codes + ChainFault.codes),
        ("Pass data", EphemeralKeyFault.codes + PassDataFault.codes + PassContentFault.codes),
        ("Activation data", ActivationDataFault.codes),
        ("Decisions", DecisionFault.codes + ScenarioRemark.codes),
        ("Tokens", TokenFault.codes + LifecycleFault.codes),
        ("Passes and devices", DeviceFault.codes + VisibilityFault.codes + WalletFault.codes),
        ("Activation codes", ActivationCodeFault.codes),
        ("Faults", FaultCode.codes),
        ("Control API", ControlFault.codes + JournalFilterFault.Reason.codes + LongPollFault.codes),
        ("Worlds and snapshots", WorldFault.codes),
        ("Explain", ExplainFault.codes),
    ]

    package static let all = sections.flatMap(\.codes)
}
