import Core
import Testing
import Wire

@Suite struct CardDataReaderTests {
    private static let number = "4111111111111111"

    private static func read(
        _ text: String,
        _ network: PaymentNetwork? = .visa,
        _ strictness: Strictness = .documented
    ) -> Checked<CardData> {
        let policy = PANPolicy(
            mode: .testOnly,
            numbers: ["4111111111111112"] + PaymentNetwork.allCases.map(Samples.number),
            ranges: [PANPolicy.Range(low: "41111111111111110", high: "41111111111111119")]
        )
        return CardDataReader.read(
            Array(text.utf8),
            network: network,
            rules: CardNumberRules(policy: policy, strictness: strictness)
        )
    }

    /// A good payload with members replaced; `null` removes one.
    private static func payload(_ changes: [(String, JSON)] = []) -> String {
        var object = JSONObject([
            ("issuerCardRefId", "card-1"), ("fpan", .string(number)), ("exp", "1232"), ("cardHolderName", "ANA PRUEBA"),
        ])
        for (name, value) in changes { object[name] = value }
        for (name, value) in changes where value.isNull { object[name] = nil }
        return JSON.object(object).text
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let network: PaymentNetwork?
        /// Codes that refuse, then those that warn after a bar.
        let expected: String

        init(_ changes: (String, JSON)..., network: PaymentNetwork? = .visa, expected: String) {
            self.init(text: payload(changes), network: network, expected: expected)
        }

        init(text: String, network: PaymentNetwork? = .visa, expected: String) {
            self.text = text
            self.network = network
            self.expected = expected
        }

        var testDescription: String { expected + " " + text.prefix(60) }
    }

    private static func outcome(_ read: Checked<CardData>) -> String {
        let parts = [read.checks.refused.joined(separator: " "), read.checks.warned.joined(separator: " ")]
        return parts[1].isEmpty ? parts[0] : parts.joined(separator: "|")
    }

