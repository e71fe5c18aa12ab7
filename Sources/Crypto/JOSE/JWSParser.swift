import Masking
package import Wire

/// Takes a compact JWS apart, strictly; every way to be wrong has its own code.
package struct JWSParser: Sendable {
    /// Longest token, in bytes.
    package static let maximumLength = 16 << 10

    /// Whether padding and white space around the token are warnings instead of refusals.
    package let acceptsSlips: Bool

    /// A strict parser, unless slips are accepted.
    package init(acceptsSlips: Bool = false) { self.acceptsSlips = acceptsSlips }

    /// `field` is what the names of the checks begin with, for example `authorizationCode`.
    package func parse(_ token: String, field: String) -> Checked<ParsedJWS> {
        var parsing = JWSParsing(acceptsSlips: acceptsSlips, field: field)
        let value = parsing.run(Array(token.utf8))
        return Checked(value: value, checks: parsing.checks)
    }
}

/// One token on its way through the parser.
struct JWSParsing {
    let acceptsSlips: Bool
    let field: String
    private(set) var checks: [Check] = []

    init(acceptsSlips: Bool, field: String) {
        self.acceptsSlips = acceptsSlips
        self.field = field
    }

    private static let segmentNames = ["header", "claims", "signature"]

    mutating func run(_ token: [UInt8]) -> ParsedJWS? {
        guard let token = trimmed(token), let segments = split(token) else { return nil }
        var decoded: [[UInt8]] = []
        for (segment, name) in zip(segments, Self.segmentNames) {
            guard let bytes = decode(segment, name) else { continue }
            decoded.append(bytes)
        }
        guard decoded.count == 3 else { return nil }
        guard let header = json(decoded[0], "header", .headerJSON, .headerDuplicate, .headerNotObject),
            let claims = json(decoded[1], "claims", .claimsJSON, .duplicateClaim, .claimsNotObject)
        else { return nil }
        checks.append(.passed("\(field).form", evidence: "\(token.count) bytes"))
        let signingInput = Array(segments[0]) + [0x2E] + segments[1]
        return ParsedJWS(header: header, claims: claims, signingInput: signingInput, signature: decoded[2])
    }

    private mutating func fail(_ fault: JWTFault, _ evidence: String? = nil) {
        checks.append(.failed("\(field).form", fault, evidence: evidence))
    }

    /// Refuses, or only warns where slips are accepted.
    private mutating func slip(_ fault: JWTFault, _ evidence: String) -> Bool {
        guard acceptsSlips else {
            fail(fault, evidence)
            return false
        }
        checks.append(.warning("\(field).form", fault, evidence: evidence))
        return true
    }

    private mutating func trimmed(_ token: [UInt8]) -> [UInt8]? {
        if token.isEmpty {
            fail(.empty)
            return nil
        }
        guard token.count <= JWSParser.maximumLength else {
            fail(.tooLarge, "\(token.count) bytes")
            return nil
        }
        if String(decoding: token.prefix(7), as: UTF8.self).lowercased() == "bearer " {
            fail(.bearerPrefix)
            return nil
        }
        if token.first == UInt8(ascii: "{") {
            fail(.jsonForm)
            return nil
        }
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let offset = token.firstIndex(where: isSpace) else { return token }
        let core = Array(Array(token.drop(while: isSpace)).reversed().drop(while: isSpace).reversed())
        if core.contains(where: isSpace) || core.isEmpty {
            fail(.whitespace, "character \(offset)")
            return nil
        }
        return slip(.whitespace, "character \(offset)") ? core : nil
    }

    private mutating func split(_ token: [UInt8]) -> [ArraySlice<UInt8>]? {
        let segments = token.split(separator: UInt8(ascii: "."), maxSplits: 16, omittingEmptySubsequences: false)
        if segments.count == 5 {
            fail(.encrypted)
            return nil
        }
        guard segments.count == 3 else {
            fail(.parts, "\(segments.count) part(s)")
            return nil
        }
        // The signature may be empty: whoever verifies says so.
        for (segment, name) in zip(segments, ["header", "claims"]) where segment.isEmpty {
            fail(.emptySegment, name)
            return nil
        }
        return segments
    }

    private mutating func decode(_ segment: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
        do throws(EncodingFault) {
            return try Base64.decode(String(decoding: segment, as: UTF8.self), .url)
        } catch {
            let evidence = "\(name), character \(error.offset) of it, \(segment.startIndex + error.offset) of the token"
            switch error.reason {
            case .padding:
                let bare = segment.prefix { $0 != 0x3D }
                guard segment.dropFirst(bare.count).allSatisfy({ $0 == 0x3D }),
                    let bytes = try? Base64.decode(bare, .url)
                else {
                    fail(.padding, evidence)
                    return nil
                }
                return slip(.padding, evidence) ? bytes : nil
            case .alphabet:
                let character = segment[segment.startIndex + error.offset]
                let isStandard = character == UInt8(ascii: "+") || character == UInt8(ascii: "/")
                fail(isStandard ? .standardAlphabet : .alphabet, evidence)
            case .length: fail(.segmentLength, evidence)
            case .trailingBits: fail(.trailingBits, evidence)
            }
            return nil
        }
    }

    private mutating func json(
        _ bytes: [UInt8],
        _ name: String,
        _ fault: JWTFault,
        _ duplicate: JWTFault,
        _ notObject: JWTFault
    ) -> JSON? {
        do throws(JSONFault) {
            let json = try JSON.parse(bytes, maximumDepth: 16)
            guard json.object != nil else {
                fail(notObject, "a JSON \(json.typeName)")
                return nil
            }
            return json
        } catch {
            let isDuplicate = error.reason == .duplicateKey
            let place = error.pointer.isEmpty ? "" : " at \(Masking.excerpt(error.pointer, 80))"
            let evidence = "\(error.reason.rawValue)\(place), byte \(error.offset) of the \(name)"
            let rule = isDuplicate && duplicate == .duplicateClaim ? "\(field).claims" : "\(field).form"
            checks.append(.failed(rule, isDuplicate ? duplicate : fault, evidence: evidence))
            return nil
        }
    }
}
