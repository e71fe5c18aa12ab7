import Testing
import Wire

@testable import Crypto

struct PrimitiveTests {
    @Test(arguments: Hash.allCases)
    func `the digest of nothing and of abc is the published one`(_ hash: Hash) {
        let expected: [Hash: (String, String)] = [
            .sha1: ("da39a3ee", "a9993e36"), .sha256: ("e3b0c442", "ba7816bf"), .sha384: ("38b060a7", "cb00753f"),
            .sha512: ("cf83e135", "ddaf35a1"),
        ]
        #expect(Hex.encode(hash.digest([]).prefix(4)) == expected[hash]?.0)
        #expect(Hex.encode(hash.digest(Array("a".utf8), [], Array("bc".utf8)).prefix(4)) == expected[hash]?.1)
        #expect(hash.digest([]).count == hash.length)
    }

    @Test func `HMAC gives the values of RFC 4231, with a short and a long key`() {
        let short = HMAC.sha256(Array("what do ya want for nothing?".utf8), key: SecretBytes(Array("Jefe".utf8)))
        #expect(Hex.encode(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        let long = HMAC.sha256(message, key: SecretBytes([UInt8](repeating: 0xAA, count: 131)))
        #expect(Hex.encode(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(HMAC.sha256([], key: SecretBytes([])).count == 32)
    }

    @Test(arguments: [12, 16, 1], [0, 1, 16, 100])
    func `GCM opens what it sealed and nothing else`(_ ivLength: Int, _ count: Int) throws {
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        let iv = [UInt8](repeating: 0, count: ivLength)
        let plaintext = [UInt8](repeating: 0x41, count: count)
        let sealed = try AESGCM.seal(plaintext, key: key, iv: iv, authenticating: [1, 2])
        #expect(sealed.count == count + 16)
        #expect(try AESGCM.open(sealed, key: key, iv: iv, authenticating: [1, 2])?.bytes == plaintext)
        #expect(try AESGCM.open(sealed, key: key, iv: iv) == nil)
        var bent = sealed
        bent[0] ^= 1
        #expect(try AESGCM.open(bent, key: key, iv: iv, authenticating: [1, 2]) == nil)
        #expect(try AESGCM.open(Array(sealed.prefix(15)), key: key, iv: iv) == nil)
        #expect(throws: CryptoError.self) { try AESGCM.seal([], key: key, iv: []) }
        #expect(throws: CryptoError.self) { try AESGCM.seal([], key: SecretBytes([1]), iv: iv) }
    }

    @Test(arguments: [16, 24, 32], [0, 15, 16, 17])
    func `CBC opens what it sealed and refuses half blocks`(_ keyLength: Int, _ count: Int) throws {
        let key = SecretBytes([UInt8](repeating: 7, count: keyLength))
        let iv = [UInt8](repeating: 9, count: 16)
        let plaintext = [UInt8](repeating: 0x41, count: count)
        let encrypted = try AESCBC.encrypt(plaintext, key: key, iv: iv)
        #expect(encrypted.count == (count / 16 + 1) * 16)
        #expect(try AESCBC.decrypt(encrypted, key: key, iv: iv)?.bytes == plaintext)
        #expect(try AESCBC.decrypt(Array(encrypted.dropLast()), key: key, iv: iv) == nil)
        #expect(try AESCBC.decrypt([], key: key, iv: iv) == nil)
        #expect(throws: CryptoError.self) { try AESCBC.encrypt([], key: key, iv: [0]) }
    }

    @Test func `TDEA is that of NIST SP 800-67 with K3 equal to K1`() throws {
        let key = SecretBytes(try Hex.decode("0123456789abcdeffedcba9876543210"))
        let zero = [UInt8](repeating: 0, count: 8)
        let encrypted = try TDEA.encrypt(zero, key: key, iv: zero)
        // openssl enc -des-ede-cbc -nopad
        #expect(Hex.encode(encrypted) == "08d7b4fb629d0885")
        #expect(try TDEA.decrypt(encrypted, key: key, iv: zero)?.bytes == zero)
        #expect(try TDEA.decrypt([1], key: key, iv: zero) == nil)
        #expect(throws: CryptoError.self) { try TDEA.encrypt([1], key: key, iv: zero) }
    }

    @Test func `secrets do not print and compare by value`() {
        let secret = SecretBytes([1, 2, 3])
        #expect("\(secret)" == "***")
        #expect(String(reflecting: secret) == "***")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("1"))
        #expect(secret == SecretBytes([1, 2, 3]))
        #expect(secret != SecretBytes([1, 2, 4]))
        #expect(SecretBytes([]) == SecretBytes([]))
        #expect(ConstantTime.areEqual("a", "a") && !ConstantTime.areEqual("a", "ab") && ConstantTime.areEqual([], []))
    }

    @Test func `random bytes have the length asked for`() throws {
        #expect(try SecureRandom.bytes(0).isEmpty)
        #expect(try SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}
