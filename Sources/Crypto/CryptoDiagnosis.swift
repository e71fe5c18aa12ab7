package import Wire

/// Every code of this target, for the documentation and its test.
package enum CryptoDiagnosis {
    /// By subject, in the order of each enum.
    package static let codes: [DiagnosisCode] =
        KeyFault.codes + EphemeralKeyFault.codes + CertificateFault.codes + ChainFault.codes
        + PayloadEncodingFault.codes + CMSFault.codes + JWTFault.codes + TimeClaimFault.codes + PassDataFault.codes
}
