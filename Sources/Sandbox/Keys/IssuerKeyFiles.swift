import Core
import Crypto

/// The private keys of issuers that the sandbox holds: those of the fixtures' issuers, below `keys/issuers/`.
struct IssuerKeyFiles: Sendable {
    let source: FileSource

    /// Nil when there is no such file.
    ///
    /// - Parameter file: without `.key.pem`, for example `authorization`.
    /// - Throws: ``KeyringFault`` for one that cannot be read.
    func key(of issuerID: String, _ file: String) throws -> PrivateKey? {
        guard Issuer.isIssuerID(issuerID) else { return nil }
        let name = "issuers/\(issuerID)/\(file).key.pem"
        guard source.exists(name) else { return nil }
        do {
            return try PrivateKey(pem: try source.text(name))
        } catch {
            throw KeyringFault(path: source.path(name), reason: String(describing: error))
        }
    }
}
