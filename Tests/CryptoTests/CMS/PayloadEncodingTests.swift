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

    private static func lines(_ text: String) -> String {
        text.enumerated().map { $0 > 0 && $0 % 64 == 0 ? "\r\n\($1)" : "\($1)" }.joined()
    }

    @Test func `what is not an encoding is refused by its own name`() {
        let cases: [(String, PayloadEncodingFault)] = [
            ("", .empty), (" \n", .empty), ("{\"fpan\":1}", .json), ("0x3082xx", .hexPrefix),
            ("0x", .hexPrefix), ("0x308", .hexPrefix), ("0X308", .hexPrefix), ("30 8", .hexOdd), ("308\n", .hexOdd),
            ("eyJh.e30.AA.BB.C*", .jose), ("-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----", .pemLabel),
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
