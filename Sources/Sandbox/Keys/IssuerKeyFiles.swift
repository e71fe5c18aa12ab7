import Core
import Crypto

/// The private keys of issuers that the sandbox holds: those of the fixtures' issuers, below `keys/issuers/`.
struct IssuerKeyFiles: Sendable {
    let folder: String

    /// Nil when there is no such file.
    ///
    /// - Parameter file: without `.key.pem`, for example `authorization`.
    /// - Throws: ``KeyringFault`` for one that cannot be read.
    func key(of issuerID: String, _ file: String) throws -> PrivateKey? {
        guard Issuer.isIssuerID(issuerID) else { return nil }
        let path = "\(folder)/issuers/\(issuerID)/\(file).key.pem"
        guard Files.exists(path) else { return nil }
        do {
            return try PrivateKey(pem: try Files.text(path))
        } catch {
            throw KeyringFault(path: path, reason: String(describing: error))
        }
    }
}
