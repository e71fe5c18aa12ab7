/// The self-made ECC_V2 vector of `reference/apple-pay-provisioning.md`, section 17.
enum PassDataVector {
    /// The leaf's secret number.
    static let leafScalar = """
        26a152a479c19b310e9ce337348e8d507e404ebe12be47f12953782edc429701
        """
    /// The leaf's public point.
    static let leafPoint = """
        04f96e62259841dde9f5b76739f3924bd2e220e91afab4070fbce6963858f629e09aaa9cc94340c59107c9592ee73f9fcab5\
        df9f24d995559bc8060cd8ed7217f3
        """
    /// The ephemeral secret number.
    static let ephemeralScalar = """
        796ffb5d7e8381ff1b333d9e61c0fab727c6a44546c7487d325feea1e430ea35
        """
    /// The ephemeral public point.
    static let ephemeralPoint = """
        0483373aa9a2c9680377935a3a35003c1c31bc0ff44239fd9baf1e3748f6683697ef2b780d4d3260d3fdafd128ed64ea3034\
        6d40d8a41cf4428390b275bc00bfe5
        """
    /// The shared secret.
    static let secret = """
        f945c6b6b416fb84be5490bd261ce1f784b97b1360df04a02e206c07cf68ae33
        """
    /// The AES key.
    static let key = """
        ffaf88271cfe6ca007c79b30e4a93dda3f9d86d16d2699770ed71b3b8f1e3f81
        """
    /// The AES key in the order of X9.63.
    static let keyX963 = """
        eab2edea85acd70e341bebb3ff0a972d4ed9b03aba78b8288e72cde84704c0c0
        """
    /// With an IV of 12 zero bytes.
    static let sealed12 = """
        6c0256d2524744dc3fd5039428b00592d2185ebf6c0d1f3dff9215dce4e807339265bb80fdae50e6dc6c8172f15cc40089ad\
        96395a0d41bfdbe2f713edf8bf4d0438c96f3160752516073e5725d657602e846f3f3a38e0bb738916c8d5cffb47c397c2e1\
        8cbb7ab6948bf8dfe779ec4ff3dbdc1280b0552f7c4af415e717c1d6dcd74c9846dbd310d4d67bdaced5dde742
        """
    /// With an IV of 16 zero bytes.
    static let sealed16 = """
        e028b2a3c84d5aa9492a1673a44eb3a22839105ae7c4f44ab938f9d50d2e71f1c5d469aea8aa158cc044fab4a1136210b4aa\
        c897b871b476c584cb044316038c7e80ddb7033729bea4369ca5a70c8cf12232da4976f01f225cbff3863351377969f9c8a1\
        b4b3bdf1fd365053e6084c9c5033038bd1d45235a2683158c1a9e526a46db50a21d20452e6c6d900662a1c9900
        """
    /// The text.
    static let plaintext = """
        {"primaryAccountNumber":"4111111111111111","expiration":"12/30","name":"ANA PRUEBA","nonce":"9c02309\
        2","nonceSignature":"4082f8"}
        """
}
