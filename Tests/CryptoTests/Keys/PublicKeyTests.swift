import Testing
import Wire

@testable import Crypto

/// One key text and what comes of it.
struct KeyCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let kind: KeyKind?
    let fault: KeyFault?

    init(_ name: String, _ text: String, _ kind: KeyKind) {
        (self.name, self.text, self.kind, fault) = (name, text, kind, nil)
    }
    init(_ name: String, _ text: String, _ fault: KeyFault) {
        (self.name, self.text, kind, self.fault) = (name, text, nil, fault)
    }

    var testDescription: String { name }
}

struct PublicKeyTests {
    @Test(arguments: [
        KeyCase("RSA", KeyVectors.rsaPublic, .rsa), KeyCase("RSA, PKCS#1", KeyVectors.rsaPublicPKCS1, .rsa),
        KeyCase("certificate", KeyVectors.payloadCertificate, .rsa),
        KeyCase(
            "one line with escaped breaks",
            KeyVectors.rsaPublic.split(separator: "\n").joined(separator: "\\n"),
            .rsa
        ),
        KeyCase("private key", KeyVectors.rsa, .privateGiven),
        KeyCase("PKCS#1 private key", KeyVectors.rsaPKCS1, .privateGiven),
        KeyCase("short RSA", KeyVectors.shortRSAPublic, .tooSmall),
        KeyCase("secp256k1", KeyVectors.secp256k1Public, .curve),
        KeyCase("no PEM", "MIIB", .notPEM), KeyCase("empty", "", .notPEM),
        KeyCase("other label", "-----BEGIN CMS-----\nMAA=\n-----END CMS-----", .pemLabel),
        KeyCase("damaged body", "-----BEGIN PUBLIC KEY-----\nM*A=\n-----END PUBLIC KEY-----", .pemNotDER),
        KeyCase("cut body", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", .notDER),
    ])
    func `a PEM text is a public key or is refused for its own reason`(_ test: KeyCase) {
        do throws(KeyError) {
            let key = try PublicKey(pem: test.text)
            #expect(key.kind == test.kind)
        } catch {
            #expect(error.fault == test.fault)
        }
    }

    @Test(arguments: [
        KeyCase("RSA", KeyVectors.rsa, .rsa), KeyCase("RSA, PKCS#1", KeyVectors.rsaPKCS1, .rsa),
        KeyCase("P-256", KeyVectors.p256, .p256), KeyCase("P-256, SEC 1", KeyVectors.p256SEC1, .p256),
        KeyCase("P-384", KeyVectors.p384, .p384), KeyCase("P-521", KeyVectors.p521, .p521),
        KeyCase("Ed25519", KeyVectors.ed25519, .ed25519), KeyCase("passphrase", KeyVectors.p256Encrypted, .encrypted),
        KeyCase("public key", KeyVectors.rsaPublic, .publicGiven),
    ])
    func `a PEM text is a private key or is refused for its own reason`(_ test: KeyCase) throws {
        do throws(KeyError) {
            let key = try PrivateKey(pem: test.text)
            #expect(key.kind == test.kind)
        } catch {
            #expect(error.fault == test.fault)
            return
        }
        let key = try PrivateKey(pem: test.text)
        #expect(try PrivateKey(pem: key.pem).publicKey == key.publicKey)
        #expect(try PublicKey(jwk: key.publicKey.jwk) == key.publicKey)
        #expect(try PublicKey(pem: key.publicKey.pem).thumbprint == key.publicKey.thumbprint)
        #expect("\(key)".contains("PRIVATE") == false)
    }

    @Test func `the thumbprint is that of RFC 7638, section 3_1`() throws {
        let n = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhM\
            stn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5h\
            ajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
            """
        let key = try PublicKey(jwk: ["kty": "RSA", "n": .string(n), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29"])
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test func `a JWK is refused for its own reason`() throws {
        let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        let cases: [(JSON, KeyFault?)] = [
            (["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y)], nil),
            (["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(x)], .notOnCurve),
            (["kty": "EC", "crv": "P-384", "x": .string(x), "y": .string(y)], .jwkCoordinateLength),
            (["kty": "EC", "crv": "secp256k1", "x": .string(x), "y": .string(y)], .curve),
            (["kty": "EC", "crv": "P-256", "x": .string(x + "="), "y": .string(y)], .jwkMemberEncoding),
            (["kty": "EC", "crv": "P-256", "x": .string(x)], .jwkMemberMissing),
            (["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y), "d": "AA"], .privateGiven),
            (["kty": "oct", "k": "AAAA"], .symmetricGiven),
            (["kty": "XYZ"], .kind),
            (["keys": []], .jwkSet), (["kty": "RSA", "n": "AQAB", "e": 65_537], .jwkMemberType),
            ("text", .jwkNotObject),
            (["kty": "RSA", "n": "AQAB", "e": "AQAB"], .tooSmall),
        ]
        for (jwk, fault) in cases {
            var seen: KeyFault?
            do throws(KeyError) { _ = try PublicKey(jwk: jwk) } catch { seen = error.fault }
            #expect(seen == fault, "\(jwk.text)")
        }
    }

    @Test func `a point that is not one is refused by its own name`() throws {
        let point = try #require(PrivateKey(pem: KeyVectors.p256).publicKey.uncompressedPoint)
        let spki = try PrivateKey(pem: KeyVectors.p256).publicKey.der
        var off = point
        off[64] ^= 1
        let cases: [([UInt8], EphemeralKeyFault?)] = [
            (point, nil), ([], .empty), (Array(point.dropFirst()), .raw64), ([2] + point[1...32], .compressed),
            ([7] + point.dropFirst(), .hybrid), (spki, .spki), (off, .notOnCurve), ([0], .infinity),
            ([UInt8](repeating: 0, count: 65), .prefix), ([4] + [UInt8](repeating: 0, count: 64), .infinity),
            (point + [0], .length), ([4] + [UInt8](repeating: 1, count: 96), .otherCurve),
            (Array(KeyVectors.rsaPublic.utf8), .pem), ([4] + [UInt8](repeating: 0xFF, count: 64), .notOnCurve),
        ]
        for (bytes, fault) in cases {
            let checked = P256Point.check(bytes)
            #expect(checked.failures.first?.code == fault?.code, "\(bytes.count)")
        }
    }

    @Test func `both sides of a key agreement find the same secret`() throws {
        let one = try PrivateKey.generateP256()
        let two = try PrivateKey(pem: KeyVectors.p256)
        let onePoint = try #require(P256Point.check(one.publicKey.uncompressedPoint ?? []).value)
        let twoPoint = try #require(P256Point.check(two.publicKey.uncompressedPoint ?? []).value)
        #expect(try one.sharedSecret(with: twoPoint) == two.sharedSecret(with: onePoint))
        #expect(throws: CryptoError.self) { try PrivateKey(pem: KeyVectors.rsa).sharedSecret(with: onePoint) }
    }

    @Test func `the cache forgets the least recently used`() {
        let cache = ParsedCache<Int>(capacity: 2)
        var parsed = 0
        for byte: UInt8 in [1, 2, 1, 3, 1, 2] {
            _ = cache.value(for: [byte]) { () throws(Never) in
                parsed += 1
                return Int(byte)
            }
        }
        #expect(parsed == 4)
        #expect(cache.count == 2)
    }
}
