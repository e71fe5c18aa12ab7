package import Wire

extension PublicKey {
    /// From a JSON Web Key (RFC 7517): RSA, EC on P-256, P-384 or P-521, OKP on Ed25519.
    package init(jwk: JSON) throws(KeyError) {
        guard jwk.object != nil else { throw KeyError(.jwkNotObject, "a JSON \(jwk.typeName)") }
        if jwk["kty"] == nil, let keys = jwk["keys"]?.array { throw KeyError(.jwkSet, "\(keys.count) keys") }
        guard let type = jwk["kty"]?.string else { throw KeyError(.jwkMemberMissing, "kty") }
        if type == "oct" { throw KeyError(.symmetricGiven) }
        if jwk["d"] != nil { throw KeyError(.privateGiven, "the JWK has the member d") }
        switch type {
        case "RSA":
            let modulus = try PublicKey.octets("n", of: jwk)
            let exponent = try PublicKey.octets("e", of: jwk)
            let material = SubjectPublicKeyInfo.Material.rsa(
                modulus: Array(modulus.drop { $0 == 0 }),
                exponent: Array(exponent.drop { $0 == 0 })
            )
            try self.init(SubjectPublicKeyInfo(.rsa, material))
        case "EC":
            guard let curve = jwk["crv"]?.string else { throw KeyError(.jwkMemberMissing, "crv") }
            guard let kind = KeyKind(rawValue: curve), kind.curve != nil else {
                throw KeyError(.curve, String(curve.prefix(20)))
            }
            let x = try PublicKey.coordinate("x", of: jwk, kind)
            let y = try PublicKey.coordinate("y", of: jwk, kind)
            try self.init(SubjectPublicKeyInfo(kind, .elliptic(x: x, y: y)))
        case "OKP":
            guard let curve = jwk["crv"]?.string else { throw KeyError(.jwkMemberMissing, "crv") }
            guard curve == "Ed25519" else { throw KeyError(.curve, String(curve.prefix(20))) }
            try self.init(SubjectPublicKeyInfo(.ed25519, .edwards(try PublicKey.coordinate("x", of: jwk, .ed25519))))
        default:
            throw KeyError(.kind, String(type.prefix(20)))
        }
    }

    /// The key as a JSON Web Key, without `kid`.
    package var jwk: JSON { .object(JSONObject(information.jwkMembers.map { ($0.key, .string($0.value)) })) }

    private static func octets(_ name: String, of jwk: JSON) throws(KeyError) -> [UInt8] {
        guard let value = jwk[name] else { throw KeyError(.jwkMemberMissing, name) }
        guard let text = value.string else { throw KeyError(.jwkMemberType, "\(name): a JSON \(value.typeName)") }
        do throws(EncodingFault) {
            return try Base64.decode(text, .url)
        } catch {
            throw KeyError(.jwkMemberEncoding, "\(name): \(error.reason.rawValue) at character \(error.offset)")
        }
    }

    private static func coordinate(_ name: String, of jwk: JSON, _ kind: KeyKind) throws(KeyError) -> [UInt8] {
        let octets = try octets(name, of: jwk)
        guard octets.count == kind.coordinateLength else {
            throw KeyError(.jwkCoordinateLength, "\(name): \(octets.count) bytes, \(kind.rawValue)")
        }
        return octets
    }
}

extension SubjectPublicKeyInfo {
    /// The members that RFC 7638 hashes, in its order, all strings.
    var jwkMembers: [(key: String, value: String)] {
        switch material {
        case .rsa(let modulus, let exponent):
            [("e", Base64.encode(exponent, .url)), ("kty", "RSA"), ("n", Base64.encode(modulus, .url))]
        case .elliptic(let x, let y):
            [
                ("crv", kind.rawValue), ("kty", "EC"), ("x", Base64.encode(x, .url)), ("y", Base64.encode(y, .url)),
            ]
        case .edwards(let key):
            [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64.encode(key, .url))]
        }
    }

    /// The text that RFC 7638 hashes.
    var thumbprintInput: [UInt8] {
        Array(("{" + jwkMembers.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}").utf8)
    }
}
