import Masking
import Testing
import Wire

@Suite struct MaskingPropertyTests {
    /// The same numbers in every run (SplitMix64).
    struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    static let pieces: [String] = [
        "4111111111111111", "5123456789012345", "4111 1111 1111 1111", "%34111", "\\u0034111", "1111", "111", " ", "-",
        "+", "%", "\\", "\\\\", "\"", "\":\"", "{", "}", "[", "]", ":", ",", "cvv", "\"pan\":", "\"kty\":\"EC\"",
        "\"d\":\"", "\"key\":", "\"code\":\"1234\"", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "\n",
        "eyJhbGciOiJub25lIn0", ".", "eyJwYW4iOiI0MTExMTExMTExMTExMTExIn0", "NDExMTExMTExMTExMTExMQ==", "=", "/", "_",
        "34313131313131313131313131313131", "*", "************1111", "<signature>", "é", "a", "?cvv=1&", "%22", "%5C",
        "1767225600000", "0",
    ]

    static func text(_ random: inout Random) -> String {
        (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test(arguments: ["\\u0 0)1?cvv=***", "\\ 034111 1111 1111 1111?otp=123456", "%20?pin=1234", "<cvv>1</cvv>\\"])
    func `a secret that is not a card number is not taken for one`(_ text: String) {
        #expect(!Masking.holdsCardNumber(text))
    }

    @Test func `a masked text holds no card number`() {
        var random = Random(state: 66)
        for _ in 0..<3_000 {
            let masked = Masking.text(Self.text(&random))
            #expect(!Masking.holdsCardNumber(masked), "\(masked)")
        }
    }

    @Test func `masking twice gives what masking once gave`() {
        var random = Random(state: 65)
        for _ in 0..<3_000 {
            let text = Self.text(&random)
            let once = Masking.text(text)
            let twice = Masking.text(once)
            if once != twice {
                Issue.record("\(text.debugDescription)\n\(once.debugDescription)\n\(twice.debugDescription)")
            }
            let target = Masking.target(text)
            if Masking.target(target) != target { Issue.record("target \(text.debugDescription)") }
        }
    }

    @Test func `any bytes are masked without a crash`() {
        var random = Random(state: 7)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...120, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.insert(contentsOf: Array(Self.text(&random).utf8), at: Int.random(in: 0...count, using: &random))
            _ = Masking.body(bytes, limit: Int.random(in: 0...200, using: &random))
        }
    }

    @Test func `references and identifiers stay`() {
        var random = Random(state: 11)
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        }
        func hex(_ count: Int) -> String {
            String(
                Hex.encode((0..<(count + 1) / 2).map { _ in UInt8.random(in: 0...255, using: &random) }).prefix(count)
            )
        }
        var changed: [String] = []
        for _ in 0..<3_000 {
            let uuid = [hex(8), hex(4), hex(4), hex(4), hex(12)].joined(separator: "-")
            let texts = ["DNITHE" + digits(18), hex(48), hex(64), hex(32), uuid, "1" + digits(12), digits(11)]
            changed += texts.map { "{\"a\":\"\($0)\"}" }.filter { Masking.text($0) != $0 }
            let bytes = (0..<96).map { _ in UInt8.random(in: 0...255, using: &random) }
            for text in [Base64.encode(bytes), Base64.encode(bytes, .url)] where Masking.text(text) != text {
                changed.append(text)
            }
        }
        #expect(changed == [])
    }

    /// Quadratic work on such a text would take minutes; the limit ends a run that hangs and measures nothing.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            "1 ", "4111 ", "{\"key\":", "\"code\":\"", "-----BEGIN PRIVATE KEY-----", "\"-----BEGIN PRIVATE KEY-----",
            "eyJ.", "\\", "%25", "/", "a-", "\\\"code\\\":\\\"", "{", "\"kty\":\"d\"", "3", "MTEx", "4111111111111111,",
        ]
    )
    func `a long hostile text is masked to its end`(_ piece: String) {
        let text = String(repeating: piece, count: 50_000 / piece.utf8.count)
        let masked = Masking.text(text + " 4111111111111111")
        #expect(!masked.contains("4111111111111111"))
    }
}
