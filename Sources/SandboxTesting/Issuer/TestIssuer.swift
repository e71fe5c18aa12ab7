package import Core
package import Crypto
package import Wire

/// An issuer's backend: encrypts cards and signs codes with the demo keys of `keys/`.
package struct TestIssuer: Sendable {
    package let issuerID: String
    private let sandbox: TestSandbox

    package init(_ sandbox: TestSandbox, _ issuerID: String = "DEMOBANK01") {
        self.sandbox = sandbox
        self.issuerID = issuerID
    }

    /// A card payload in hexadecimal.
    package func payload(_ card: TestCard, keyFile: String = "tsh/payload-2048") throws -> String {
        try payload(text: card.json.text, keyFile: keyFile)
    }

    /// Any text as a payload in hexadecimal.
    package func payload(text: String, keyFile: String = "tsh/payload-2048") throws -> String {
        let certificate = try Certificate(pem: try key(keyFile + ".cert.pem"))
        return Hex.encode(try EnvelopedDataSealer.seal(Array(text.utf8), to: certificate))
    }

    /// An authorization code that is right for now; `changes` replaces claims, `null` removes one.
    package func code(
        sub: String,
        changes: [(String, JSON)] = [],
        algorithm: JWSAlgorithm = .rs256,
        kid: String? = nil,
        header: JSONObject = JSONObject()
    ) throws -> String {
        let now = sandbox.clock.now.seconds
        var claims = JSONObject([
            ("iss", .string(issuerID)), ("sub", .string(sub)), ("aud", "APPLE_PAY"), ("iat", .number(now)),
            ("exp", .number(now + 300)),
        ])
        // A bare `nil` would be the JSON null.
        for (name, value) in changes { claims[name] = value.isNull ? JSON?.none : value }
        return try JWSSigner.sign(
            .object(claims),
            algorithm,
            key: authorizationKey(),
            kid: kid ?? "\(issuerID.lowercased())-auth-1",
            header: header
        )
    }

    /// The sandbox's time.
    package var now: Instant { sandbox.clock.now }

    package func authorizationKey() throws -> PrivateKey {
        try PrivateKey(pem: try key("issuers/\(issuerID)/authorization.key.pem"))
    }

    /// The text of a file of the key folder.
    package func key(_ file: String) throws -> String {
        try sandbox.keyFile(file)
    }
}

/// A card as an issuer's backend knows it.
package struct TestCard: Sendable {
    package var reference: String
    package var pan: String
    package var exp: String
    package var name: String

    package init(_ reference: String, pan: String, exp: String = "1232", name: String = "ANA PRUEBA") {
        self.reference = reference
        self.pan = pan
        self.exp = exp
        self.name = name
    }

    package static let visa = TestCard("test-visa", pan: "4111111111111111")
    package static let mastercard = TestCard("test-mastercard", pan: "5555555555554444")
    package static let amex = TestCard("test-amex", pan: "378282246310005")
    package static let discover = TestCard("test-discover", pan: "6011111111111117")

    package static func of(_ network: PaymentNetwork) -> TestCard {
        switch network {
        case .visa: visa
        case .mastercard: mastercard
        case .amex: amex
        case .discover: discover
        }
    }

    package var json: JSON {
        [
            "issuerCardRefId": .string(reference), "fpan": .string(pan), "exp": .string(exp),
            "cardHolderName": .string(name),
        ]
    }

    package var suffix: String { String(pan.suffix(4)) }
}
