import Testing
import Wire

@Suite struct EncodingTests {
    struct Broken: CustomTestStringConvertible, Sendable {
        let text: String
        let variant: Base64.Variant?
        let fault: EncodingFault

        init(_ text: String, _ variant: Base64.Variant?, _ reason: EncodingFault.Reason, _ offset: Int) {
            self.text = text
            self.variant = variant
            fault = EncodingFault(reason: reason, offset: offset)
        }

        var testDescription: String { "\(variant.map { "\($0)" } ?? "hex") \(text)" }

        func decode() throws(EncodingFault) -> [UInt8] {
            if let variant { try Base64.decode(text, variant) } else { try Hex.decode(text) }
        }
    }

    @Test(arguments: [
        Broken("0", nil, .length, 1), Broken("abc", nil, .length, 3), Broken("0g", nil, .alphabet, 1),
        Broken("0x12", nil, .alphabet, 1), Broken("12 34", nil, .alphabet, 2), Broken("é0", nil, .alphabet, 0),
        Broken("1\u{FF11}", nil, .alphabet, 1),
        Broken("A", .standard, .length, 1), Broken("AAAAA", .standard, .length, 5),
        Broken("A===", .standard, .length, 4), Broken("AA-_", .standard, .alphabet, 2),
        Broken("AA A", .standard, .alphabet, 2), Broken("AAAA\n", .standard, .alphabet, 4),
        Broken("AAé", .standard, .alphabet, 2), Broken("AA", .standard, .padding, 2),
        Broken("AAA", .standard, .padding, 3), Broken("AA=", .standard, .padding, 3),
        Broken("AA=A", .standard, .padding, 3), Broken("AAA=AAAA", .standard, .padding, 4),
        Broken("AAAA=", .standard, .padding, 5), Broken("AAAA====", .standard, .padding, 8),
        Broken("=", .standard, .padding, 1), Broken("====", .standard, .padding, 4),
        Broken("AB==", .standard, .trailingBits, 1), Broken("AAB=", .standard, .trailingBits, 2),
        Broken("A", .url, .length, 1), Broken("AA==", .url, .padding, 2), Broken("AA=", .url, .padding, 2),
        Broken("AA+A", .url, .alphabet, 2), Broken("A/AA", .url, .alphabet, 1), Broken("AB", .url, .trailingBits, 1),
        Broken("AAB", .url, .trailingBits, 2), Broken("AA.A", .url, .alphabet, 2),
    ])
    func `a broken text is refused with reason and offset`(_ broken: Broken) {
        #expect(throws: broken.fault) { try broken.decode() }
    }

    @Test func `the vectors of RFC 4648 hold`() {
        // Section 10.
        let vectors = [
            ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"),
            ("foob", "Zm9vYg==", "666f6f62"), ("fooba", "Zm9vYmE=", "666f6f6261"),
            ("foobar", "Zm9vYmFy", "666f6f626172"),
        ]
        let wrong = vectors.filter { text, base64, hex in
            let bytes = Array(text.utf8)
            return Base64.encode(bytes) != base64 || (try? Base64.decode(base64)) != bytes
                || Base64.encode(bytes, .url) != base64.filter { $0 != "=" } || Hex.encode(bytes) != hex
                || (try? Hex.decode(hex.uppercased())) != bytes
        }
        #expect(wrong.map(\.0) == [])
    }

    @Test func `the alphabets differ in two characters`() throws {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect([Base64.encode(bytes), Base64.encode(bytes, .url)] == ["++//", "--__"])
        #expect(try [Base64.decode("++//"), Base64.decode("--__", .url)] == [bytes, bytes])
    }

    @Test func `any bytes come back, and no other text gives them`() {
        var random = Generator(seed: 1)
        let wrong = (0..<400).filter { length in
            let bytes = random.bytes(length % 70)
            let (standard, url, hex) = (Base64.encode(bytes), Base64.encode(bytes, .url), Hex.encode(bytes))
            return (try? Base64.decode(standard)) != bytes || (try? Base64.decode(url, .url)) != bytes
                || (try? Hex.decode(hex)) != bytes || standard.utf8.count != (bytes.count + 2) / 3 * 4
        }
        #expect(wrong == [])
    }

    @Test func `a text that decodes is the one that encoding gives`() {
        var random = Generator(seed: 2)
        let alphabet = Array("ABab09+/-_=".utf8)
        let wrong = (0..<4_000).compactMap { _ -> String? in
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            for variant in [Base64.Variant.standard, .url] {
                guard let bytes = try? Base64.decode(text, variant) else { continue }
                if Array(Base64.encode(bytes, variant).utf8) != text { return String(decoding: text, as: UTF8.self) }
            }
            return nil
        }
        #expect(wrong == [])
    }
}
