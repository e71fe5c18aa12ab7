import Core
import Wire

/// Activation data as a member of a request: base64, other forms recognised and named.
enum ActivationDataField {
    private static let body = FieldTable<WalletField>(required: [.activationData])

    /// The bytes under the text, if it can be read.
    static func read(_ text: String, strictness: Strictness) -> Checked<[UInt8]> {
        let object = JSONObject([(WalletField.activationData.rawValue, .string(text))])
        var fields = FieldReader(object: object, body, strictness: strictness)
        let bytes = fields.bytes(.activationData)
        return Checked(value: bytes, checks: fields.checks)
    }
}
