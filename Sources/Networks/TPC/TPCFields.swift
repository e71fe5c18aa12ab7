import Core
import Masking
import Wire

/// Members that several TPC requests have.
enum TPCFields {
    static func scheme(_ fields: inout FieldReader<TPCField>) -> PaymentNetwork? {
        guard let text = fields.string(.scheme) else { return nil }
        if let network = PaymentNetwork(scheme: text) { return network }
        let meant = PaymentNetwork(meant: text)
        if let meant, fields.isLenient {
            fields.warn(.scheme, TPCFault.schemeUnknown, evidence: "read as \(meant.scheme)")
            return meant
        }
        fields.fail(
            .scheme,
            TPCFault.schemeUnknown,
            evidence: Masking.excerpt(text, 32),
            hint: meant.map { "The TPC SDK writes it \($0.scheme)." }
        )
        return nil
    }

    static func suffix(_ field: TPCField, _ fields: inout FieldReader<TPCField>) -> String? {
        guard let text = fields.optionalString(field) else { return nil }
        guard (4...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            fields.fail(field, TPCFault.suffixForm, evidence: "\(text.utf8.count) characters")
            return nil
        }
        return text
    }

    /// Members of domestic schemes, which the four schemes do not use.
    static func ignoreDomestic(_ fields: inout FieldReader<TPCField>) {
        for field in [TPCField.productId, .auxiliaryScheme] where fields.optionalString(field) != nil {
            fields.warn(field, TPCFault.ignoredField, evidence: field.rawValue)
        }
    }
}

/// A token's state in TPC's words.
extension TokenState {
    var tpcName: String {
        switch self {
        case .inactive: "PENDING_IDV"
        case .active: "ACTIVE"
        case .suspended: "SUSPENDED"
        case .deleted: "DELETED"
        }
    }
}
