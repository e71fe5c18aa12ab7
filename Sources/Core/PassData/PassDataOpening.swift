package import Crypto
package import Wire

/// Opens pass data with a device's key. On the crypto lane.
package enum PassDataOpening {
    /// The plaintext, or which wrong construction was used.
    package static func open(_ sealed: SealedPassData, device: Device) throws -> Checked<SecretBytes> {
        try PassDataCipher().open(sealed, leafKey: PrivateKey(der: device.leafKey))
    }

    /// Why it did not open, the keys of other devices tried too.
    ///
    /// - Parameter application: `TEAMID.bundle.id`; a merchant id is usually named after it.
    package static func diagnose(
        _ sealed: SealedPassData,
        device: Device,
        others: [Device],
        application: String
    ) throws -> [Check] {
        let alternatives = PassDataAlternatives(
            leafKeys: try others.map { other in
                (name: "the leaf of device \(other.deviceID)", key: try PrivateKey(der: other.leafKey))
            },
            merchantIdentifiers: merchantIdentifiers(application)
        )
        return try PassDataCipher()
            .open(sealed, leafKey: PrivateKey(der: device.leafKey), alternatives: alternatives).checks
    }

    /// Ids whose hash a copied payment-token recipe may have put in PartyV's place.
    private static func merchantIdentifiers(_ application: String) -> [String] {
        let bundle = String(application.drop { $0 != "." }.dropFirst())
        return ["merchant." + bundle, bundle, application]
    }
}

extension PassDataContent {
    /// Encrypts the content to the leaf, as an issuer's processor does.
    package func sealed(to leaf: Certificate) throws -> SealedPassData {
        try PassDataCipher().seal(bytes, to: leaf.publicKey)
    }
}
