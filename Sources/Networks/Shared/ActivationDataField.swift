package import Core
package import Wire

/// Activation data as a member of a request: base64, other forms recognised and named.
package enum ActivationDataField {
    /// Longest value, in bytes.
    static let limit = 8_192

    /// The bytes under the text, if it can be read.
    package static func read(_ text: String, strictness: Strictness) -> Checked<[UInt8]> {
        var fields = FieldReader(
            object: JSONObject([(Field.activationData.rawValue, .string(text))]),
            strictness: strictness
        )
        let bytes = fields.bytes(.activationData, limit: limit)
        return Checked(value: bytes, checks: fields.checks)
    }
}
