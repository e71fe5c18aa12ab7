import Core
import Testing
import Wire

@Suite struct CardValueTests {
    private static let number = "4111111111111111"

    @Test func `a PAN is 12 to 19 ASCII digits`() {
        let cases: [(String, Bool)] = [
            ("123456789012", true), ("1234567890123456789", true), ("12345678901", false),
            ("12345678901234567890", false), ("4111 1111 1111 1111", false), ("411111111111111a", false), ("", false),
            ("４111111111111111", false), ("+411111111111111", false),
        ]
        #expect(cases.filter { (PAN($0.0) != nil) != $0.1 }.map(\.0) == [])
    }

    @Test func `no way to print a PAN shows more than its last four digits`() throws {
        let pan = try Samples.pan(Self.number)
        let data = try Samples.cardData()
        var dumped = ""
        dump((pan, data, Optional(pan), [pan: pan]), to: &dumped)
        let texts = [
            pan.description, pan.debugDescription, "\(pan)", String(describing: pan), String(reflecting: pan),
            String(describing: data), String(reflecting: data), String(describing: [pan]),
            String(describing: Optional(pan)),
            dumped, Mirror(reflecting: pan).children.map { "\($0.value)" }.joined(), "\(CardEvent.replace(pan, nil))",
        ]
        #expect(texts.filter { $0.contains("11111") } == [])
        #expect(texts[0] == "************1111" && texts[1] == texts[0] && pan.suffix == "1111")
        #expect(pan.hasSuffix("11111") && !pan.hasSuffix("2111"))
    }

    @Test func `evidence masks what looks like a card number and shows other ids`() {
        let cases = [
            ("4111111111111111", "************1111"), ("4111111111111112", "************1112"),
            ("79927398710000", "79927398710000"), ("9000000000000002", "9000000000000002"), ("card-1", "card-1"),
            (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
        ]
        #expect(cases.filter { PAN.masked($0.0) != $0.1 }.map(\.0) == [])
    }

    @Test func `the check digit is that of ISO 7812`() {
        let valid = [
            "4111111111111111", "5555555555554444", "378282246310005", "6011111111111117", "79927398713", "0",
        ]
        let invalid = ["4111111111111112", "5123456789012345", "378282246310050", "79927398710"]
        let digits = valid.map { Luhn.checkDigit(for: String($0.dropLast())) }
        #expect(valid.allSatisfy(Luhn.isValid) && !invalid.contains(where: Luhn.isValid))
        #expect(digits == valid.compactMap { $0.last?.wholeNumberValue })
    }

    struct Expiry: CustomTestStringConvertible, Sendable {
        let text: String
        let mmyy: String
        let slashed: String

        init(_ text: String, _ mmyy: String, _ slashed: String) {
            self.text = text
            self.mmyy = mmyy
            self.slashed = slashed
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        Expiry("1230", "12/2030", "form"), Expiry("0100", "1/2000", "form"), Expiry("12/30", "form", "12/2030"),
        Expiry("01/99", "form", "1/2099"), Expiry("1330", "month", "form"), Expiry("0030", "month", "form"),
        Expiry("3012", "month", "form"), Expiry("30/12", "form", "month"), Expiry("", "form", "form"),
        Expiry("123", "form", "form"), Expiry("12 30", "form", "form"), Expiry("12/2030", "form", "form"),
        Expiry("1/30", "form", "form"), Expiry("+123", "form", "form"), Expiry("12//30", "form", "form"),
        Expiry("1é/0", "form", "form"), Expiry("12-30", "form", "form"), Expiry(" 1230", "form", "form"),
    ])
    func `an expiry is read in its own form only`(_ expiry: Expiry) {
        #expect(reading { () throws(CardExpiry.Fault) in try CardExpiry(mmyy: expiry.text) } == expiry.mmyy)
        #expect(reading { () throws(CardExpiry.Fault) in try CardExpiry(slashed: expiry.text) } == expiry.slashed)
    }

    private func reading(_ read: () throws(CardExpiry.Fault) -> CardExpiry) -> String {
        do throws(CardExpiry.Fault) {
            let expiry = try read()
            return "\(expiry.month)/\(expiry.year)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a card is good until its month ends in UTC`() throws {
        let expiry = try Samples.expiry("0230")
        let cases = [
            ("2029-12-31T00:00:00Z", false), ("2030-02-28T23:59:59.999Z", false), ("2030-03-01T00:00:00Z", true),
            ("2031-01-01T00:00:00Z", true),
        ]
        #expect(cases.filter { RFC3339.parse($0.0).map(expiry.isOver) != $0.1 }.map(\.0) == [])
        #expect([expiry.mmyy, expiry.slashed] == ["0230", "02/30"])
        #expect([3, 90, -31].map { expiry.adding(years: $0)?.year } == [2_033, 2_099, nil])
    }

    @Test func `each network has its spellings`() {
        let spellings = PaymentNetwork.allCases.map { "\($0.rawValue) \($0.scheme) \($0.passKitName)" }
        let wrong = ["visa", "Mastercard", "MasterCard", "AMERICAN_EXPRESS", ""].compactMap(
            PaymentNetwork.init(scheme:)
        )
        let wrongNames = ["VISA", "Mastercard", "Amex", "discover", ""].compactMap(PaymentNetwork.init(passKitName:))
        #expect(
            spellings == [
                "visa VISA Visa", "mastercard MASTERCARD MasterCard", "amex AMEX AmEx", "discover DISCOVER Discover",
            ]
        )
        #expect(PaymentNetwork.allCases.compactMap { PaymentNetwork(scheme: $0.scheme) } == PaymentNetwork.allCases)
        #expect(
            PaymentNetwork.allCases.compactMap { PaymentNetwork(passKitName: $0.passKitName) }
                == PaymentNetwork.allCases
        )
        #expect(wrong + wrongNames == [])
    }

