import Wire

extension OID {
    static let rsaEncryption = OID(1, 2, 840, 113549, 1, 1, 1)
    static let rsassaPSS = OID(1, 2, 840, 113549, 1, 1, 10)
    static let ecPublicKey = OID(1, 2, 840, 10045, 2, 1)
    static let p256 = OID(1, 2, 840, 10045, 3, 1, 7)
    static let p384 = OID(1, 3, 132, 0, 34)
    static let p521 = OID(1, 3, 132, 0, 35)
    static let secp256k1 = OID(1, 3, 132, 0, 10)
    static let ed25519 = OID(1, 3, 101, 112)

    /// Names of algorithms that turn up in keys and are refused, for the evidence.
    static let keyAlgorithmNames: [OID: String] = [
        rsassaPSS: "RSASSA-PSS only",
        secp256k1: "secp256k1",
        OID(1, 3, 132, 0, 33): "P-224",
        OID(1, 3, 36, 3, 3, 2, 8, 1, 1, 7): "brainpoolP256r1",
        OID(1, 3, 101, 110): "X25519",
        OID(1, 3, 101, 113): "Ed448",
        OID(1, 2, 840, 10040, 4, 1): "DSA",
        OID(1, 2, 840, 113549, 1, 3, 1): "Diffie-Hellman",
    ]

    /// The common name of a key algorithm, or its dotted form.
    var keyAlgorithmName: String { OID.keyAlgorithmNames[self] ?? description }
}
