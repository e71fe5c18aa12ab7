import Core
import Crypto
package import Networks
import Traffic
package import Wire

/// All diagnosis codes, by subject, in the order `Docs/errors.md` lists them.
package enum DiagnosisCatalogue {
    package static let sections: [DiagnosisSection] =
        [
            ("HTTP and the sandbox itself", HTTPFault.codes),
            ("TLS", ClientCertificateFault.codes + HandshakeFault.codes),
            ("JSON", JSONFault.Reason.codes),
            ("Request documents", DocumentFault.codes + ListFault.codes),
            ("Fields of a request", FieldFault.codes + fieldCodes + PassKitFieldFault.codes),
        ].map(DiagnosisSection.init) + FaceCatalog.all.flatMap(\.diagnosis)
        + [
            (
                "Authorization codes and other tokens",
                JWTFault.codes + TimeClaimFault.codes + AuthorizationCodeFault.codes
            ),
            ("Text form of an encrypted payload", PayloadEncodingFault.codes),
            ("CMS", CMSFault.codes),
            ("Cards", CardFault.codes + CardRegistryFault.codes),
            ("Issuers", IssuerFault.codes),
            ("Keys and certificates", KeyFault.codes + CertificateFault.codes + ChainFault.codes),
            ("Pass data", EphemeralKeyFault.codes + PassDataFault.codes + PassContentFault.codes),
            ("Activation data", ActivationDataFault.codes),
            ("Decisions", DecisionFault.codes + ScenarioRemark.codes),
            ("Tokens", TokenFault.codes + LifecycleFault.codes),
            ("Passes and devices", DeviceFault.codes + VisibilityFault.codes),
            ("Activation codes", ActivationCodeFault.codes),
            ("Faults", FaultCode.codes),
            ("Control API", ControlFault.codes + JournalFilterFault.Reason.codes + LongPollFault.codes),
            ("Worlds and snapshots", WorldFault.codes),
            ("Explain", ExplainFault.codes),
        ].map(DiagnosisSection.init)

    /// The codes that only the members of one request have, each once.
    private static let fieldCodes = Set(FaceCatalog.all.flatMap(\.fieldCodes)).sorted { $0.name < $1.name }

    package static let all = sections.flatMap(\.codes)
}
