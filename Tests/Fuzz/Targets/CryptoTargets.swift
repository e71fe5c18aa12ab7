import Core
import Crypto
import Wire

extension Target {
    static let crypto: [Target] = [
        Target("payload") { bytes, seeds in
            let recognised = PayloadEncoding.recognise(String(decoding: bytes, as: UTF8.self))
            require((recognised.value == nil) == recognised.checks.contains { !$0.passed }, "a value or a reason")
        },
        Target("cms") { bytes, seeds in
            let checked = known { try EnvelopedDataOpener.open(bytes, recipients: recipients) }
            require(checked.isAccepted == (checked.value != nil), "plaintext only when nothing was refused")
            let uniform = known { try EnvelopedDataOpener.open(bytes, recipients: recipients, detail: .uniform) }
            require(uniform.isAccepted == checked.isAccepted, "how much is told decides nothing")
            guard let plaintext = checked.value?.plaintext.bytes, let data = EnvelopedDataReader.read(bytes).value,
                data.tag != nil
            else { return }
            require(plaintexts(seeds).contains(plaintext), "an authenticated payload opens to what was sealed")
        },
        Target("jws") { bytes, seeds in
            let token = String(decoding: bytes, as: UTF8.self)
            var isAccepted = false
            for verifier in verifiers {
                let checked = verifier.verify(token, field: "token")
                guard checked.isAccepted, let jws = checked.value else { continue }
                isAccepted = true
                let signed = seeds.compactMap { seed in seed.lastIndex(of: 0x2E).map { Array(seed[..<$0]) } }
                require(signed.contains(jws.signingInput), "only what was signed is accepted")
            }
            require(isAccepted || !seeds.contains(bytes), "what was signed is accepted")
        },
        Target("jwe") { bytes, seeds in
            let checked = known { try jweOpener.open(String(decoding: bytes, as: UTF8.self), field: "data") }
            require(checked.isAccepted == (checked.value != nil), "plaintext only when nothing was refused")
            require(checked.isAccepted || !seeds.contains(bytes), "what was sealed opens")
            guard let plaintext = checked.value else { return }
            let sealed = seeds.compactMap { seed in
                known { try jweOpener.open(String(decoding: seed, as: UTF8.self), field: "data") }.value
            }
            require(sealed.contains(plaintext), "opens to what was sealed")
        },
        // The ephemeral point is the first 65 bytes.
        Target("passdata") { bytes, seeds in
            func open(_ bytes: [UInt8]) -> Checked<SecretBytes> {
                let sealed = SealedPassData(
                    encryptedPassData: Array(bytes.dropFirst(65)),
                    ephemeralPublicKey: Array(bytes.prefix(65))
                )
                return known { try PassDataCipher().open(sealed, leafKey: leafKey) }
            }
            let checked = open(bytes)
            require(checked.isAccepted == (checked.value != nil), "plaintext only when nothing was refused")
            require(checked.isAccepted || !seeds.contains(bytes), "what was sealed opens")
            guard let plaintext = checked.value else { return }
            require(seeds.contains { open($0).value == plaintext }, "opens to what was sealed")
        },
        Target("pem") { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            for block in (try? PEM.blocks(in: text)) ?? [] {
                require((try? PEM.blocks(in: block.text))?.first?.bytes == block.bytes, "a block comes back")
            }
            if let key = try? PublicKey(pem: text) {
                require((try? PublicKey(der: key.der)) == key, "a public key comes back")
            }
            _ = try? PrivateKey(pem: text)
            _ = try? Certificate.all(inPEM: text)
        },
        Target("key") { bytes, _ in
            if let key = try? PublicKey(der: bytes) {
                require((try? PublicKey(der: key.der)) == key, "a public key comes back")
            }
            _ = try? PrivateKey(der: bytes)
            _ = P256Point.check(bytes)
            guard let json = try? JSON.parse(bytes), let key = try? PublicKey(jwk: json) else { return }
            require((try? PublicKey(jwk: key.jwk)) == key, "a JWK comes back")
        },
        Target("certificate") { bytes, _ in
            guard let certificate = try? Certificate(der: bytes) else { return }
            require(certificate.der == bytes, "a certificate keeps its bytes")
            _ = certificate.subjectKeyIdentifier
            _ = certificate.isSigned(by: certificate)
        },
        // Certificates behind each other, leaf first.
        Target("chain") { bytes, seeds in
            let checked = CertificateChain.verify(elements(bytes), ChainPolicy.passData(anchors: [root]))
            require(checked.isAccepted || !seeds.contains(bytes), "a leaf that was issued is accepted")
            guard checked.isAccepted, let leaf = checked.value else { return }
            let leaves = seeds.compactMap { elements($0).first }
            require(leaves.contains(leaf.der), "only a leaf that was issued is accepted")
        },
    ]

    private static let root = known { try Certificate(pem: text("keys/apple/root.cert.pem")) }
    private static let leafKey = known {
        // The vector of Tests/CryptoTests/Vectors/PassDataVector.swift.
        let scalar = try Hex.decode("26a152a479c19b310e9ce337348e8d507e404ebe12be47f12953782edc429701")
        return try PrivateKey(p256Scalar: SecretBytes(scalar))
    }
    private static let recipients = ["2048", "4096"].map { bits in
        known {
            PayloadRecipient(
                keyId: "TSH-PAYLOAD-\(bits)",
                certificate: try Certificate(pem: text("keys/tsh/payload-\(bits).cert.pem")),
                privateKey: try PrivateKey(pem: text("keys/tsh/payload-\(bits).key.pem"))
            )
        }
    }
    private static let jweOpener = JWEOpener(
        recipients: [
            JWERecipient(kid: "D1-ENC-1", key: known { try PrivateKey(pem: text("keys/d1/encryption.key.pem")) })
        ]
    )
    private static let verifiers = [("authorization", "auth"), ("d1", "d1")].flatMap { file, name in
        let key = known { try PublicKey(pem: text("keys/issuers/DEMOBANK01/\(file).pub.pem")) }
        return [false, true].map { slips in
            JWSVerifier(
                algorithms: JWSAlgorithm.allCases,
                keys: [VerificationKey(kid: "demobank01-\(name)-1", key: key), VerificationKey(kid: nil, key: key)],
                parser: JWSParser(acceptsSlips: slips)
            )
        }
    }

    private static func plaintexts(_ seeds: [[UInt8]]) -> [[UInt8]] {
        seeds.compactMap { seed in
            known { try EnvelopedDataOpener.open(seed, recipients: recipients) }.value?.plaintext.bytes
        }
    }

    /// The elements of a run of DER, each with its header.
    private static func elements(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        guard var reader = try? BERReader(bytes) else { return [bytes] }
        while !reader.isAtEnd {
            let start = reader.offset
            guard (try? reader.next()) != nil else {
                found.append(Array(bytes[start...]))
                break
            }
            found.append(Array(bytes[start..<reader.offset]))
        }
        return found
    }
}
