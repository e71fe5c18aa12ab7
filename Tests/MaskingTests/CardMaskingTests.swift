import Masking
import Testing
import Wire

@Suite struct CardMaskingTests {
    static let stars = "************1111"

    static let plain: [MaskingCase] = [
        MaskingCase("alone", "4111111111111111", stars),
        MaskingCase("in a sentence", "card 4111111111111111 refused", "card \(stars) refused"),
        MaskingCase("with spaces", "4111 1111 1111 1111", stars),
        MaskingCase("with hyphens", "4111-1111-1111-1111", stars),
        MaskingCase("with plus signs", "n=4111+1111+1111+1111", "n=\(stars)"),
        MaskingCase("with dots", "4111.1111.1111.1111", stars),
        MaskingCase("the sample with dots", "5123.4567.8901.2345", "************2345"),
        MaskingCase("American Express with dots", "3782.822463.10005.", "***********0005."),
        MaskingCase("before an amount's dot", "4111 1111 1111 1111.50", "\(stars).50"),
        MaskingCase("a space between all", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", stars),
        MaskingCase("odd groups", "4111111-111111111", stars),
        MaskingCase("American Express", "378282246310005", "***********0005"),
        MaskingCase("American Express in groups", "3782 822463 10005", "***********0005"),
        MaskingCase("Discover", "6011000990139424", "************9424"),
        MaskingCase("Mastercard, series 2", "2223003122003222", "************3222"),
        MaskingCase("Mastercard's sample, wrong check digit", "5123456789012345", "************2345"),
        MaskingCase("the sample in groups", "5123 4567 8901 2345", "************2345"),
        MaskingCase("Visa, 19 digits", "4000000000000000006", "***************0006"),
        MaskingCase("Visa, 13 digits", "4222222222222", "*********2222"),
        MaskingCase("JCB, by check digit", "3530111333300000", "************0000"),
        MaskingCase("Diners, by check digit", "30569309025904", "**********5904"),
        MaskingCase("two", "4111111111111111,5123456789012345", "\(stars),************2345"),
        MaskingCase("two side by side", "4111111111111111 5123456789012345", "\(stars) ************2345"),
        MaskingCase("with an expiry after it", "4111111111111111 12/29", "\(stars) 12/29"),
        MaskingCase("with the expiry after a bar", "4111111111111111|1229", "\(stars)|1229"),
        MaskingCase("with a number before it", "9 4111111111111111", "9 \(stars)"),
        MaskingCase("with the expiry right behind it", "41111111111111111229", "\(stars)1229"),
        MaskingCase("with digits around it", "0009941111111111111110", "00099\(stars)0"),
        MaskingCase("American Express with the expiry", "3782822463100051229", "***********00051229"),
        MaskingCase("three in one piece", "411111111111111137828224631000545", "\(stars)***********000545"),
        MaskingCase("many in one piece", String(repeating: "4111111111111111", count: 33), "<528 digits>"),
        MaskingCase("after an underscore", "card_4111111111111111", "card_\(stars)"),
        MaskingCase("after letters", "PAN4111111111111111", "PAN\(stars)"),
        MaskingCase("track 1", "%B4111111111111111^ANA/GARCIA^29121010", "%B\(stars)^ANA/GARCIA^29121010"),
        MaskingCase("track 2", ";4111111111111111=29121010", ";\(stars)=29121010"),
        MaskingCase("between stars", "*4111111111111111*", "*\(stars)*"),
        MaskingCase("a JSON number", #"{"n":4111111111111111}"#, #"{"n":************1111}"#),
        MaskingCase("a JSON string", #"{"n":"4111111111111111"}"#, #"{"n":"************1111"}"#),
    ]

    static let escaped: [MaskingCase] = [
        MaskingCase("in a path", "/cards/4111111111111111/state", "/cards/\(stars)/state"),
        MaskingCase("in a query", "/x?n=4111%201111%201111%201111&a=1", "/x?n=\(stars)&a=1"),
        MaskingCase("every digit percent-encoded", percent("4111111111111111"), stars),
        MaskingCase("percent-encoded twice", "%2534111111111111111", stars),
        MaskingCase("after an encoded space", "a%204111111111111111", "a%20\(stars)"),
        MaskingCase("after a percent sign", "100%4111111111111111", "100%\(stars)"),
        MaskingCase(
            "JSON in a query",
            "/x?q=%7B%22n%22%3A%224111111111111111%22%7D",
            "/x?q=%7B%22n%22%3A%22\(stars)%22%7D"
        ),
        MaskingCase("JSON escapes", #"{"n":"\u0034111111111111111"}"#, #"{"n":"************1111"}"#),
        MaskingCase(
            "JSON in a JSON string",
            #"{"b":"{\"n\":\"4111111111111111\"}"}"#,
            #"{"b":"{\"n\":\"************1111\"}"}"#
        ),
        MaskingCase(
            "escapes in JSON in a JSON string",
            #"{"b":"{\"n\":\"\\u0034111111111111\\u00311\\u0031\"}"}"#,
            #"{"b":"{\"n\":\"************1111\"}"}"#
        ),
        MaskingCase("after a line end", #"{"n":"a\n5123456789012345"}"#, #"{"n":"a\n************2345"}"#),
    ]

    static func percent(_ text: String) -> String { text.utf8.map { "%" + Hex.encode([$0]) }.joined() }

    @Test(arguments: plain + escaped)
    func `a card number keeps its last four digits`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
        #expect(Masking.text(example.masked) == example.masked)
        #expect(Masking.holdsCardNumber(example.text))
        #expect(!Masking.holdsCardNumber(example.masked))
    }

    static let kept: [MaskingCase] = [
        MaskingCase("empty", kept: ""),
        MaskingCase("milliseconds", kept: #"{"t":1767225600000,"u":1767225600009}"#),
        MaskingCase(
            "milliseconds of every check digit",
            kept: (0...9).map { "176722560000\($0)" }.joined(separator: ",")
        ),
        MaskingCase("microseconds", kept: (0...9).map { "176722560000000\($0)" }.joined(separator: ",")),
        MaskingCase("a date in digits", kept: (0...9).map { "2026010112000\($0)" }.joined(separator: ",")),
        MaskingCase("a token reference", kept: "DNITHE302291744095994002"),
        MaskingCase("a reference of 48 hexadecimal digits", kept: "DWSPMC00000000032d72d4ffcb2f4136a0532d32d72d4fcb"),
        MaskingCase(
            "digits that fit in a hexadecimal reference",
            kept: "ab4111111111111111cd2f4136a0532d32d72d4fcb00ff17"
        ),
        MaskingCase("a UUID", kept: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        MaskingCase("a UUID of digits", kept: "41111111-1111-4111-8111-111111111111"),
        MaskingCase("a serial number", kept: "0x3082a4cf12d4411111b7"),
        MaskingCase("a number of 20 digits without one in it", kept: "41111111111111121111"),
        MaskingCase("noughts", kept: String(repeating: "0", count: 197)),
        MaskingCase("a number of 20 digits behind letters", kept: "DNI41111111111111111229"),
        MaskingCase("a token requestor id", kept: "50110030273"),
        MaskingCase("a PAN reference", kept: "V-3815023863409817870482"),
        MaskingCase("an amount", kept: "1234567.89"),
        MaskingCase("a fraction", kept: "0.4123456789012345"),
        MaskingCase("dots between all", kept: "4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1"),
        MaskingCase("an address and a version", kept: "411.111.111.111 1111.4.111111.11.111"),
        MaskingCase("dots, by check digit only", kept: "3530.1113.3330.0000"),
        MaskingCase("times", kept: "2026-01-01T00:00:00Z 2026-01-01 12:30:15.123 +0100"),
        MaskingCase("a phone number", kept: "+52 55 1234 5678"),
        MaskingCase("zeros", kept: "0000000000000000"),
        MaskingCase("twelve digits", kept: "411111111111"),
        MaskingCase("small numbers", kept: "40 41 42 43 44 45 46 47"),
        MaskingCase("two commas", kept: "4111,1111,1111,1111"),
        MaskingCase("an address", kept: "https://sandbox.test/v1/tokens/DNITHE302291744095994002/events?limit=100"),
    ]

    @Test(arguments: kept)
    func `what is not a card number stays`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
        #expect(Masking.target(example.text) == example.masked)
    }
}
