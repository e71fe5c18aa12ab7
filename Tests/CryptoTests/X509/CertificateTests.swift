import Testing
import Wire

@testable import Crypto

struct CertificateTests {
    @Test func `a certificate of OpenSSL is read field by field`() throws {
        let certificate = try Certificate(pem: KeyVectors.payloadCertificate)
        #expect(certificate.commonName == "PAYLOAD-KEY-1")
        #expect(certificate.serialNumber == [0x10, 0x01])
        #expect(certificate.subjectKeyIdentifier == Array("PAYLOAD-KEY-1".utf8))
        #expect(certificate.keyUsage == [.keyEncipherment])
        #expect(certificate.isSelfIssued && certificate.isSigned(by: certificate) && !certificate.isAuthority)
        #expect(certificate.notAfter.seconds(since: certificate.notBefore) == 3_650 * 86_400)
        #expect(try certificate.publicKey == PrivateKey(pem: KeyVectors.rsa).publicKey)
        #expect(try Certificate(pem: certificate.pem) == certificate)
        #expect(try Certificate(pem: KeyVectors.otherCertificate).subjectKeyIdentifier == nil)
    }

    @Test func `what was built is read back`() throws {
        let key = try PrivateKey(pem: KeyVectors.rsa)
        let builder = CertificateBuilder.payload(
            keyId: "KEY-7",
            serialNumber: [0x80, 1],
            notBefore: TestHierarchy.start,
            notAfter: Instant(seconds: 4_102_444_800)
        )
        let certificate = try builder.selfSigned(by: key)
        #expect(certificate.subjectKeyIdentifier == Array("KEY-7".utf8))
        #expect(certificate.serialNumber == [0x80, 1])
        #expect(certificate.notAfter == builder.notAfter)
        #expect(try builder.selfSigned(by: key) == certificate)
        let tree = try TestHierarchy()
        #expect(tree.sub.isAuthority && tree.sub.pathLength == 0 && tree.root.pathLength == nil)
        #expect(tree.leaf.has(.appleIssuerEncryption) && tree.leaf.keyUsage == [.keyEncipherment, .keyAgreement])
    }

    @Test func `every certificate by a P-256 key has the same length, whichever half its signature has`() throws {
        let tree = try TestHierarchy()
        let builder = TestHierarchy.leafBuilder()
        let template = CertificateTemplate(builder, authority: tree.sub, key: tree.subKey)
        var lengths: Set<Int> = []
        for _ in 0..<64 {
            let der = try template.issuedDER(to: tree.leafKey.publicKey, serialNumber: builder.serialNumber)
            lengths.insert(der.count)
            #expect(try Certificate(der: der).isSigned(by: tree.sub))
        }
        #expect(lengths.count == 1)
        let signature = try tree.subKey.sign([1], .ecdsa(.sha256))
        let mirrored = try #require(ECDSASignature.mirrored(signature))
        #expect(tree.subKey.publicKey.verifies(mirrored, of: [1], .ecdsa(.sha256)))
        #expect(ECDSASignature.mirrored(mirrored) == signature && mirrored != signature)
    }

    @Test func `what is not a certificate is refused for its own reason`() throws {
        let der = try Certificate(pem: KeyVectors.payloadCertificate).der
        let cases: [([UInt8], CertificateFault)] = [
            ([], .notDER), (Array(der.dropLast()), .notDER), (der + [0], .notDER),
            (Array(KeyVectors.payloadCertificate.utf8), .pemInsteadOfDER),
            (try PublicKey(pem: KeyVectors.rsaPublic).der, .notDER),
        ]
        for (bytes, fault) in cases {
            var seen: CertificateFault?
            do throws(CertificateError) { _ = try Certificate(der: bytes) } catch { seen = error.fault }
            #expect(seen == fault)
        }
        #expect(throws: CertificateError(.notPEM)) { try Certificate(pem: "nothing") }
    }

    @Test(.enabled(if: OpenSSLCommand.isInstalled))
    func `OpenSSL verifies what was built`() throws {
        let tree = try TestHierarchy()
        let files = [
            "root.pem": Array(tree.root.pem.utf8), "sub.pem": Array(tree.sub.pem.utf8),
            "leaf.pem": Array(tree.leaf.pem.utf8),
        ]
        let command = "verify -no_check_time -x509_strict -ignore_critical -CAfile root.pem -untrusted sub.pem leaf.pem"
        let (output, _) = OpenSSLCommand.run(command, files: files)
        #expect(String(decoding: output, as: UTF8.self) == "leaf.pem: OK\n")
        let key = try PrivateKey.generateRSA(bits: 2_048)
        let check = OpenSSLCommand.run("pkey -in k.pem -check -noout", files: ["k.pem": Array(try key.pem.utf8)])
        #expect(check.status == 0)
    }
}
