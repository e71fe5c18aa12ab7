import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Activation data of which the context does not know all: what can be checked is, what cannot is told.
struct ExplainActivationDataTests {
    private static let open = "EXPLAIN_NOT_CHECKED"
    private static let issuer: JSON = ["issuerId": "DEMOBANK01"]
    private static let full: [PaymentNetwork: (pan: String, exp: String?)] = [
        .mastercard: ("5555555555554444", "1232"), .amex: ("378282246310005", nil),
        .discover: ("6011111111111117", nil),
    ]

    struct Row: CustomTestStringConvertible, Sendable {
        let value: String
        let context: JSON
        /// Codes of the failed checks.
        let codes: [String]
        var testDescription: String { "\(codes) \(value.prefix(24)) \(context.text)" }

        init(_ value: String, _ context: JSON, _ codes: String...) {
            (self.value, self.context, self.codes) = (value, context, codes)
        }
    }

    private static func base64(_ json: JSON) -> String { Base64.encode(json.bytes) }

    static let broken: [Row] = [
        // Not even base64: nothing of the context is needed to say so.
        Row("x", [:], "ACTIVATION_DATA_MALFORMED"), Row("x", ["network": "mastercard"], "ACTIVATION_DATA_MALFORMED"),
        Row("x", issuer, "ACTIVATION_DATA_MALFORMED"),
        // The form inside.
        Row("AAAA", ["network": "mastercard"], "ACTIVATION_NOT_JSON"),
        Row("AAAA", ["network": "amex"], "ACTIVATION_NOT_JSON"),
        Row("AAAA", ["network": "discover", "issuerId": "DEMOBANK01"], "ACTIVATION_NOT_JSON"),
        Row("AAAA", ["network": "visa"], "ACTIVATION_VISA_FORM"),
        Row(base64(["version": "9"]), ["network": "mastercard"], "ACTIVATION_VERSION"),
        Row(base64(["v": 1, "mac": "AAAA"]), ["network": "amex"], "ACTIVATION_MAC_FORM"),
        Row(
            base64(["version": "3"]),
            ["network": "mastercard"],
            "ACTIVATION_TAV_ALGORITHM",
            "ACTIVATION_MEMBER_MISSING",
            "ACTIVATION_MEMBER_MISSING",
            "ACTIVATION_MEMBER_MISSING"
        ),
        // Which form it must have depends on the network.
        Row("AAAA", [:], open), Row("AAAA", issuer, open),
    ]

    @Test(arguments: broken)
    func `the form is checked first, whatever the context lacks`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let told = try await sandbox.explainIdly("activation-data", .string(row.value), row.context)
            #expect(told.codes == row.codes, "\(told)")
        }
    }

    @Test(arguments: PaymentNetwork.allCases)
    func `what needs the card or the issuer is told as not checked, the rest is checked`(
        _ network: PaymentNetwork
    )
        async throws
    {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox, network)
            let request = try sandbox.passRequest(begun.session, begun.card, network)
            let made = try await sandbox.tpc("generateAddPaymentPassRequest", request)
            let value = made["activationData"]
            let bare: JSON = [
                "network": .string(network.rawValue), "nonce": begun.session["nonce"], "issuerId": "DEMOBANK01",
            ]
            let card = bare.adding("pan", .string(begun.card.pan)).adding("exp", .string(begun.card.exp))
            func codes(_ context: JSON) async throws -> [String] {
                try await sandbox.explainIdly("activation-data", value, context).codes
            }
            #expect(try await codes(card) == [])
            let told = try await sandbox.explainIdly("activation-data", value, bare)
            let isVisa = network == .visa
            #expect(told.codes == (isVisa ? [] : [Self.open]), "\(told)")
            #expect(
                told.contains { $0.passed && $0.name.hasPrefix("activationData.") } || network == .amex
                    || network == .discover
            )
            if network == .mastercard {
                #expect(told.last?.name == "activationData.signature")
                #expect(told.last?.evidence == "not in the context: pan, exp")
                #expect(told.contains { $0.passed && $0.name == "activationData.validity" })
                #expect(try await codes(card.without("exp")) == [Self.open])
            }
            // Nobody owns the number of this network's test card.
            let nobody = try await codes(bare.without("issuerId"))
            #expect(nobody == (isVisa ? ["EXPLAIN_ISSUER_UNCLEAR"] : ["EXPLAIN_ISSUER_UNCLEAR", Self.open]))
        }
    }
}
