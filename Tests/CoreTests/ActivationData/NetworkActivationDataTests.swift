import Core
import Crypto
import Testing
import Wire

@Suite struct NetworkActivationDataTests {
    private static func visa() -> ActivationDataSetting {
        var setting = ActivationDataSetting()
        setting.network = .visa
        setting.number = "4111111111111111"
        return setting
    }

    /// A value whose block is encrypted with the key of the samples.
    private static func value(_ data: String, header: [UInt8] = [0, 1], length: String? = nil) throws -> [UInt8] {
        let digits = length ?? (data.utf8.count < 10 ? "0" : "") + String(data.utf8.count)
        var block = header + [9, 9, 9, 9] + Array(digits.utf8) + Array(data.utf8)
        while block.count % 8 != 0 { block.append(0) }
        let key = Samples.networkKeys.visa
        let encrypted = try TDEA.encrypt(block, key: SecretBytes(key.key), iv: Array(repeating: 0, count: 8))
        return Array("MBPAC-1-FK-\(key.keySetID)--TDEA-\(Hex.encode(encrypted))".utf8)
    }

    @Test func `a four-byte nonce gives forty bytes of ciphertext in the form of the sample`() throws {
        let setting = Self.visa()
        let text = String(decoding: try setting.make(setting.nonce), as: UTF8.self)
        let hex = text.dropFirst("MBPAC-1-FK-401200.1--TDEA-".utf8.count)
        #expect(text.hasPrefix("MBPAC-1-FK-401200.1--TDEA-") && hex.utf8.count == 80)
        #expect(try Hex.decode(String(hex)).count == 40 && String(hex) == hex.uppercased())
    }

    @Test func `the block opens with the double-length key to nonce and code`() throws {
        let setting = Self.visa()
        let text = String(decoding: try setting.make(setting.nonce), as: UTF8.self)
        let bytes = try Hex.decode(String(text.suffix(80)))
        let key = SecretBytes(Samples.networkKeys.visa.key)
        let block = try #require(try TDEA.decrypt(bytes, key: key, iv: Array(repeating: 0, count: 8))).bytes
        let data = String(decoding: block[6..<38], as: UTF8.self)
        let code = data.suffix(6)
        #expect(data == "30nonce=deadbeef;authcode=\(code)" && code.allSatisfy(\.isNumber))
        #expect(block[0..<2] == [0, 1] && block[38...] == [0, 0])
    }

    @Test func `equal cards and nonces give values that differ, equal draws equal ones`() throws {
        let setting = Self.visa()
        let values = try [1, 1, 2].map { try setting.make(setting.nonce, draws: $0) }
        #expect(values[0] == values[1] && values[0] != values[2])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable () throws -> [UInt8]
        let expected: String

        init(_ name: String, _ expected: String, _ make: @escaping @Sendable () throws -> [UInt8]) {
            testDescription = name
            self.expected = expected
            self.make = make
        }

        /// A good value, changed as a text.
        static func text(_ name: String, _ expected: String, _ change: @escaping @Sendable (String) -> String) -> Case {
            Case(name, expected) {
                Array(change(String(decoding: try visa().make([0xDE, 0xAD, 0xBE, 0xEF]), as: UTF8.self)).utf8)
            }
        }
    }

    private static let form = "ACTIVATION_VISA_FORM"
    private static let layout = "ACTIVATION_VISA_NOT_OPENED"
    private static let good = "nonce=deadbeef;authcode=123456"

    @Test(arguments: [
        Case.text("good", "") { $0 },
        .text("lower case", "") { "MBPAC-1-FK-401200.1--TDEA-" + $0.suffix(80).lowercased() },
        .text("padded key set", "") { $0.replacing("401200.1--", with: "401200.1-  -") },
        .text("blanks after the key set", "") { $0.replacing("401200.1--", with: "401200.1  -  -") },
        .text("text in the empty field", form) { $0.replacing("401200.1--", with: "401200.1-x-") },
        .text("other type", form) { $0.replacing("MBPAC", with: "MBPAD") },
        .text("other version", form) { $0.replacing("-1-FK", with: "-2-FK") },
        .text("other scheme", form) { $0.replacing("-FK-", with: "-DK-") },
        .text("other algorithm", form) { $0.replacing("TDEA", with: "AES") },
        .text("lower-case type", form) { $0.lowercased() },
        .text("a part is missing", form) { $0.replacing("--", with: "-") },
        .text("a part too many", form) { $0 + "-" },
        .text("empty", form) { _ in "" },
        Case("not UTF-8", form) { [0xFF, 0xFE] },
        .text("other key set", "ACTIVATION_VISA_KEY_SET") { $0.replacing("401200.1", with: "401200.2") },
        .text("odd digits", "ACTIVATION_VISA_CIPHERTEXT") { String($0.dropLast()) },
        .text("half a block", "ACTIVATION_VISA_CIPHERTEXT") { String($0.dropLast(8)) },
        .text("no digits", "ACTIVATION_VISA_CIPHERTEXT") { String($0.dropLast(80)) },
        .text("no hexadecimal", "ACTIVATION_VISA_CIPHERTEXT") { $0.dropLast() + "G" },
        .text("a block is missing", layout) { String($0.dropLast(16)) },
        .text("key set and ciphertext", "ACTIVATION_VISA_KEY_SET ACTIVATION_VISA_CIPHERTEXT") {
            $0.replacing("401200.1", with: "X").dropLast() + ""
        },
        Case("upper-case nonce", "") { try value("nonce=DEADBEEF;authcode=123456") },
        Case("another nonce", "ACTIVATION_VISA_NONCE") { try value("nonce=deadbeee;authcode=123456") },
        Case("a longer nonce", "ACTIVATION_VISA_NONCE") { try value("nonce=deadbeef00;authcode=123456") },
        Case("no authcode", layout) { try value("nonce=deadbeef") },
        Case("short authcode", layout) { try value("nonce=deadbeef;authcode=12345") },
        Case("other order", layout) { try value("authcode=123456;nonce=deadbeef") },
        Case("other header", layout) { try value(good, header: [0, 2]) },
        Case("length too small", layout) { try value(good, length: "29") },
        Case("length too large", layout) { try value(good, length: "99") },
        Case("length of no digits", layout) { try value(good, length: "ab") },
        Case("negative length", layout) { try value(good, length: "-1") },
        Case("signed length", layout) { try value("nonce=;", length: "+7") },
        Case("wrong key", layout) {
            var other = visa()
            other.keys.visa = NetworkKeys.VisaKey(keySetID: "401200.1", key: Array(0x30...0x3F))
            return try other.make(other.nonce)
        },
    ])
    func `a Visa value is checked by form, key set, layout and nonce`(_ entry: Case) throws {
        #expect(try Self.visa().verify(entry.make()).codes == entry.expected)
    }

