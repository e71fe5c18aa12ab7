import Testing
import Wire

@testable import Crypto

struct PassDataTests {
    private let plaintext = Array(PassDataVector.plaintext.utf8)

    private func key(_ hex: String) throws -> PrivateKey {
        try PrivateKey(p256Scalar: SecretBytes(Hex.decode(hex)))
    }

    @Test func `the vector is made and opened byte by byte`() throws {
        let leaf = try key(PassDataVector.leafScalar)
        let ephemeral = try key(PassDataVector.ephemeralScalar)
        #expect(leaf.publicKey.uncompressedPoint.map { Hex.encode($0) } == PassDataVector.leafPoint)
        #expect(ephemeral.publicKey.uncompressedPoint.map { Hex.encode($0) } == PassDataVector.ephemeralPoint)
        let point = try #require(P256Point.check(try Hex.decode(PassDataVector.ephemeralPoint)).value)
        let secret = try leaf.sharedSecret(with: point)
        #expect(Hex.encode(secret.bytes) == PassDataVector.secret)
        for (construction, expected) in [
            (PassDataConstruction.canonical, PassDataVector.key),
            (PassDataConstruction(derivation: .secretFirst), PassDataVector.keyX963),
        ] {
            let key = construction.key(secret: secret, ephemeral: point.bytes, leaf: [])
            #expect(Hex.encode(key.bytes) == expected)
        }
        for (length, hex) in [(12, PassDataVector.sealed12), (16, PassDataVector.sealed16)] {
            let cipher = PassDataCipher(construction: PassDataConstruction(ivLength: length))
            let sealed = try cipher.seal(plaintext, to: leaf.publicKey, ephemeral: ephemeral)
            #expect(Hex.encode(sealed.encryptedPassData) == hex)
            let checked = try cipher.open(sealed, leafKey: leaf)
            #expect(checked.isAccepted && checked.value?.bytes == plaintext)
        }
    }

    @Test func `each wrong construction is named and refused`() throws {
        let leaf = try PrivateKey.generateP256()
        let merchant = "merchant.test"
        let cases: [(PassDataConstruction, [PassDataFault])] = [
            (PassDataConstruction(ivLength: 16), [.iv16]), (PassDataConstruction(derivation: .secretFirst), [.order]),
            (PassDataConstruction(hasLengthByte: false), [.noLengthByte]),
            (PassDataConstruction(partyV: .merchant(merchant)), [.partyMerchant]),
            (PassDataConstruction(partyV: .raw64), [.partyRaw64]),
            (PassDataConstruction(partyV: .compressed), [.partyCompressed]),
            (PassDataConstruction(partyV: .empty), [.partyEmpty]), (PassDataConstruction(partyV: .leaf), [.partyLeaf]),
            (PassDataConstruction(tag: .prepended), [.tagPrepended]),
            (PassDataConstruction(derivation: .none), [.noDerivation]),
            (
                PassDataConstruction(ivLength: 16, partyV: .merchant(merchant), hasLengthByte: false),
                [.iv16, .noLengthByte, .partyMerchant]
            ),
        ]
        let alternatives = PassDataAlternatives(merchantIdentifiers: ["merchant.other", merchant])
        for (construction, faults) in cases {
            let sealed = try PassDataCipher(construction: construction).seal(plaintext, to: leaf.publicKey)
            let checked = try PassDataCipher().open(sealed, leafKey: leaf, alternatives: alternatives)
            #expect(checked.value == nil)
            #expect(checked.failures.compactMap(\.code) == faults.map(\.code), "\(construction)")
        }
        let configured = PassDataCipher(construction: PassDataConstruction(ivLength: 16))
        let usual = try PassDataCipher().seal(plaintext, to: leaf.publicKey)
        #expect(try configured.open(usual, leafKey: leaf).failures.first?.code == PassDataFault.iv12.code)
    }

    @Test func `the leaf of another session and damaged data are named`() throws {
        let leaf = try PrivateKey.generateP256()
        let other = try PrivateKey.generateP256()
        let cipher = PassDataCipher()
        let sealed = try cipher.seal(plaintext, to: other.publicKey)
        let alternatives = PassDataAlternatives(leafKeys: [("session 7", other)])
        let mismatch = try cipher.open(sealed, leafKey: leaf, alternatives: alternatives).failures
        #expect(mismatch.map(\.code) == [PassDataFault.leafMismatch.code])
        #expect(mismatch.first?.evidence == "session 7")

        let good = try cipher.seal(plaintext, to: leaf.publicKey)
        let bytes = good.encryptedPassData
        var bent = bytes
        bent[3] ^= 1
        let cases: [([UInt8], PassDataFault)] = [
            ([], .empty), ([1, 2, 3], .short), (bent, .notOpened), (Array(bytes.dropLast(16)), .tagMissing),
            (Array(Hex.encode(bytes).utf8), .encoded), (Array(Base64.encode(bytes).utf8), .encoded),
        ]
        for (bytes, fault) in cases {
            let changed = SealedPassData(encryptedPassData: bytes, ephemeralPublicKey: good.ephemeralPublicKey)
            #expect(try cipher.open(changed, leafKey: leaf).failures.compactMap(\.code) == [fault.code])
        }
        let wrongPoint = SealedPassData(
            encryptedPassData: bytes,
            ephemeralPublicKey: Array(good.ephemeralPublicKey.dropFirst())
        )
        #expect(try cipher.open(wrongPoint, leafKey: leaf).failures.map(\.code) == [EphemeralKeyFault.raw64.code])
        #expect(throws: CryptoError.self) { try cipher.seal([], to: PublicKey(pem: KeyVectors.rsaPublic)) }
    }
}
