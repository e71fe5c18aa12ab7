import Testing
import Wire

@testable import Crypto

struct CertificateChainTests {
    /// The codes of all failed checks.
    private func codes(_ ders: [[UInt8]], _ anchors: [Certificate]) -> [String] {
        CertificateChain.verify(ders, .passData(anchors: anchors)).failures.compactMap { $0.code?.name }
    }

    @Test func `row 34: a chain is accepted with and without its root`() throws {
        let tree = try TestHierarchy()
        for chain in [[tree.leaf, tree.sub], [tree.leaf, tree.sub, tree.root]] {
            let checked = CertificateChain.verify(chain.map(\.der), .passData(anchors: [tree.root]))
            #expect(checked.isAccepted, "\(checked.failures)")
            #expect(checked.value == tree.leaf)
        }
        #expect(codes([tree.leaf.der, tree.sub.der], [tree.sub]) == [])
    }

    @Test func `row 34: each mistake in a chain has its own code`() throws {
        let tree = try TestHierarchy()
        let other = try TestHierarchy(name: "Other Root")
        let twin = try TestHierarchy(name: "Test Root")
        let (leaf, sub, root) = (tree.leaf.der, tree.sub.der, tree.root.der)
        var bent = leaf
        bent[bent.count - 1] ^= 1
        let cases: [(String, [[UInt8]], [String])] = [
            ("empty", [], ["CHAIN_EMPTY"]),
            ("nine", Array(repeating: leaf, count: 9), ["CHAIN_TOO_LONG"]),
            ("reversed", [sub, leaf], ["CHAIN_REVERSED"]),
            ("reversed with root", [root, sub, leaf], ["CHAIN_REVERSED"]),
            ("shuffled", [sub, leaf, root], ["CHAIN_ORDER"]),
            ("leaf only", [leaf], ["CHAIN_SUB_CA_MISSING"]),
            ("leaf and root", [leaf, root], ["CHAIN_SUB_CA_MISSING"]),
            ("authorities only", [sub, root], ["CHAIN_LEAF_MISSING"]),
            ("duplicate leaf", [leaf, leaf, sub], ["CHAIN_DUPLICATE"]),
            ("unrelated", [leaf, sub, other.sub.der], ["CHAIN_UNRELATED"]),
            ("second leaf", [leaf, sub, other.leaf.der], ["CHAIN_SEVERAL_LEAVES"]),
            ("other root", [other.leaf.der, other.sub.der, other.root.der], ["CHAIN_NOT_ANCHORED"]),
            ("other root, absent", [other.leaf.der, other.sub.der], ["CHAIN_NOT_ANCHORED"]),
            ("twin of the root", [twin.leaf.der, twin.sub.der, twin.root.der], ["CHAIN_NOT_ANCHORED"]),
            ("twin of the root, absent", [twin.leaf.der, twin.sub.der], ["CHAIN_SIGNATURE"]),
            ("bent signature", [bent, sub], ["CHAIN_SIGNATURE"]),
            ("PEM", [Array(tree.leaf.pem.utf8), sub], ["CHAIN_PEM", "CHAIN_LEAF_MISSING"]),
            ("base64", [Array(Base64.encode(leaf).utf8), sub], ["CHAIN_BASE64", "CHAIN_LEAF_MISSING"]),
            ("not DER", [leaf, Array(sub.dropLast())], ["CHAIN_NOT_DER", "CHAIN_SUB_CA_MISSING"]),
        ]
        for (name, chain, expected) in cases {
            #expect(codes(chain, [tree.root]) == expected, "\(name)")
        }
    }

