import Core
import Masking
import Traffic
import Wire

/// The encryption scheme that a request for pass data names. Only one is served.
enum EncryptionScheme {
    /// `PKEncryptionScheme.ECC_V2` as it travels (apple-pay-provisioning 1).
    static let rawValue = "EV_ECC_v2"
    /// What public sources write for it: the name of PassKit's constant, and that with the prefix of the raw value.
    private static let spellings: Set<String> = ["ECC_V2", "EV_ECC_V2"]

    /// Judges a member that names the scheme, which may be absent.
    ///
    /// The known spellings are taken with a warning unless the rules are strict; the same in another case is taken under
    /// lenient rules only.
    ///
    /// - Parameters:
    ///   - spelling: the face's code for the right scheme in other words.
    ///   - unsupported: the face's code for another scheme.
    static func check<Field>(
        _ field: Field,
        _ fields: inout FieldReader<Field>,
        spelling: some DiagnosisSubject,
        unsupported: some DiagnosisSubject
    ) {
        guard let text = fields.optionalString(field), text != rawValue else { return }
        guard spellings.contains(text.uppercased()) else {
            fields.fail(field, unsupported, evidence: Masking.excerpt(text, 32))
            return
        }
        let isTaken =
            switch fields.strictness {
            case .lenient: true
            case .documented: spellings.contains(text)
            case .strict: false
            }
        if isTaken {
            fields.warn(field, spelling, evidence: text)
        } else {
            fields.fail(field, spelling, evidence: text)
        }
    }
}
