import Crypto
import Masking
import Wire

/// Visa's activation data: `MBPAC-1-FK-<keySetId>--TDEA-<hex>`.
///
/// The outer form is seen in Visa's public sample; the layout inside is inferred (visa-vts 7.3) and stands in this
/// file only: two header bytes, four random bytes, two digits of length, the data, zero bytes up to whole blocks.
enum VisaActivationData {
    private static let header: [UInt8] = [0x00, 0x01]
    private static let zeroIV = [UInt8](repeating: 0, count: 8)

    /// Longest nonce, in bytes: two digits give the length of the data that holds it in hexadecimal.
    static let longestNonce = 38

    static func make(
        nonce: [UInt8],
        key: NetworkKeys.VisaKey,
        randomness: ActivationData.Randomness
    ) throws -> [UInt8] {
        guard nonce.count <= longestNonce else { throw ActivationDataMakingFault.visaNonceTooLong }
        let data = Array("nonce=\(Hex.encode(nonce));authcode=\(randomness.code)".utf8)
        let length = Array((data.count < 10 ? "0\(data.count)" : "\(data.count)").utf8)
        var block = header + randomness.salt + length + data
        while block.count % 8 != 0 { block.append(0) }
        let encrypted = try TDEA.encrypt(block, key: SecretBytes(key.key), iv: zeroIV)
        return Array("MBPAC-1-FK-\(key.keySetID)--TDEA-\(Hex.encode(encrypted).uppercased())".utf8)
    }

    static func verify(_ bytes: [UInt8], _ context: ActivationDataContext) -> [Check] {
        let key = context.networkKeys.visa
        guard let text = String(validating: bytes, as: UTF8.self),
            let form = Form(text), form.prefix == ["MBPAC", "1", "FK"]
        else { return [.failed("activationData.form", ActivationDataFault.visaForm)] }
        var checks: [Check] = [.passed("activationData.form", evidence: "inferred layout, visa-vts 7.3")]
        if form.keySetID != key.keySetID {
            let evidence = "found \(Masking.excerpt(form.keySetID, 24)), the issuer's is \(key.keySetID)"
            checks.append(.failed("activationData.keySet", ActivationDataFault.visaKeySet, evidence: evidence))
        }
        guard let encrypted = try? Hex.decode(form.ciphertext), !encrypted.isEmpty, encrypted.count % 8 == 0 else {
            let evidence = "\(form.ciphertext.utf8.count) characters"
            checks.append(.failed("activationData.ciphertext", ActivationDataFault.visaCiphertext, evidence: evidence))
            return checks
        }
        let opened = try? TDEA.decrypt(encrypted, key: SecretBytes(key.key), iv: zeroIV)
        guard let block = opened?.bytes, let data = data(in: block), let nonce = nonce(in: data) else {
            checks.append(.failed("activationData.layout", ActivationDataFault.visaNotOpened))
            return checks
        }
        if context.nonce.isEmpty {
            checks.append(.failed("activationData.nonce", ActivationDataFault.visaNonceAbsent))
        } else if ConstantTime.areEqual(nonce, Hex.encode(context.nonce)) {
            checks.append(.passed("activationData.nonce"))
        } else {
            checks.append(.failed("activationData.nonce", ActivationDataFault.visaNonce))
        }
        return checks
    }

    private struct Form {
        let prefix: [Substring]
        let keySetID: String
        let ciphertext: String

        init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 7, parts[4].allSatisfy({ $0 == " " }), parts[5] == "TDEA" else { return nil }
            prefix = Array(parts[0..<3])
            // One public sample pads the key set id and the next field with blanks.
            keySetID = String(parts[3].reversed().drop { $0 == " " }.reversed())
            ciphertext = String(parts[6])
        }
    }

    /// The data of a block, nil when the block has another layout.
    private static func data(in block: [UInt8]) -> String? {
        guard block.count >= 8, Array(block[0..<2]) == header,
            let length = Int(String(decoding: block[6..<8], as: UTF8.self)), block.count >= 8 + length,
            block.count - 8 - length < 8, block[(8 + length)...].allSatisfy({ $0 == 0 })
        else { return nil }
        return String(validating: block[8..<8 + length], as: UTF8.self)
    }

    private static func nonce(in data: String) -> String? {
        let parts = data.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("nonce="), parts[1].hasPrefix("authcode="), parts[1].utf8.count == 15
        else { return nil }
        return String(parts[0].dropFirst(6)).lowercased()
    }
}
