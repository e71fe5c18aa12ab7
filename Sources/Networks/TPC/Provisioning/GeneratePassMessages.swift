import Core
import Crypto
import Masking
import Traffic
import Wire

/// `GenerateAddPaymentPassRequestInput` of the SDK as a request.
struct GeneratePassRequest: Sendable {
    static let body = FieldTable<TPCField>(
        required: [.scheme, .encryptedPayload, .authorizationCode, .certificateChain, .nonce, .nonceSignature],
        optional: [
            .encryptionScheme, .primaryAccountSuffix, .cardholderName, .primaryAccountIdentifier, .productId,
            .auxiliaryScheme,
        ]
    )

    let network: PaymentNetwork?
    let encryptedPayload: String?
    let authorizationCode: String?
    let certificateChain: [[UInt8]]?
    let nonce: [UInt8]?
    let nonceSignature: [UInt8]?
    private let suffix: String?
    private let primaryAccountIdentifier: String?

    /// Reads the body and notes what is wrong with it.
    init(_ exchange: inout Exchange, strictness: Strictness) {
        var fields = FieldReader(&exchange, GeneratePassRequest.body, strictness: strictness)
        network = TPCFields.scheme(&fields)
        encryptedPayload = fields.string(.encryptedPayload)
        authorizationCode = fields.string(.authorizationCode)
        certificateChain = fields.bytesList(.certificateChain)
        nonce = PassKitFields.nonce(&fields)
        if let check = PassKitFields.roomCheck(for: nonce, network) { fields.note(check) }
        nonceSignature = PassKitFields.nonceSignature(&fields)
        EncryptionScheme.check(
            .encryptionScheme,
            &fields,
            spelling: TPCFault.encryptionSchemeSpelling,
            unsupported: TPCFault.encryptionSchemeUnsupported
        )
        suffix = TPCFields.suffix(.primaryAccountSuffix, &fields)
        _ = fields.optionalString(.cardholderName)
        primaryAccountIdentifier = fields.optionalString(.primaryAccountIdentifier)
        TPCFields.ignoreDomestic(&fields)
        fields.finish(into: &exchange)
    }

    struct Verified: Sendable {
        var card: Checked<CardData>
        var code: Checked<AuthorizationCode>
        /// The certificate that pass data may be encrypted to.
        var leaf: Checked<Certificate>
    }

    /// Opens and verifies what is there; a field that is absent was noted already. Runs on the crypto lane.
    func verify(_ caller: TPCCaller, anchor: Certificate) throws -> Verified {
        Verified(
            card: try encryptedPayload.map { try caller.open($0, network: network) } ?? Checked(value: nil, checks: []),
            code: authorizationCode.map { caller.verify($0, .provisioning) } ?? Checked(value: nil, checks: []),
            leaf: certificateChain.map { chain in
                CertificateChain.verify(chain, .passData(anchors: [anchor])).at(TPCField.certificateChain.place)
            } ?? Checked(value: nil, checks: [])
        )
    }

    /// What the request says about the card besides the payload.
    func checks(against card: CardData) -> [Check] {
        guard let suffix, !card.pan.hasSuffix(suffix) else { return [] }
        let evidence = "asked for \(suffix), the number ends in \(card.pan.suffix)"
        return [.failed(TPCField.primaryAccountSuffix.place, CardFault.panSuffixMismatch, evidence: evidence)]
    }

    /// A FPAN id that is not the known card's, or of no card. The SDK takes it from what the phone has, so the first
    /// refuses nothing.
    func identifierChecks(against card: CardData, _ caller: TPCCaller, in view: View) throws -> [Check] {
        guard let given = primaryAccountIdentifier, !given.isEmpty else { return [] }
        let field = TPCField.primaryAccountIdentifier
        let name = "body.\(field.rawValue)"
        let shown = Masking.excerpt(given, 64)
        if let known = try view.cards(withNumber: card.pan).first(where: { $0.issuerID == caller.issuerID }) {
            guard known.primaryAccountIdentifier != given else { return [] }
            let evidence = "found \(shown), the card's is \(known.primaryAccountIdentifier)"
            return [.warning(name, CardFault.fpanIdentifierMismatch, at: field.place, evidence: evidence)]
        }
        let isKnown = try view.isPrimaryAccountIdentifier(given, ofIssuer: caller.issuerID)
        if isKnown { return [.warning(name, CardFault.fpanIdentifierMismatch, at: field.place, evidence: shown)] }
        let fault = CardFault.fpanIdentifierUnknown
        return [
            caller.strictness == .strict
                ? .failed(name, fault, at: field.place, evidence: shown)
                : .warning(name, fault, at: field.place, evidence: shown)
        ]
    }
}
