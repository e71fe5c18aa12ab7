import Masking
import Wire

/// One token on its way through the verifier.
struct JWSVerification {
    let jws: ParsedJWS
    let verifier: JWSVerifier
    let field: String
    private(set) var checks: [Check] = []

    init(jws: ParsedJWS, verifier: JWSVerifier, field: String) {
        self.jws = jws
        self.verifier = verifier
        self.field = field
    }

    mutating func run() {
        checkHeader()
        let algorithm = checkAlgorithm()
        let candidates = chooseKeys()
        guard let algorithm, !candidates.isEmpty else { return }
        checkSignature(algorithm, candidates)
    }

    private mutating func fail(_ rule: String, _ fault: JWTFault, _ evidence: String? = nil, hint: String? = nil) {
        checks.append(.failed("\(field).\(rule)", fault, evidence: evidence, hint: hint))
    }

    private mutating func checkHeader() {
        let forbidden: [(String, JWTFault)] = [
            ("crit", .critical), ("jwk", .headerJWK), ("jku", .headerJKU), ("x5u", .headerX5U), ("x5c", .headerX5C),
        ]
        for (member, fault) in forbidden where jws.header[member] != nil { fail("header", fault) }
        for member in ["alg", "kid", "typ"] {
            guard let value = jws.header[member], value.string == nil else { continue }
            fail("header", .headerMemberType, "\(member) is a JSON \(value.typeName)")
        }
        if let type = jws.header["typ"]?.string, type.lowercased() != "jwt" {
            fail("header", .type, String(type.prefix(40)))
        }
    }

    private mutating func checkAlgorithm() -> JWSAlgorithm? {
        guard let name = jws.algorithm else {
            if jws.header["alg"] == nil { fail("algorithm", .algorithmMissing) }
            return nil
        }
        if name.lowercased() == "none" {
            fail("algorithm", .algorithmNone)
            return nil
        }
        if ["HS256", "HS384", "HS512"].contains(name.uppercased()) {
            fail("algorithm", .algorithmHMAC, name)
            return nil
        }
        guard let algorithm = JWSAlgorithm(rawValue: name), verifier.algorithms.contains(algorithm) else {
            let allowed = verifier.algorithms.map(\.rawValue).joined(separator: ", ")
            fail("algorithm", .algorithmNotAllowed, "\(name.prefix(20)); accepted: \(allowed)")
            return nil
        }
        checks.append(.passed("\(field).algorithm", evidence: name))
        return algorithm
    }

    private mutating func chooseKeys() -> [VerificationKey] {
        let keys = verifier.keys
        guard !keys.isEmpty else {
            fail("key", .noKeys)
            return []
        }
        let known = keys.compactMap(\.kid).sorted().joined(separator: ", ")
        guard let kid = jws.kid else {
            guard jws.header["kid"] == nil else { return [] }
            if verifier.kidPolicy == .required {
                fail("key", .kidMissing, "known: \(known)")
                return []
            }
            if keys.count == 1 {
                checks.append(.passed("\(field).key", evidence: "no kid, the only key is used"))
            } else {
                let evidence = "no kid, each of \(keys.count) keys is tried; known: \(known)"
                checks.append(.warning("\(field).key", JWTFault.kidMissing, evidence: evidence))
            }
            return keys
        }
        let named = keys.filter { $0.kid == kid }
        if !named.isEmpty {
            checks.append(.passed("\(field).key", evidence: "kid \(kid.prefix(80))"))
            return named
        }
        let unnamed = keys.filter { $0.kid == nil }
        if !unnamed.isEmpty, verifier.kidPolicy == .optional {
            checks.append(.passed("\(field).key", evidence: "kid \(kid.prefix(80)), the key was registered without"))
            return unnamed
        }
        let list = known.isEmpty ? "none, the keys were registered without kid" : known
        fail("key", .kidUnknown, "kid \(Masking.excerpt(kid, 80)); known: \(list)", hint: hintOfOtherKey(besides: []))
        return []
    }

    private mutating func checkSignature(_ algorithm: JWSAlgorithm, _ candidates: [VerificationKey]) {
        guard !jws.signature.isEmpty else { return fail("signature", .signatureMissing) }
        let fitting = candidates.filter { $0.fits(algorithm) }
        guard let first = fitting.first else {
            let found = candidates.map(\.summary).joined(separator: ", ")
            return fail(
                "signature",
                .keyMismatch,
                "\(algorithm.rawValue) needs \(algorithm.keyKind.rawValue), found: \(found)"
            )
        }
        if let signer = fitting.first(where: { verifies(algorithm, $0.key) }) {
            checks.append(.passed("\(field).signature", evidence: "\(algorithm.rawValue), \(signer.name)"))
            return
        }
        let count = jws.signature.count
        let lengths = fitting.map { algorithm.signatureLength(for: $0.key) }
        let evidence = "\(algorithm.rawValue), \(first.name)"
        guard lengths.contains(count) else {
            let isDER = algorithm.keyKind.curve != nil && ECDSASignature.isDER(jws.signature)
            let lengths = "\(count) bytes, expected \(lengths.map(String.init).joined(separator: " or "))"
            return fail("signature", isDER ? .signatureDER : .signatureLength, "\(lengths); \(evidence)")
        }
        if case .rsaPKCS1(let hash) = algorithm.signature, let bare = fitting.first(where: { lacksNull(hash, $0.key) })
        {
            return checkBare("\(algorithm.rawValue), \(bare.name)")
        }
        let hint = hintOfOtherAlgorithm(algorithm, fitting) ?? hintOfOtherKey(besides: fitting)
        fail("signature", .signatureInvalid, evidence, hint: hint)
    }

    private func lacksNull(_ hash: Hash, _ key: PublicKey) -> Bool {
        key.verifiesWithoutNull(jws.signature, of: jws.signingInput, hash)
    }

    /// A slip of the library that signed; the signature is the key's all the same.
    private mutating func checkBare(_ evidence: String) {
        guard verifier.parser.acceptsSlips else { return fail("signature", .signatureWithoutNull, evidence) }
        checks.append(.warning("\(field).signature", JWTFault.signatureWithoutNull, evidence: evidence))
    }

    private func verifies(_ algorithm: JWSAlgorithm, _ key: PublicKey) -> Bool {
        guard key.kind == algorithm.keyKind, jws.signature.count == algorithm.signatureLength(for: key) else {
            return false
        }
        let signature = key.kind.curve == nil ? jws.signature : ECDSASignature.der(jws.signature)
        return key.verifies(signature, of: jws.signingInput, algorithm.signature)
    }

    /// PKCS#1 and PSS, or two hashes, are easily mixed up.
    private func hintOfOtherAlgorithm(_ algorithm: JWSAlgorithm, _ keys: [VerificationKey]) -> String? {
        for other in JWSAlgorithm.allCases where other != algorithm && other.keyKind == algorithm.keyKind {
            if keys.contains(where: { verifies(other, $0.key) }) {
                return "It is a signature of \(other.rawValue); name that in alg, or sign with \(algorithm.rawValue)."
            }
        }
        return nil
    }

    /// Nothing is accepted because of this.
    private func hintOfOtherKey(besides tried: [VerificationKey]) -> String? {
        guard let algorithm = jws.algorithm.flatMap(JWSAlgorithm.init(rawValue:)) else { return nil }
        let other = verifier.keys.first { key in
            !tried.contains { $0.key == key.key } && verifies(algorithm, key.key)
        }
        return other.map { "It verifies under another registered key: \($0.name)." }
    }
}
