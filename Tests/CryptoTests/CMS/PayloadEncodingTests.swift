import Testing
import Wire

@testable import Crypto

struct PayloadEncodingTests {
    @Test func `each text form is recognised and gives the same bytes`() throws {
        let hex = CMSVector.all[0].hex
        let bytes = try Hex.decode(hex)
        let base64 = Base64.encode(bytes)
        let bare = base64.filter { $0 != "=" }
        let (url, hexLines) = (Base64.encode(bytes, .url), Self.lines(hex))
        #expect(base64 != bare && url != bare, "the vector shows nothing")
        let lines = PEM(label: "PKCS7", bytes: bytes).text
        let body = lines.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
        let cases: [(String, PayloadEncoding, String?)] = [
            (hex, .hexLower, nil), (hex.uppercased(), .hexUpper, nil),
            (hex.prefix(200).uppercased() + hex.dropFirst(200), .hexMixed, nil),
            (base64, .base64, "ENC_BASE64"), (body, .base64Lines, "ENC_BASE64_LINES"),
            (url, .base64URL, "ENC_BASE64URL"), (lines, .pemPKCS7, "ENC_PEM"),
            (PEM(label: "CMS", bytes: bytes).text, .pemCMS, "ENC_PEM"),
            (Base64.encode(Array(hex.utf8)), .base64OfHex, "ENC_DOUBLE"),
            (Base64.encode(Array(base64.utf8)), .base64OfBase64, "ENC_DOUBLE"),
            (Hex.encode(Array(hex.utf8)), .hexOfHex, "ENC_DOUBLE"),
            (Hex.encode(Array(base64.utf8)), .hexOfBase64, "ENC_DOUBLE"),
            (hex + "\n", .hexSpaces, "ENC_HEX_SPACES"), (" " + hex, .hexSpaces, "ENC_HEX_SPACES"),
            (hexLines, .hexSpaces, "ENC_HEX_SPACES"), ("0x" + hex, .hexPrefix, "ENC_HEX_PREFIX"),
            ("0X" + hex.uppercased(), .hexPrefix, "ENC_HEX_PREFIX"), ("0x" + hexLines, .hexPrefix, "ENC_HEX_PREFIX"),
            (bare, .base64Padding, "ENC_UNKNOWN"), ("\(base64.dropLast())", .base64Padding, "ENC_UNKNOWN"),
            (Self.lines(bare), .base64Padding, "ENC_UNKNOWN"), (url + "==", .base64URLPadding, "ENC_UNKNOWN"),
            (url + "\n", .base64URLPadding, "ENC_UNKNOWN"),
            (Self.lines(Hex.encode(Array(hex.utf8))), .hexOfHex, "ENC_DOUBLE"),
        ]
        for (text, encoding, code) in cases {
            let checked = PayloadEncoding.recognise(text)
            #expect(checked.value == RecognisedPayload(bytes: bytes, encoding: encoding), "\(encoding)")
            #expect(checked.checks.first?.code?.name == code)
            #expect(checked.isAccepted)
        }
    }

    /// What `openssl cms -encrypt` and PHP's `openssl_cms_encrypt` write unless they are told to write DER.
    private static func smime(_ body: String, _ header: String = "") -> String {
        header + "MIME-Version: 1.0\nContent-Disposition: attachment; filename=\"smime.p7m\"\n"
            + "Content-Type: application/x-pkcs7-mime; smime-type=enveloped-data; name=\"smime.p7m\"\n"
            + "Content-Transfer-Encoding: base64\n\n" + body + "\n\n"
    }

    @Test func `row 100: S-MIME text is named, and gives its bytes`() throws {
        let bytes = try Hex.decode(CMSVector.all[0].hex)
        let body = PEM(label: "CMS", bytes: bytes).text.split(separator: "\n").dropFirst().dropLast()
            .joined(separator: "\n")
        let text = Self.smime(body)
        let cases: [(String, PayloadEncoding)] = [
            (text, .smime), (text.replacing("\n", with: "\r\n"), .smime), ("\n" + text, .smime),
            (Self.smime(body, "To: a@b.test\nSubject: Card. For you. Now\n folded: line\n"), .smime),
            (Hex.encode(Array(text.utf8)), .hexOfSMIME), (Base64.encode(Array(text.utf8)), .base64OfSMIME),
        ]
        for (text, encoding) in cases {
            let checked = PayloadEncoding.recognise(text)
            #expect(checked.value == RecognisedPayload(bytes: bytes, encoding: encoding), "\(encoding)")
            #expect(checked.checks.first?.code?.name == "ENC_SMIME")
            #expect(checked.checks.first?.hint?.contains("-outform DER") == true)
        }
        #expect(PayloadEncoding.recognise(Self.smime("not base64!")).failures.first?.code?.name == "ENC_SMIME")
    }

    @Test func `row 100: JOSE is said only of three or five parts in base64url`() {
        let cases = [
            ("Error. Could not encrypt. Try later.", "ENC_UNKNOWN"), ("a.b.c.d", "ENC_UNKNOWN"),
            ("eyJh.e30.AA.BB.C*", "ENC_UNKNOWN"), ("..", "ENC_UNKNOWN"), ("eyJhbGciOiJSUzI1NiJ9.e30.AAAA", "ENC_JOSE"),
            ("eyJh.e30.AA.BB.CC", "ENC_JOSE"), ("eyJh..AA.BB.CC\n", "ENC_JOSE"), ("Error.Could.Not", "ENC_UNKNOWN"),
        ]
        for (text, code) in cases {
            #expect(PayloadEncoding.recognise(text).failures.map { $0.code?.name } == [code], "\(text)")
        }
    }

    @Test func `a wrong letter in hexadecimal text is told with its position`() throws {
        let hex = CMSVector.all[0].hex
        for (index, letter) in [(0, "g"), (17, "O"), (hex.count - 1, "l")] {
            var text = hex.map(String.init)
            text[index] = letter
            let check = try #require(PayloadEncoding.recognise(text.joined()).failures.first)
            #expect(check.code?.name == "ENC_HEX_CHARACTER")
            #expect(check.evidence?.hasPrefix("character \(index + 1) of \(hex.count), \"\(letter)\"") == true)
        }
        // Base64 has so many other letters that it is never taken for bent hexadecimal text.
        #expect(PayloadEncoding.recognise(Base64.encode(try Hex.decode(hex))).value?.encoding == .base64)
    }

    private static func lines(_ text: String) -> String {
        text.enumerated().map { $0 > 0 && $0 % 64 == 0 ? "\r\n\($1)" : "\($1)" }.joined()
    }

    @Test func `what is not an encoding is refused by its own name`() {
        let cases: [(String, PayloadEncodingFault)] = [
            ("", .empty), (" \n", .empty), ("{\"fpan\":1}", .json), ("0x3082xx", .hexPrefix),
            ("0x", .hexPrefix), ("0x308", .hexPrefix), ("0X308", .hexPrefix), ("30 8", .hexOdd), ("308\n", .hexOdd),
            ("eyJh.e30.AA.BB.CC", .jose), ("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----", .pemLabel),
            ("308", .hexOdd), ("?", .other), ("MII===", .other), ("MI=I", .other), ("MIIBz", .other),
            ("MIJ", .other), ("AAAAAA=", .other),
        ]
        for (text, fault) in cases {
            let checked = PayloadEncoding.recognise(text)
            #expect(checked.value == nil)
            #expect(checked.failures.first?.code == fault.code, "\(text)")
        }
    }
}
