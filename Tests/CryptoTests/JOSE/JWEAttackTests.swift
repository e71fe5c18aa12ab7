import Testing
import Wire

@testable import Crypto

/// The published attacks on encrypted tokens. All but the last are refused before a private key is used.
struct JWEAttackTests {
    private let recipient: JWERecipient
    private let plaintext = Array(#"{"exp":"1230"}"#.utf8)

    init() throws { recipient = JWERecipient(kid: "K1", key: try PrivateKey.generateP256()) }

    private func seal(_ header: [(String, JSON)]) throws -> String {
        try JWESealer.seal(plaintext, to: recipient.key.publicKey, kid: "K1", header: JSONObject(header))
    }

    /// The codes, and how often the private key was used.
    private func open(_ text: String) throws -> (codes: [String], uses: Int) {
        let (checked, work) = try WorkMeter.counting {
            try JWEOpener(recipients: [recipient]).open(text, field: "data")
        }
        #expect(checked.value == nil)
        return (checked.failures.compactMap { $0.code?.name }, work.privateKey)
    }

    struct Bent: CustomTestStringConvertible {
        let header: [(String, JSON)]
        let code: String
        var testDescription: String { header.map { "\($0) \($1.text.prefix(40))" }.joined(separator: ", ") }

        init(_ code: JWEFault, _ header: (String, JSON)...) {
            self.header = header
            self.code = code.rawValue
        }
    }

    static let bent: [Bent] = [
        Bent(.algorithmNotAllowed, ("alg", "none")), Bent(.algorithmNotAllowed, ("alg", "ecdh-es")),
        Bent(.algorithmNotAllowed, ("alg", "A256KW")), Bent(.algorithmNotAllowed, ("alg", "A256GCMKW")),
        Bent(.algorithmNotAllowed, ("alg", "RSA-OAEP")), Bent(.algorithmNotAllowed, ("alg", "RS256")),
        Bent(.rsaPKCS1, ("alg", "RSA1_5")), Bent(.keyWrapped, ("alg", "ECDH-ES+A128KW")),
        Bent(.passwordBased, ("alg", "PBES2-HS256+A128KW"), ("p2s", "AAAA"), ("p2c", 2_147_483_647)),
        Bent(.passwordBased, ("alg", "PBES2-HS384+A192KW"), ("p2s", "AAAA"), ("p2c", .number("9007199254740992"))),
        Bent(.passwordBased, ("alg", "PBES2-HS512+A256KW"), ("p2c", -1)),
        Bent(.passwordBased, ("alg", "PBES2-HS512+A256KW"), ("p2c", "1000000000")),
        Bent(.compressed, ("zip", "DEF")), Bent(.compressed, ("zip", "GZ")),
        Bent(.compressed, ("zip", ["DEF"])),
        Bent(.keyReference, ("jwk", ["kty": "EC"])), Bent(.keyReference, ("jwk", "x")),
        Bent(.keyReference, ("jku", "https://127.0.0.1:1/")), Bent(.keyReference, ("x5u", "file:///etc/hostname")),
        Bent(.keyReference, ("x5c", ["MIIB"])), Bent(.keyReference, ("x5c", "MIIB")),
        Bent(.critical, ("crit", [])), Bent(.critical, ("crit", ["exp"])),
        Bent(.encryptionNotAllowed, ("enc", "A128CBC-HS256")), Bent(.encryptionNotAllowed, ("enc", "none")),
        Bent(.keyIDUnknown, ("kid", "../K1")), Bent(.keyIDUnknown, ("kid", "")),
    ]

    @Test(arguments: bent) func `a header that attacks is refused by name and without a key`(_ bent: Bent) throws {
        let (codes, uses) = try open(try seal(bent.header))
        #expect(codes == [bent.code])
        #expect(uses == 0)
    }

    /// As the producer would really send it: no epk, and a key in the second part.
    @Test(arguments: ["RSA1_5": "JWE_ALG_RSA1_5", "PBES2-HS256+A128KW": "JWE_ALG_PBES2"])
    func `a whole token of another kind is first of all of another kind`(_ name: String, _ code: String) throws {
        let header: JSON = ["alg": .string(name), "enc": "A256GCM", "kid": "K1", "p2s": "AAAA", "p2c": 1_000_000_000]
        let parts = [header.bytes, [UInt8](repeating: 7, count: 256), [UInt8](repeating: 0, count: 12), [1], []]
        let text = parts.map { Base64.encode($0, .url) }.joined(separator: ".")
        let (codes, uses) = try open(text)
        #expect(codes.first == code)
        #expect(uses == 0)
    }

    private static let field = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"

    /// Points that would tell the private key bit by bit.
    @Test func `a point that is not on the curve never meets the private key`() throws {
        let zero = String(repeating: "0", count: 64)
        let one = String(repeating: "0", count: 63) + "1"
        let good = recipient.key.publicKey.uncompressedPoint.map { Hex.encode($0.dropFirst()) } ?? ""
        let points: [(x: String, y: String)] = [
            (zero, zero), (one, one), (zero, one), (Self.field, zero), (Self.field, Self.field),
            (String(repeating: "f", count: 64), one), (String(good.prefix(64)), one),
            // The coordinates in the wrong order.
            (String(good.suffix(64)), String(good.prefix(64))),
        ]
        for (x, y) in points {
            let point: JSON = [
                "kty": "EC", "crv": "P-256", "x": .string(Base64.encode(try Hex.decode(x), .url)),
                "y": .string(Base64.encode(try Hex.decode(y), .url)),
            ]
            let (codes, uses) = try open(try seal([("epk", point)]))
            #expect(codes == ["JWE_EPK_NOT_ON_CURVE"], "\(x) \(y)")
            #expect(uses == 0)
        }
        for (count, curve) in [(31, "P-256"), (33, "P-256"), (48, "P-384"), (66, "P-521")] {
            let octets = JSON.string(Base64.encode([UInt8](repeating: 1, count: count), .url))
            let (codes, uses) = try open(
                try seal([("epk", ["kty": "EC", "crv": .string(curve), "x": octets, "y": octets])])
            )
            #expect(codes.first == (curve == "P-256" ? "JWE_EPK_COORDINATE" : "JWE_EPK_CURVE"))
            #expect(uses == 0)
        }
    }

    @Test func `forms that attack are refused by name and without a key`() throws {
        let good = try seal([])
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func with(header: String) -> String {
            ([Base64.encode(Array(header.utf8), .url)] + parts.dropFirst()).joined(separator: ".")
        }
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let cases: [(String, JWEFault)] = [
            (good + ".AAAA", .parts), (good + ".", .parts), ("." + good, .parts), (good + "." + good, .parts),
            (String(repeating: ".", count: 8_192), .parts), ("....", .headerEmpty),
            (with(header: #"{"alg":"ECDH-ES","kid":"\#(String(repeating: "k", count: 1 << 20))"}"#), .tooLarge),
            (with(header: #"{"alg":"ECDH-ES","\u0061lg":"dir"}"#), .headerDuplicate),
            (with(header: #"{"alg":"ECDH-ES","epk":{"x":"a","x":"b"}}"#), .headerDuplicate),
            (with(header: #"{"a":\#(deep)}"#), .headerJSON), (with(header: #"{"p2c":1e400}"#), .headerJSON),
            (with(header: #"{"p2c":99999999999999999999}"#), .headerJSON),
            (with(header: "\u{FEFF}{}"), .headerJSON), (with(header: #"{"alg":"ECDH-ES",}"#), .headerJSON),
        ]
        for (text, fault) in cases {
            let (codes, uses) = try open(text)
            #expect(codes == [fault.rawValue], "\(text.prefix(80))")
            #expect(uses == 0)
        }
    }

    @Test func `no part can be cut or bent and still open`() throws {
        let good = try seal([])
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for part in [0, 2, 3, 4] {
            for cut in 1...4 {
                var changed = parts
                changed[part] = String(parts[part].dropLast(cut))
                #expect(try open(changed.joined(separator: ".")).codes.isEmpty == false, "\(part) \(cut)")
            }
        }
        var random = SplitMix(seed: 28)
        for _ in 0..<100 {
            var bytes = Array(good.utf8)
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<7, using: &random)
            #expect(try open(String(decoding: bytes, as: UTF8.self)).codes.isEmpty == false)
        }
    }
}
