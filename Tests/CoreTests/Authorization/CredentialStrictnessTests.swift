import Core
import Testing
import Wire

/// Which key a token names, and so whose strictness it brings.
struct CredentialStrictnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Name and strictness of each key for authorization codes.
        let keys: [(kid: String?, strictness: Strictness?)]
        let header: JSON
        let expected: Strictness
    }

    static let rows: [Row] = [
        Row(
            testDescription: "the key that kid names",
            keys: [("a", .strict), ("b", .lenient)],
            header: ["kid": "b"],
            expected: .lenient
        ),
        Row(
            testDescription: "a key without a strictness takes the issuer's",
            keys: [("a", nil), ("b", .lenient)],
            header: ["kid": "a"],
            expected: .documented
        ),
        Row(testDescription: "the only key", keys: [("a", .lenient)], header: [:], expected: .lenient),
        Row(
            testDescription: "no kid and two keys",
            keys: [("a", .lenient), ("b", .lenient)],
            header: [:],
            expected: .documented
        ),
        Row(
            testDescription: "a kid that no key has",
            keys: [("a", .lenient)],
            header: ["kid": "x"],
            expected: .documented
        ),
        Row(
            testDescription: "the only key, registered without kid",
            keys: [(nil, .lenient)],
            header: ["kid": "x"],
            expected: .lenient
        ),
        Row(
            testDescription: "a kid that is not a text",
            keys: [("a", .lenient)],
            header: ["kid": 1],
            expected: .documented
        ),
        Row(
            testDescription: "two keys of one name",
            keys: [("a", .lenient), ("a", .strict)],
            header: ["kid": "a"],
            expected: .strict
        ),
        Row(
            testDescription: "two keys of one name, one without a strictness",
            keys: [("a", .lenient), ("a", nil)],
            header: ["kid": "a"],
            expected: .documented
        ),
    ]

    private func issuer(_ row: Row) -> Issuer {
        var issuer = Samples.issuer()
        issuer.verificationKeys = row.keys.map { key in
            IssuerKey(use: .authorizationCode, keyID: key.kid, pem: "PEM", strictness: key.strictness)
        }
        // A key of another use is never meant.
        issuer.verificationKeys.append(IssuerKey(use: .issuerToken, keyID: "x", pem: "PEM", strictness: .lenient))
        return issuer
    }

    private func token(_ header: JSON) -> String {
        [header, ["iss": "DEMOBANK01"]].map { Base64.encode($0.bytes, .url) }.joined(separator: ".") + ".AAAA"
    }

    @Test(arguments: rows)
    func `the key that a token names decides, else the issuer, else the tenant`(_ row: Row) {
        var issuer = issuer(row)
        let token = token(row.header)
        #expect(issuer.strictness(of: token, use: .authorizationCode, tenant: .documented) == row.expected)
        // White space around a token does not hide its key: a lenient one may take it.
        #expect(issuer.strictness(of: " \(token)\n", use: .authorizationCode, tenant: .documented) == row.expected)
        #expect(issuer.strictness(of: nil, use: .authorizationCode, tenant: .lenient) == .lenient)
        #expect(issuer.strictness(of: "no token", use: .authorizationCode, tenant: .strict) == .strict)
        issuer.policies.strictness = .strict
        #expect(issuer.strictness(of: nil, use: .authorizationCode, tenant: .lenient) == .strict)
    }
}