    @Test func `the first digits tell the network`() {
        let cases: [(String, PaymentNetwork?)] = [
            ("3999", nil), ("4000", .visa), ("4999", .visa), ("5000", nil), ("5099", nil), ("5100", .mastercard),
            ("5599", .mastercard), ("5600", nil), ("2220", nil), ("2221", .mastercard), ("2720", .mastercard),
            ("2721", nil), ("3399", nil), ("3400", .amex), ("3499", .amex), ("3500", nil), ("3528", nil), ("3699", nil),
            ("3700", .amex), ("3799", .amex), ("3800", nil), ("6010", nil), ("6011", .discover), ("6012", nil),
            ("6439", nil), ("6440", .discover), ("6599", .discover), ("6600", nil), ("6200", nil), ("9999", nil),
        ]
        #expect(cases.filter { PaymentNetwork(pan: $0.0 + "000000000000") != $0.1 }.map(\.0) == [])
        #expect(PaymentNetwork(pan: "41111111111") == nil)
    }

    @Test func `only test numbers are taken unless any is allowed`() throws {
        let document = try JSON.parse(
            #"{"numbers":["4111111111111111"],"ranges":[{"low":"5204740000000000","high":"5204740000999999"}]}"#
        )
        let policy = try #require(PANPolicy(mode: .testOnly, document: document))
        let any = try #require(PANPolicy(mode: .any, document: document))
        let cases: [(String, Bool)] = [
            ("4111111111111111", true), ("4111111111111112", false), ("5204740000000000", true),
            ("5204740000999999", true), ("5204740001000000", false), ("5204739999999999", false),
            ("520474000000000", false), ("52047400000000000", false),
        ]
        let pans = try cases.map { try Samples.pan($0.0) }
        #expect(pans.map(policy.allows) == cases.map(\.1) && pans.allSatisfy(any.allows))
        #expect(PANPolicy(mode: .any, document: ["numbers": []]) == nil)
    }

    @Test func `an account range is a prefix or a span of whole numbers`() throws {
        let bad = [
            ("4", "4"), ("41", "4"), ("42", "41"), ("4a", "4b"), ("", ""),
            (String(repeating: "1", count: 20), String(repeating: "1", count: 20)),
        ]
        #expect(bad.compactMap(AccountRange.init(low:high:)) == [])
        let prefix = try #require(AccountRange(low: "411111", high: "411113"))
        let exact = try #require(AccountRange(low: "4111111111110000", high: "4111111111111111"))
        let cases: [(String, Bool, Bool)] = [
            ("4111111111111111", true, true), ("4111111111111112", true, false), ("4111131111111111", true, false),
            ("4111141111111111", false, false), ("4111101111111111", false, false), ("4111111111110000", true, true),
            ("41111111111111110", true, false), ("4111111111111", true, false),
        ]
        let wrong = try cases.filter { text, inPrefix, inExact in
            let pan = try Samples.pan(text)
            return prefix.contains(pan) != inPrefix || exact.contains(pan) != inExact
        }
        #expect(wrong.map(\.0) == [])
    }
}