    @Test func `a Visa value needs a nonce`() throws {
        var setting = Self.visa()
        let value = try setting.make(setting.nonce)
        setting.nonce = []
        #expect(try setting.verify(value).codes == "ACTIVATION_VISA_NONCE_ABSENT")
        #expect(throws: ActivationDataMakingFault.visaNeedsNonce) { try setting.make(nil) }
    }

    // MARK: American Express and Discover

    @Test func `the MAC is over the nonce's bytes and the number`() throws {
        let found = try [PaymentNetwork.amex, .discover].map { network in
            var setting = ActivationDataSetting()
            setting.network = network
            setting.number = Samples.number(network)
            return String(decoding: try setting.make(setting.nonce), as: UTF8.self)
        }
        // HMAC-SHA-256 computed by another program.
        #expect(
            found == [
                #"{"v":1,"mac":"GL7O76XBvn6aj4HDx7AGgOJnc6JHu1IowAcv9rU2dgA="}"#,
                #"{"v":1,"mac":"4wueFd0vrrqljOyQhpZkEkIsepF3r3LZ8kv9GoyJu48="}"#,
            ]
        )
    }

    struct MACCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var value: String?
        var change: @Sendable (inout ActivationDataSetting) -> Void = { _ in }
        var nonce: [UInt8]? = [0xDE, 0xAD, 0xBE, 0xEF]
        let expected: String

        init(
            _ name: String,
            value: String? = nil,
            nonce: [UInt8]? = [0xDE, 0xAD, 0xBE, 0xEF],
            expected: String,
            _ change: @escaping @Sendable (inout ActivationDataSetting) -> Void = { _ in }
        ) {
            testDescription = name
            self.value = value
            self.nonce = nonce
            self.expected = expected
            self.change = change
        }
    }

    @Test(
        arguments: [
            MACCase("good", expected: ""),
            MACCase("another nonce", expected: "ACTIVATION_MAC_MISMATCH") { $0.nonce = [1, 2, 3, 4] },
            MACCase("another card", expected: "ACTIVATION_MAC_MISMATCH") { $0.number = "371449635398431" },
            MACCase("another key", expected: "ACTIVATION_MAC_MISMATCH") { setting in
                setting.keys.amex = [1]
                setting.keys.discover = [1]
            },
            MACCase("the other network's key", expected: "ACTIVATION_MAC_MISMATCH") { setting in
                swap(&setting.keys.amex, &setting.keys.discover)
            },
            MACCase("number alone", nonce: nil, expected: "ACTIVATION_MAC_WITHOUT_NONCE"),
            MACCase("number alone, allowed", nonce: nil, expected: "") { $0.allowsMissingNonce = true },
            MACCase("with nonce, missing allowed", expected: "") { $0.allowsMissingNonce = true },
            MACCase("not JSON", value: "x", expected: "ACTIVATION_NOT_JSON"),
            MACCase("array", value: "[1]", expected: "ACTIVATION_NOT_JSON"),
            MACCase("no version", value: "{}", expected: "ACTIVATION_VERSION"),
            MACCase("version as text", value: "{\"v\":\"1\"}", expected: "ACTIVATION_VERSION"),
            MACCase("version 2", value: "{\"v\":2}", expected: "ACTIVATION_VERSION"),
            MACCase("no MAC", value: "{\"v\":1}", expected: "ACTIVATION_MAC_FORM"),
            MACCase("short MAC", value: "{\"v\":1,\"mac\":\"AAAA\"}", expected: "ACTIVATION_MAC_FORM"),
            MACCase("no base64", value: "{\"v\":1,\"mac\":\"zz\"}", expected: "ACTIVATION_MAC_FORM"),
        ],
        [PaymentNetwork.amex, .discover]
    )
    func `a MAC is checked`(_ entry: MACCase, _ network: PaymentNetwork) throws {
        var setting = ActivationDataSetting()
        setting.network = network
        setting.number = Samples.number(network)
        let value = try entry.value.map { Array($0.utf8) } ?? setting.make(entry.nonce)
        entry.change(&setting)
        #expect(try setting.verify(value).codes == entry.expected)
    }
}