    /// What restricts a certificate and cannot be read must not count as no restriction.
    @Test func `an authority whose restrictions cannot be read is refused`() throws {
        let tree = try TestHierarchy()
        let negative: [UInt8] = [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0xFF]
        let trailing = DER.sequence(DER.boolean(true), DER.integer(0), DER.null)
        let constraints = { (value: [UInt8]) in CertificateExtension(.basicConstraints, isCritical: true, value: value)
        }
        let usage = CertificateExtension(.keyUsage, isCritical: true, value: DER.null)
        let extended = CertificateExtension(
            .extendedKeyUsage,
            isCritical: true,
            value: DER.sequence(DER.oid(.keyUsage))
        )
        let cases: [(String, Int?, CertificateExtension, [String])] = [
            ("negative path length", 0, constraints(negative), ["CHAIN_SEVERAL_LEAVES", "CHAIN_NOT_CA"]),
            ("trailing element", 0, constraints(trailing), ["CHAIN_SEVERAL_LEAVES", "CHAIN_NOT_CA"]),
            ("key usage", 1, usage, ["CHAIN_CA_KEY_USAGE"]),
            ("extended key usage", nil, extended, ["CHAIN_CRITICAL_EXTENSION"]),
        ]
        for (name, index, changed, expected) in cases {
            var builder = TestHierarchy.authority("Test Sub", 2, 0)
            if let index { builder.extensions[index] = changed } else { builder.extensions.append(changed) }
            let sub = try builder.issued(to: tree.subKey.publicKey, by: tree.root, key: tree.rootKey)
            let leaf = try TestHierarchy.leafBuilder().issued(to: tree.leafKey.publicKey, by: sub, key: tree.subKey)
            #expect(codes([leaf.der, sub.der], [tree.root]) == expected, "\(name)")
        }
    }

    @Test func `a leaf that is not made for pass data is refused`() throws {
        let tree = try TestHierarchy()
        var unmarked = TestHierarchy.leafBuilder()
        unmarked.extensions.removeLast()
        var signing = TestHierarchy.leafBuilder()
        signing.extensions[0] = .keyUsage([.digitalSignature])
        var critical = TestHierarchy.leafBuilder()
        critical.extensions.append(CertificateExtension(OID(1, 2, 3), isCritical: true, value: DER.null))
        let rsa = try PrivateKey(pem: KeyVectors.rsa).publicKey
        let cases: [(CertificateBuilder, PublicKey, [String])] = [
            (unmarked, tree.leafKey.publicKey, ["CHAIN_MARKER_MISSING"]),
            (signing, tree.leafKey.publicKey, ["CHAIN_LEAF_KEY_USAGE"]),
            (critical, tree.leafKey.publicKey, ["CHAIN_CRITICAL_EXTENSION"]),
            (TestHierarchy.leafBuilder(), rsa, ["CHAIN_LEAF_KEY"]),
        ]
        for (builder, key, expected) in cases {
            let leaf = try builder.issued(to: key, by: tree.sub, key: tree.subKey)
            #expect(codes([leaf.der, tree.sub.der], [tree.root]) == expected)
        }
    }

    @Test func `an issuer that may not issue is refused`() throws {
        let tree = try TestHierarchy()
        let next = try PrivateKey.generateP256()
        let subSub = try TestHierarchy.authority("Sub Sub", 9).issued(
            to: next.publicKey,
            by: tree.sub,
            key: tree.subKey
        )
        let deep = try TestHierarchy.leafBuilder().issued(to: next.publicKey, by: subSub, key: next)
        #expect(codes([deep.der, subSub.der, tree.sub.der], [tree.root]) == ["CHAIN_PATH_LENGTH"])

        var weak = TestHierarchy.authority("Weak", 9)
        weak.extensions[1] = .keyUsage([.cRLSign])
        let sub = try weak.issued(to: next.publicKey, by: tree.root, key: tree.rootKey)
        let leaf = try TestHierarchy.leafBuilder().issued(to: next.publicKey, by: sub, key: next)
        #expect(codes([leaf.der, sub.der], [tree.root]) == ["CHAIN_CA_KEY_USAGE"])

        let forged = try TestHierarchy.leafBuilder("Forged").issued(
            to: next.publicKey,
            by: tree.leaf,
            key: tree.leafKey
        )
        let seen = codes([forged.der, tree.leaf.der, tree.sub.der], [tree.root])
        #expect(seen.contains("CHAIN_NOT_CA"))
    }

    @Test func `no truncated or bent chain is accepted`() throws {
        let tree = try TestHierarchy()
        var generator = SplitMix(seed: 34)
        let bytes = tree.leaf.der
        for _ in 0..<200 {
            var bent = bytes
            if Bool.random(using: &generator) {
                bent.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            } else {
                bent[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            let checked = CertificateChain.verify([bent, tree.sub.der], .passData(anchors: [tree.root]))
            #expect(!checked.isAccepted)
        }
    }
}
