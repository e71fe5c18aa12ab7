import Wire

@testable import Crypto

/// A root, a sub-CA and a leaf as a wallet provider has them, made for one test.
struct TestHierarchy {
    static let start = Instant(seconds: 1_700_000_000)
    static let end = Instant(seconds: 2_000_000_000)

    let rootKey: PrivateKey
    let root: Certificate
    let subKey: PrivateKey
    let sub: Certificate
    let leafKey: PrivateKey
    let leaf: Certificate

    init(name: String = "Test Root", pathLength: Int? = 0) throws {
        rootKey = try PrivateKey.generateP256()
        root = try Self.authority(name, 1).selfSigned(by: rootKey)
        subKey = try PrivateKey.generateP256()
        sub = try Self.authority("Test Sub", 2, pathLength).issued(to: subKey.publicKey, by: root, key: rootKey)
        leafKey = try PrivateKey.generateP256()
        leaf = try Self.leafBuilder().issued(to: leafKey.publicKey, by: sub, key: subKey)
    }

    static func authority(_ name: String, _ serial: UInt8, _ pathLength: Int? = nil) -> CertificateBuilder {
        .authority(commonName: name, serialNumber: [serial], notBefore: start, notAfter: end, pathLength: pathLength)
    }

    static func leafBuilder(_ name: String = "Test Leaf") -> CertificateBuilder {
        .passDataLeaf(commonName: name, serialNumber: [3], notBefore: start, notAfter: end)
    }
}
