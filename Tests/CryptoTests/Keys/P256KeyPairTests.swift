import Testing

@testable import Crypto

@Suite("P-256 key pairs read from their parts")
struct P256KeyPairTests {
    @Test func `a pair is the same as before it was written`() throws {
        let made = try PrivateKey.generateP256()
        let bytes = try made.der.bytes
        let read = try PrivateKey(der: bytes)
        #expect(P256KeyPair.read(pkcs8: bytes).map(KeyHandle.init(takingOwnershipOf:)) != nil)
        #expect(read.publicKey == made.publicKey)
        #expect(try read.der == made.der)
        let point = try #require(P256Point(try PrivateKey.generateP256().publicKey))
        #expect(try read.sharedSecret(with: point) == made.sharedSecret(with: point))
        let signature = try read.sign([1, 2, 3], .ecdsa(.sha256))
        #expect(made.publicKey.verifies(signature, of: [1, 2, 3], .ecdsa(.sha256)))
    }

    @Test func `a pair is written as OpenSSL writes it`() throws {
        let bytes = try #require(try PEM.blocks(in: KeyVectors.p256).first).bytes
        #expect(try PrivateKey(der: bytes).der.bytes == bytes)
        // A small number keeps its zeros.
        let small = try PrivateKey(p256Scalar: SecretBytes([UInt8](repeating: 0, count: 31) + [7]))
        let written = try small.der.bytes
        #expect(P256KeyPair.read(pkcs8: written).map(KeyHandle.init(takingOwnershipOf:)) != nil)
        #expect(try PrivateKey(der: written).publicKey == small.publicKey)
    }

    @Test func `a document of another kind is left to OpenSSL`() throws {
        for pem in [KeyVectors.rsa, KeyVectors.p384, KeyVectors.p521, KeyVectors.ed25519, KeyVectors.p256SEC1] {
            let block = try #require(try PEM.blocks(in: pem).last)
            #expect(P256KeyPair.read(pkcs8: block.bytes) == nil)
            #expect(throws: Never.self) { try PrivateKey(der: block.bytes) }
        }
    }

    @Test func `a point off the curve and a document that is cut or too long are refused`() throws {
        let bytes = try PrivateKey.generateP256().der.bytes
        var bent = bytes
        bent[bent.count - 1] ^= 1
        #expect(P256KeyPair.read(pkcs8: bent) == nil)
        #expect(throws: KeyError.self) { try PrivateKey(der: bent) }
        #expect(P256KeyPair.read(pkcs8: Array(bytes.dropLast())) == nil)
        #expect(P256KeyPair.read(pkcs8: bytes + [0]) == nil)
        #expect(P256KeyPair.read(pkcs8: []) == nil)
    }
}
