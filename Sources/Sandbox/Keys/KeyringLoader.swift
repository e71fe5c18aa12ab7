import Core
import Crypto
import Networks

/// Reads the sandbox's own keys.
enum KeyringLoader {
    /// The payload keys, the one to use first in front.
    static let payloadKeys = [("TSH-PAYLOAD-2048", "tsh/payload-2048"), ("TSH-PAYLOAD-4096", "tsh/payload-4096")]

    /// - Throws: ``KeyringFault`` naming the file.
    static func load(_ source: FileSource) throws -> Keyring {
        Keyring(
            payloadRecipients: try payloadKeys.map { keyID, file in
                PayloadRecipient(
                    keyId: keyID,
                    certificate: try certificate(source, file + ".cert.pem"),
                    privateKey: try privateKey(source, file + ".key.pem")
                )
            },
            tavKey: try privateKey(source, "tsh/tav.key.pem"),
            appleRoot: try certificate(source, "apple/root.cert.pem"),
            appleSubCA: try certificate(source, "apple/sub-ca.cert.pem"),
            appleSubCAKey: try privateKey(source, "apple/sub-ca.key.pem")
        )
    }

    /// The keys that faces have of their own.
    ///
    /// - Throws: ``KeyringFault`` naming the file.
    static func faceKeys(_ source: FileSource, _ faces: [any Face]) throws -> [FaceKey: PrivateKey] {
        var found: [FaceKey: PrivateKey] = [:]
        for key in faces.flatMap(\.keys) { found[key] = try privateKey(source, key.path + ".key.pem") }
        return found
    }

    private static func certificate(_ source: FileSource, _ file: String) throws -> Certificate {
        let (path, text) = (source.path(file), try source.text(file))
        do {
            return try Certificate(pem: text)
        } catch {
            throw KeyringFault(path: path, reason: String(describing: error))
        }
    }

    private static func privateKey(_ source: FileSource, _ file: String) throws -> PrivateKey {
        let (path, text) = (source.path(file), try source.text(file))
        do {
            return try PrivateKey(pem: text)
        } catch {
            throw KeyringFault(path: path, reason: String(describing: error))
        }
    }
}

/// A key file that cannot be used.
struct KeyringFault: Error, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
