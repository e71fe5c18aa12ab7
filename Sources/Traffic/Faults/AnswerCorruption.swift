package import Web
import Wire

/// Answers that are wrong in one place (CONTRACT, section 6, `corrupt`).
package enum AnswerCorruption {
    /// Members that hold something a receiver must verify, and something it must decrypt.
    private static let signatures: Set<String> = ["nonceSignature", "signature", "mac", "activationData"]
    private static let ciphertexts: Set<String> = [
        "encryptedPassData", "encryptedPayload", "encryptedData", "ciphertext",
    ]
    /// How much longer the body is said to be.
    private static let missingBytes = 16

    /// The corrupted answer; nil when there is nothing of the kind in it.
    package static func apply(_ kind: FaultEffect.Corruption, to response: HTTPResponse) -> HTTPResponse? {
        guard !response.body.isEmpty else { return nil }
        var response = response
        switch kind {
        case .signature, .ciphertext:
            let names = kind == .signature ? signatures : ciphertexts
            guard let json = try? JSON.parse(response.body), let changed = member(names, in: json) else { return nil }
            response.body = changed.bytes
        case .json:
            guard (try? JSON.parse(response.body)) != nil else { return nil }
            // A document never ends in a comma.
            response.body[response.body.count - 1] = UInt8(ascii: ",")
        case .contentType: response.headers[.contentType] = "text/html; charset=utf-8"
        case .contentLength: response.delivery = .contentLength(response.body.count + missingBytes)
        }
        return response
    }

    /// The document with the first such member changed, depth first; nil when there is none.
    private static func member(_ names: Set<String>, in json: JSON) -> JSON? {
        switch json {
        case .object(var object):
            for (key, value) in object.members {
                if names.contains(key), let text = value.string, let flipped = flip(text) {
                    object[key] = .string(flipped)
                    return .object(object)
                }
                if let changed = member(names, in: value) {
                    object[key] = changed
                    return .object(object)
                }
            }
            return nil
        case .array(var items):
            for (index, item) in items.enumerated() {
                if let changed = member(names, in: item) {
                    items[index] = changed
                    return .array(items)
                }
            }
            return nil
        default: return nil
        }
    }

    /// The value with one bit changed where it counts, in its own form: the receiver can read it, and it is wrong.
    private static func flip(_ text: String) -> String? {
        if let bytes = try? Hex.decode(text), !bytes.isEmpty {
            let flipped = Hex.encode(flipLast(bytes))
            return text.contains { $0.isLowercase } || !text.contains { $0.isUppercase }
                ? flipped : flipped.uppercased()
        }
        guard let bytes = try? Base64.decode(text), !bytes.isEmpty else { return nil }
        // Activation data is text in base64: the signature or the ciphertext stands inside.
        if let json = try? JSON.parse(bytes), let changed = member(signatures, in: json) {
            return Base64.encode(changed.bytes)
        }
        let mark = Array("--TDEA-".utf8)
        if let last = bytes.last, bytes.starts(with: Array("MBPAC".utf8)), contains(bytes, mark) {
            var changed = bytes
            changed[changed.count - 1] = last == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            return Base64.encode(changed)
        }
        return Base64.encode(flipLast(bytes))
    }

    private static func flipLast(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count - 1] ^= 1
        return bytes
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
