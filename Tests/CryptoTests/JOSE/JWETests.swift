import Testing
import Wire

@testable import Crypto

struct JWETests {
    private static let plaintext = Array(#"{"pan":"4761732103612718","exp":"1230"}"#.utf8)

    private func recipient() throws -> JWERecipient { JWERecipient(kid: "K1", key: try PrivateKey.generateP256()) }

    private func codes(_ text: String, _ recipient: JWERecipient) throws -> [String] {
        try JWEOpener(recipients: [recipient]).open(text, field: "data").failures.compactMap { $0.code?.name }
    }

    @Test func `what is sealed opens, with and without party info`() throws {
        let recipient = try recipient()
        for (apu, apv) in [([], []), (Array("Alice".utf8), Array("Bob".utf8))] as [([UInt8], [UInt8])] {
            let text = try JWESealer.seal(Self.plaintext, to: recipient.key.publicKey, kid: "K1", apu: apu, apv: apv)
            let opened = try JWEOpener(recipients: [recipient]).open(text, field: "data")
            #expect(opened.value?.bytes == Self.plaintext)
            #expect(opened.failures.isEmpty)
        }
    }

    /// RFC 7518, appendix C.
    @Test func `the key derivation gives the key of the standard's example`() throws {
        let scalar = try Base64.decode("VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw", .url)
        let alice = try PrivateKey(
            p256Scalar: SecretBytes(Base64.decode("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo", .url))
        )
        let bob = try PrivateKey(p256Scalar: SecretBytes(scalar))
        let bytes = try #require(bob.publicKey.uncompressedPoint)
        let point = try #require(P256Point.check(bytes).value)
        let key = ConcatKDF.key(
            secret: try alice.sharedSecret(with: point),
            algorithm: "A128GCM",
            apu: Array("Alice".utf8),
            apv: Array("Bob".utf8),
            bits: 128
        )
        #expect(Base64.encode(key.bytes, .url) == "VqqN6vgjbSBcIijNcacQGg")
    }

    struct Header: CustomTestStringConvertible {
        let name: String
        let value: JSON
        let code: String
        var testDescription: String { "\(name) \(code)" }

        init(_ name: String, _ value: JSON, _ code: JWEFault) {
            self.name = name
            self.value = value
            self.code = code.rawValue
        }

        private static let zero = JSON.string(Base64.encode([UInt8](repeating: 0, count: 32), .url))
        private static func point(_ changes: [(String, JSON)]) -> JSON {
            var key: JSONObject = JSONObject([
                ("kty", "EC"), ("crv", "P-256"), ("x", "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0"),
                ("y", "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"),
            ])
            for (name, value) in changes { key[name] = value.isNull ? JSON?.none : value }
            return .object(key)
        }

        static let all = [
            Header("alg", .null, .algorithmMissing), Header("alg", "RSA-OAEP-256", .algorithmNotAllowed),
            Header("alg", "dir", .algorithmNotAllowed), Header("alg", "ECDH-ES+A256KW", .keyWrapped),
            Header("alg", 1, .headerMemberType), Header("enc", .null, .encryptionMissing),
            Header("enc", "A128GCM", .encryptionNotAllowed), Header("enc", "A256CBC-HS512", .encryptionNotAllowed),
            Header("kid", .null, .keyIDMissing), Header("kid", "K2", .keyIDUnknown), Header("zip", "DEF", .compressed),
            Header("crit", ["x"], .critical), Header("jku", "https://127.0.0.1:1/", .keyReference),
            Header("epk", .null, .ephemeralMissing), Header("epk", "x", .ephemeralNotObject),
            Header("epk", point([("kty", "OKP")]), .ephemeralType),
            Header("epk", point([("crv", "P-384")]), .ephemeralCurve),
            Header("epk", point([("x", .null)]), .ephemeralMember),
            Header("epk", point([("x", "AAAA")]), .ephemeralCoordinate),
            Header("epk", point([("x", zero)]), .ephemeralNotOnCurve),
            Header("epk", point([("x", zero), ("y", zero)]), .ephemeralNotOnCurve),
            Header("epk", point([("d", zero)]), .ephemeralPrivate), Header("apu", "=", .partyInfo),
            // A point of somebody else: everything is right but the secret.
            Header("epk", point([]), .tag),
        ]
    }

    @Test(arguments: Header.all)
    func `a header that is wrong is refused by name`(_ header: Header) throws {
        let recipient = try recipient()
        let changes = JSONObject([(header.name, header.value)])
        let text = try JWESealer.seal(Self.plaintext, to: recipient.key.publicKey, kid: "K1", header: changes)
        #expect(try codes(text, recipient) == [header.code])
    }

    @Test func `a form that is wrong is refused by name`() throws {
        let recipient = try recipient()
        let good = try JWESealer.seal(Self.plaintext, to: recipient.key.publicKey, kid: "K1")
        let parts = good.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func with(_ index: Int, _ text: String) -> String {
            var changed = parts
            changed[index] = text
            return changed.joined(separator: ".")
        }
        let cases: [(String, JWEFault)] = [
            ("", .empty), (String(repeating: "a", count: 8_193), .tooLarge), ("{}", .jsonForm),
            (good + " ", .whitespace),
            ("a.b.c", .signed), ("a.b", .parts), (with(0, ""), .headerEmpty), (with(0, "e30="), .padding),
            (with(3, "ab+d"), .standardAlphabet), (with(3, "ab!d"), .alphabet), (with(3, "abcde"), .segmentLength),
            (with(3, "abd"), .trailingBits), (with(0, "eyI"), .headerJSON), (with(0, "W10"), .headerNotObject),
            (with(0, Base64.encode(Array(#"{"alg":"a","alg":"b"}"#.utf8), .url)), .headerDuplicate),
            (with(1, "AAAA"), .encryptedKey), (with(2, "AAAA"), .ivLength), (with(4, "AAAA"), .tagLength),
            (with(2, Base64.encode([UInt8](repeating: 0, count: 12), .url)), .tag), (with(3, "AAAA"), .tag),
        ]
        for (text, fault) in cases { #expect(try codes(text, recipient) == [fault.rawValue], "\(fault)") }
    }

    @Test func `mistakes in the derivation are told apart`() throws {
        let recipient = try recipient()
        let key = recipient.key.publicKey
        let named = try JWESealer.seal(Self.plaintext, to: key, kid: "K1", algorithmID: "ECDH-ES")
        #expect(try codes(named, recipient) == [JWEFault.derivedWithAlgorithm.rawValue])
        let bare = try JWESealer.seal(Self.plaintext, to: key, kid: "K1", apu: [1], derivesPartyInfo: false)
        #expect(try codes(bare, recipient) == [JWEFault.derivedWithoutPartyInfo.rawValue])
    }
}
