import Wire

/// One compact JWE on its way through the parser; every way to be wrong has its own code.
struct JWEParsing {
    let field: String
    private(set) var checks: [Check] = []

    init(field: String) { self.field = field }

    private static let segmentNames = ["header", "encrypted key", "IV", "ciphertext", "tag"]

    mutating func run(_ text: [UInt8]) -> ParsedJWE? {
        guard let segments = split(text) else { return nil }
        var decoded: [[UInt8]] = []
        for (segment, name) in zip(segments, Self.segmentNames) {
            guard let bytes = decode(segment, name) else { continue }
            decoded.append(bytes)
        }
        guard decoded.count == 5 else { return nil }
        guard let header = header(decoded[0]) else { return nil }
        checkAlgorithms(header)
        let kid = string(header, "kid", .keyIDMissing)
        let ephemeral = ephemeralKey(header)
        let apu = partyInfo(header, "apu")
        let apv = partyInfo(header, "apv")
        if !decoded[1].isEmpty { fail("form", .encryptedKey, "\(decoded[1].count) bytes") }
        if decoded[2].count != 12 { fail("form", .ivLength, "\(decoded[2].count) bytes") }
        if decoded[4].count != AESGCM.tagLength { fail("form", .tagLength, "\(decoded[4].count) bytes") }
        guard checks.allSatisfy(\.passed), let kid, let ephemeral, let apu, let apv else { return nil }
        checks.append(.passed("\(field).form", evidence: "\(text.count) bytes"))
        return ParsedJWE(
            kid: kid,
            ephemeral: ephemeral,
            apu: apu,
            apv: apv,
            authenticated: Array(segments[0]),
            iv: decoded[2],
            sealed: decoded[3] + decoded[4]
        )
    }

    private mutating func fail(_ rule: String, _ fault: JWEFault, _ evidence: String? = nil) {
        checks.append(.failed("\(field).\(rule)", fault, evidence: evidence))
    }

    private mutating func split(_ text: [UInt8]) -> [ArraySlice<UInt8>]? {
        if text.isEmpty {
            fail("form", .empty)
            return nil
        }
        guard text.count <= JWEOpener.maximumLength else {
            fail("form", .tooLarge, "\(text.count) bytes")
            return nil
        }
        if text.first == UInt8(ascii: "{") {
            fail("form", .jsonForm)
            return nil
        }
        if let offset = text.firstIndex(where: { $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            fail("form", .whitespace, "character \(offset)")
            return nil
        }
        let segments = text.split(separator: UInt8(ascii: "."), maxSplits: 16, omittingEmptySubsequences: false)
        guard segments.count == 5 else {
            fail("form", segments.count == 3 ? .signed : .parts, "\(segments.count) part(s)")
            return nil
        }
        if segments[0].isEmpty {
            fail("form", .headerEmpty)
            return nil
        }
        return segments
    }

    private mutating func decode(_ segment: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
        do throws(EncodingFault) {
            return try Base64.decode(segment, .url)
        } catch {
            let fault: JWEFault
            switch error.reason {
            case .padding: fault = .padding
            case .length: fault = .segmentLength
            case .trailingBits: fault = .trailingBits
            case .alphabet:
                let character = segment[segment.startIndex + error.offset]
                let isStandard = character == UInt8(ascii: "+") || character == UInt8(ascii: "/")
                fault = isStandard ? .standardAlphabet : .alphabet
            }
            fail("form", fault, "\(name), character \(error.offset) of it")
            return nil
        }
    }

    private mutating func header(_ bytes: [UInt8]) -> JSON? {
        do throws(JSONFault) {
            let json = try JSON.parse(bytes, maximumDepth: 16)
            guard json.object != nil else {
                fail("header", .headerNotObject, "a JSON \(json.typeName)")
                return nil
            }
            return json
        } catch {
            let fault = error.reason == .duplicateKey ? JWEFault.headerDuplicate : .headerJSON
            fail("header", fault, "\(error.reason.rawValue), \(error.place)")
            return nil
        }
    }

    private mutating func checkAlgorithms(_ header: JSON) {
        if header["crit"] != nil { fail("header", .critical) }
        if header["zip"] != nil { fail("header", .compressed) }
        for member in ["jwk", "jku", "x5u", "x5c"] where header[member] != nil { fail("header", .keyReference, member) }
        if let name = string(header, "alg", .algorithmMissing), name != JWEOpener.algorithm {
            fail("algorithm", Self.fault(ofAlgorithm: name), String(name.prefix(20)))
        }
        if let name = string(header, "enc", .encryptionMissing), name != JWEOpener.encryption {
            fail("algorithm", .encryptionNotAllowed, String(name.prefix(20)))
        }
    }

    /// Refused by name, before a key is used or a count is followed.
    private static func fault(ofAlgorithm name: String) -> JWEFault {
        if name.hasPrefix("ECDH-ES+") { return .keyWrapped }
        if name.hasPrefix("PBES2-") { return .passwordBased }
        return name == "RSA1_5" ? .rsaPKCS1 : .algorithmNotAllowed
    }

    private mutating func string(_ header: JSON, _ name: String, _ missing: JWEFault) -> String? {
        guard let value = header[name] else {
            fail("header", missing)
            return nil
        }
        guard let text = value.string else {
            fail("header", .headerMemberType, "\(name) is a JSON \(value.typeName)")
            return nil
        }
        return text
    }

    /// The sender's point, proven to be on the curve before it meets a private key.
    private mutating func ephemeralKey(_ header: JSON) -> P256Point? {
        guard let value = header["epk"] else {
            fail("epk", .ephemeralMissing)
            return nil
        }
        guard value.object != nil else {
            fail("epk", .ephemeralNotObject, "a JSON \(value.typeName)")
            return nil
        }
        if value["d"] != nil { fail("epk", .ephemeralPrivate) }
        guard value["kty"]?.string == "EC" else {
            fail("epk", .ephemeralType, value["kty"]?.string.map { String($0.prefix(20)) })
            return nil
        }
        guard value["crv"]?.string == KeyKind.p256.rawValue else {
            fail("epk", .ephemeralCurve, value["crv"]?.string.map { String($0.prefix(20)) })
            return nil
        }
        guard let x = coordinate(value, "x"), let y = coordinate(value, "y") else { return nil }
        guard let point = P256Point.check([4] + x + y).value else {
            fail("epk", .ephemeralNotOnCurve)
            return nil
        }
        return point
    }

    private mutating func coordinate(_ key: JSON, _ name: String) -> [UInt8]? {
        guard let text = key[name]?.string, let bytes = try? Base64.decode(text, .url) else {
            fail("epk", .ephemeralMember, name)
            return nil
        }
        guard bytes.count == 32 else {
            fail("epk", .ephemeralCoordinate, "\(name): \(bytes.count) bytes")
            return nil
        }
        return bytes
    }

    /// Empty when the header has none.
    private mutating func partyInfo(_ header: JSON, _ name: String) -> [UInt8]? {
        guard let value = header[name] else { return [] }
        guard let text = value.string, let bytes = try? Base64.decode(text, .url) else {
            fail("header", .partyInfo, name)
            return nil
        }
        return bytes
    }
}
