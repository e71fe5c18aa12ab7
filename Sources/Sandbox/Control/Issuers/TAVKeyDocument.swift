import Core
import Crypto
import Traffic
import Wire

/// A key of `networkKeys.mastercard.tav`, as it is put and as it is shown.
///
/// A public key alone is the issuer's word that it signs by itself (CONTRACT, section 1), so that TPC then signs with the TSH's
/// key. Private halves never come back; `signs` says that one is held, so that TPC signs with it, and a document that was read
/// and is put again keeps it with that.
struct TAVKeyDocument: Sendable {
    private static let signs = "signs"

    private let key: NetworkKeys.TAVKey
    /// The document, when it says that a private half is held.
    private let speaksOfHeld: ControlFields?

    init(_ fields: ControlFields, keyFile: IssuerDocument.KeyFile?) throws(Refusal) {
        fields.expect("keyAlias", "pem", TAVKeyDocument.signs)
        let alias = try fields.optionalString("keyAlias")
        if let alias, alias.count > 10 { throw fields.invalid("keyAlias", "at most 10 characters") }
        let file = try fields.optionalString("pemFile")
        let member = file == nil ? "pem" : "pemFile"
        do {
            let pem: String
            if let file, let keyFile { pem = try keyFile(file) } else { pem = try fields.string("pem") }
            if pem.contains("PRIVATE KEY") {
                let key = try PrivateKey(pem: pem)
                guard key.kind == .rsa else {
                    throw fields.refusal(member, .keyInvalid, evidence: "an RSA key is wanted")
                }
                self.key = NetworkKeys.TAVKey(alias: alias, publicPEM: key.publicKey.pem, privatePEM: try key.pem)
            } else {
                let key = try PublicKey(pem: pem)
                guard key.kind == .rsa else {
                    throw fields.refusal(member, .keyInvalid, evidence: "an RSA key is wanted")
                }
                self.key = NetworkKeys.TAVKey(alias: alias, publicPEM: key.pem, privatePEM: nil)
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw fields.refusal(member, .keyInvalid, evidence: String(describing: error))
        }
        speaksOfHeld = try fields.bool(TAVKeyDocument.signs, default: false) ? fields : nil
    }

    /// The key, with the private half that is held for it where the document speaks of one.
    ///
    /// - Throws: ``Refusal`` when there is none.
    func key(held: [NetworkKeys.TAVKey]) throws(Refusal) -> NetworkKeys.TAVKey {
        guard key.privatePEM == nil, let fields = speaksOfHeld else { return key }
        let own = try? PublicKey(pem: key.publicPEM)
        let known = held.first { held in
            held.privatePEM != nil && own != nil && (try? PublicKey(pem: held.publicPEM)) == own
        }
        guard let known else { throw fields.invalid(TAVKeyDocument.signs, "false, as no private half of it is held") }
        return NetworkKeys.TAVKey(
            alias: key.alias,
            publicPEM: key.publicPEM,
            privatePEM: known.privatePEM,
            isGenerated: known.isGenerated
        )
    }

    /// As it is shown.
    static func json(_ key: NetworkKeys.TAVKey) -> JSON {
        var entry: JSON = ["pem": .string(key.publicPEM)]
        if let alias = key.alias { entry = entry.adding("keyAlias", .string(alias)) }
        return key.privatePEM == nil ? entry : entry.adding(signs, true)
    }
}