    static let cases = [
        Case(expected: ""),
        Case(text: "card", expected: "PAYLOAD_NOT_JSON"),
        Case(text: "{\"fpan\":6304960000000000000}", expected: "PAYLOAD_PAN_IS_NUMBER"),
        Case(text: "{\"fpan\":[6304960000000000000]}", expected: "PAYLOAD_NOT_JSON"),
        Case(text: payload() + "}", expected: "PAYLOAD_NOT_JSON"),
        Case(text: "{\"fpan\":\"4111111111111111\",\"fpan\":\"4111111111111111\"}", expected: "PAYLOAD_MEMBER_TWICE"),
        Case(text: "[]", expected: "PAYLOAD_NOT_OBJECT"),
        Case(text: "\"\(number)\"", expected: "PAYLOAD_NOT_OBJECT"),
        Case(("issuerCardRefId", nil), expected: "CARD_REF_MISSING"),
        Case(
            text: "{\"issuerCardRefId\":null,\"fpan\":\"\(number)\",\"exp\":\"1232\",\"cardHolderName\":\"A\"}",
            expected: "CARD_REF_MISSING"
        ),
        Case(("issuerCardRefId", 12), expected: "CARD_REF_MALFORMED"),
        Case(("issuerCardRefId", ""), expected: "CARD_REF_MALFORMED"),
        Case(("issuerCardRefId", "a b"), expected: "CARD_REF_MALFORMED"),
        Case(("issuerCardRefId", "a\u{0}"), expected: "CARD_REF_MALFORMED"),
        Case(("issuerCardRefId", .string(String(repeating: "a", count: 48))), expected: ""),
        Case(("issuerCardRefId", .string(String(repeating: "a", count: 49))), expected: "CARD_REF_MALFORMED"),
        Case(("issuerCardRefId", .string(number)), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "4222222222222"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "4111111111111112"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "79927398713"), expected: ""),
        Case(("issuerCardRefId", "card-4242424242424242"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "4242-4242-4242-4242"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "4242.4242.4242.4242"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "378282246310005:1"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "pan4242424242424242x"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "a_3782_822463_10005"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "card-4242424242424241"), expected: ""),
        Case(("issuerCardRefId", "order-9999999999999995"), expected: ""),
        Case(("issuerCardRefId", "4242--4242–4242-4242"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "4000-0000-0000-0000-006"), expected: "CARD_REF_IS_PAN"),
        Case(("issuerCardRefId", "card-visa-4242"), expected: ""),
        Case(("issuerCardRefId", "424242******4242"), expected: ""),
        Case(("issuerCardRefId", "7f2c1e70-4242-4242-4242-424242424242"), expected: ""),
        Case(("issuerCardRefId", "auto-0f1e2d3c4b5a6978"), expected: ""),
        Case(("fpan", nil), expected: "PAYLOAD_PAN_MISSING"),
        Case(("fpan", .number("4111111111111111")), expected: "PAYLOAD_PAN_IS_NUMBER"),
        Case(("fpan", "4111 1111 1111 1111"), expected: "PAYLOAD_PAN_MALFORMED"),
        Case(("fpan", ""), expected: "PAYLOAD_PAN_MALFORMED"),
        Case(("fpan", true), expected: "PAYLOAD_PAN_MALFORMED"),
        Case(("fpan", "41111111111"), expected: "PAN_LENGTH"),
        Case(("fpan", "41111111111111111111"), expected: "PAN_LENGTH"),
        Case(("fpan", "41111111111111113"), expected: "PAN_LENGTH"),
        Case(("fpan", "4012888888881881"), expected: "PAN_NOT_TEST"),
        Case(("fpan", "4111111111111112"), expected: "|PAN_LUHN"),
        Case(("fpan", "9111111111111111"), expected: "PAN_NETWORK_UNKNOWN PAN_NOT_TEST|PAN_LUHN"),
        Case(("fpan", "5555555555554444"), expected: "PAN_NETWORK_MISMATCH"),
        Case(("fpan", "5555555555554444"), network: nil, expected: ""),
        Case(("exp", nil), expected: "PAYLOAD_EXPIRY_MISSING"),
        Case(("exp", 1_232), expected: "EXP_FORMAT"),
        Case(("exp", "12/32"), expected: "EXP_FORMAT"),
        Case(("exp", "3212"), expected: "EXPIRY_IMPOSSIBLE"),
        Case(("exp", "0032"), expected: "EXPIRY_IMPOSSIBLE"),
        Case(("cardHolderName", nil), expected: "PAYLOAD_CARDHOLDER_NAME_MISSING"),
        Case(("cardHolderName", 1), expected: "PAYLOAD_CARDHOLDER_NAME_MALFORMED"),
        Case(("cardHolderName", ""), expected: "PAYLOAD_CARDHOLDER_NAME_MALFORMED"),
        Case(("cardHolderName", .string(String(repeating: "é", count: 28))), expected: "|CARDHOLDER_NAME_EMBOSSING"),
        Case(
            ("fpan", "5555555555554444"),
            ("cardHolderName", .string(String(repeating: "é", count: 27))),
            network: .mastercard,
            expected: "|CARDHOLDER_NAME_EMBOSSING"
        ),
        Case(
            ("fpan", "5555555555554444"),
            ("cardHolderName", .string(String(repeating: "é", count: 28))),
            network: .mastercard,
            expected: "CARDHOLDER_NAME_TOO_LONG|CARDHOLDER_NAME_EMBOSSING"
        ),
        Case(
            ("cardHolderName", nil),
            ("cardholderName", "ANA"),
            expected: "|PAYLOAD_CARDHOLDER_NAME_SPELLING"
        ),
        Case(("cardholderName", "EVA"), expected: "|PAYLOAD_CARDHOLDER_NAME_SPELLING"),
        Case(("phoneNumber", "12345678901234567"), expected: "PAYLOAD_MEMBER_TOO_LONG"),
        Case(("phoneNumberCountryCode", "12345"), expected: "PAYLOAD_MEMBER_TOO_LONG"),
        Case(("email", .string(String(repeating: "e", count: 49))), expected: "PAYLOAD_MEMBER_TOO_LONG"),
        Case(("email", 1), expected: "PAYLOAD_MEMBER_TOO_LONG"),
        Case(("postalAddress", ["line1": "x"]), ("phoneNumber", "600000000"), ("email", "a@b.test"), expected: ""),
        Case(("color", "red"), expected: "|PAYLOAD_MEMBER_UNKNOWN"),
        Case(("cvv", "123"), expected: "|SECURITY_CODE_NOT_WANTED"),
        Case(("cvc2", "123"), ("securityCode", "1"), expected: "|SECURITY_CODE_NOT_WANTED"),
        Case(
            text: "{}",
            expected: "CARD_REF_MISSING PAYLOAD_PAN_MISSING PAYLOAD_EXPIRY_MISSING PAYLOAD_CARDHOLDER_NAME_MISSING"
        ),
        Case(
            ("issuerCardRefId", .string(number)),
            ("fpan", "4012888888881882"),
            ("exp", "1332"),
            ("cardHolderName", nil),
            ("cvv2", "1"),
            network: .amex,
            expected: "CARD_REF_IS_PAN PAN_NETWORK_MISMATCH PAN_NOT_TEST EXPIRY_IMPOSSIBLE"
                + " PAYLOAD_CARDHOLDER_NAME_MISSING|PAN_LUHN SECURITY_CODE_NOT_WANTED"
        ),
    ]

    @Test(arguments: cases) func `every mistake in a payload is reported, and no number is printed`(_ entry: Case) {
        let read = Self.read(entry.text, entry.network)
        let digits = read.checks.printed.split { !("0"..."9").contains($0) }.map(\.count).max() ?? 0
        #expect(Self.outcome(read) == entry.expected)
        #expect(digits < 12 && read.isAccepted == !(entry.expected.first.map { $0 != "|" } ?? false))
    }

    @Test func `a member named by a card number is not printed`() {
        let printed = Self.read(Self.payload([("4111111111111111", "x")])).checks.printed
        #expect(!printed.contains("411111"))
    }

    @Test func `the card is what the payload says`() throws {
        let text = Self.payload([("phoneNumber", "600"), ("email", "a@b.test")])
        let wanted = try CardData(
            reference: "card-1",
            pan: Samples.pan(Self.number),
            expiry: Samples.expiry("1232"),
            holderName: "ANA PRUEBA",
            phone: "600",
            email: "a@b.test"
        )
        let other = Self.read(Self.payload([("cardHolderName", nil), ("cardholderName", "EVA")])).value?.holderName
        let both = Self.read(Self.payload([("cardholderName", "EVA")])).value?.holderName
        #expect(Self.read(text).value == wanted && other == "EVA" && both == "ANA PRUEBA")
    }

    @Test func `a wrong check digit is refused in strict mode only`() {
        let text = Self.payload([("fpan", "4111111111111112")])
        let found = Strictness.allCases.map { Self.outcome(Self.read(text, .visa, $0)) }
        #expect(found == ["|PAN_LUHN", "|PAN_LUHN", "PAN_LUHN"])
    }
}
