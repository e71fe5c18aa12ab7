import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Rows of `field-cases.md` about what an issuer's backend makes: codes, payloads, encodings.
struct IssuerFieldCases {
    private static let generate = "generateAddPaymentPassRequest"

    /// A good request with one member replaced.
    private func send(
        _ sandbox: TestSandbox,
        _ begun: Provisioning,
        _ name: String,
        _ value: JSON
    ) async throws -> TestReply {
        let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
        return try await sandbox.tpc(Self.generate, body.replacing(name, value))
    }

    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: String
        let write: @Sendable ([[UInt8]]) -> JSON
    }

    static let forms: [Form] = [
        Form(testDescription: "a text of JSON", code: "ENC_STRINGIFIED_ARRAY") { chain in
            .string(JSON.array(chain.map { JSON.base64($0) }).text)
        },
        Form(testDescription: "numbered members", code: "ENC_STRINGIFIED_OBJECT") { chain in
            .object(JSONObject(chain.enumerated().map { (String($0), .base64($1)) }))
        },
        Form(testDescription: "a text of numbered members", code: "ENC_STRINGIFIED_ARRAY") { chain in
            let members = chain.enumerated().map { (String($0), JSON.base64($1)) }
            return .string(JSON.object(JSONObject(members)).text)
        },
        Form(testDescription: "hexadecimal", code: "ENC_HEX_INSTEAD_OF_B64") { chain in
            .strings(chain.map { Hex.encode($0) })
        },
        Form(testDescription: "base64url", code: "ENC_B64URL") { chain in
            .strings(chain.map { Base64.encode($0, .url) })
        },
        Form(testDescription: "line breaks", code: "ENC_B64_LINE_BREAKS") { chain in .strings(chain.map(lines)) },
        Form(testDescription: "PEM", code: "ENC_PEM_INSTEAD_OF_B64") { chain in
            .strings(chain.map { "-----BEGIN CERTIFICATE-----\n\(lines($0))\n-----END CERTIFICATE-----" })
        },
    ]

    private static func lines(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).enumerated().map { $0 > 0 && $0 % 64 == 0 ? "\n\($1)" : "\($1)" }.joined()
    }

    @Test(arguments: forms)
    func `row 13: certificates in another encoding are named, refused as documented, taken in lenient`(
        _ form: Form
    ) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let chain = try begun.session["certificates"].array?.map { try Base64.decode($0.string ?? "") } ?? []
            let value = form.write(chain)
            expect(try await send(sandbox, begun, "certificateChain", value), tpc: 112, [form.code])
            #expect(try await sandbox.told(form.code).hasPrefix("in certificateChain |"))
            try await sandbox.strictness("lenient")
            #expect(try await send(sandbox, begun, "certificateChain", value).status == 200)
            #expect(try await sandbox.journaled() == [form.code])
        }
    }

    struct Time: CustomTestStringConvertible, Sendable {
        let claim: String
        let seconds: Int64
        let code: String
        var testDescription: String { "\(claim) now \(seconds)" }
    }

    @Test(arguments: [
        Time(claim: "iat", seconds: 5, code: ""), Time(claim: "iat", seconds: 59, code: ""),
        Time(claim: "iat", seconds: 61, code: "JWT_IAT_FUTURE"), Time(claim: "nbf", seconds: 60, code: ""),
        Time(claim: "nbf", seconds: 61, code: "JWT_NOT_YET_VALID"), Time(claim: "exp", seconds: -1, code: ""),
        Time(claim: "exp", seconds: -60, code: ""), Time(claim: "exp", seconds: -61, code: "JWT_EXPIRED"),
    ])
    func `row 20: clocks may differ by 60 s, and both times are told`(_ time: Time) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let at = sandbox.clock.now.adding(seconds: time.seconds)
            var changes: [(String, JSON)] = [(time.claim, .number(at.seconds))]
            if time.claim == "exp" { changes.append(("iat", .number(at.seconds - 300))) }
            let code = try TestIssuer(sandbox).code(sub: "test-visa", changes: changes)
            let reply = try await send(sandbox, begun, "authorizationCode", .string(code))
            guard !time.code.isEmpty else {
                #expect(reply.status == 200, "\(reply.summary)")
                return
            }
            expect(reply, tpc: 401, [time.code])
            let times = "server time 2030-01-01T00:00:00Z, \(time.claim) \(RFC3339.format(at)), leeway 60 s"
            #expect(try await sandbox.told(time.code).hasPrefix(times))
        }
    }

    @Test func `row 25: the OAEP hash pair is named, and only SHA-256 twice opens`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let certificate = try Certificate(pem: try sandbox.keyFile("tsh/payload-2048.cert.pem"))
            let pairs: [(hash: Hash, mask: Hash, code: String)] = [
                (.sha256, .sha256, ""), (.sha256, .sha1, "CMS_OAEP_MIXED_MGF1"), (.sha1, .sha1, "CMS_OAEP_SHA1"),
                (.sha512, .sha512, "CMS_OAEP_HASH"),
            ]
            for (hash, mask, code) in pairs {
                let parameters = OAEPParameters(hash: hash, maskHash: mask)
                let der = try EnvelopedDataSealer.seal(begun.card.json.bytes, to: certificate, .oaep(parameters))
                let reply = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(der)))
                if code.isEmpty {
                    #expect(reply.status == 200, "\(reply.summary)")
                } else {
                    expect(reply, tpc: 112, [code])
                    let told = try await sandbox.told(code)
                    #expect(told.contains(hash.rawValue) && told.contains("in Java, set OAEPParameterSpec"), "\(told)")
                }
            }
            let pkcs1 = try EnvelopedDataSealer.seal(begun.card.json.bytes, to: certificate, .pkcs1)
            let reply = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(pkcs1)))
            expect(reply, tpc: 112, ["CMS_RSA_PKCS1V15"])
        }
    }

    @Test func `row 27: an absent kid and an unknown one differ, with one key and with two`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let issuer = TestIssuer(sandbox)
            let claims: JSON = [
                "iss": "DEMOBANK01", "sub": "test-visa", "aud": "APPLE_PAY", "iat": 1_893_456_000,
                "exp": 1_893_456_300,
            ]
            let absent = JSON.string(try issuer.code(claims: claims.text))
            let unknown = JSON.string(try issuer.code(sub: "test-visa", kid: "old-key"))
            func answers() async throws -> [String] {
                try await [absent, unknown].async { code in
                    let reply = try await send(sandbox, begun, "authorizationCode", code)
                    return "\(reply.status) \(try await sandbox.journaled().joined(separator: ","))"
                }
            }
            #expect(try await answers() == ["200 ", "401 JWT_KID_UNKNOWN"])
            #expect(try await sandbox.told("JWT_KID_UNKNOWN").hasPrefix("kid old-key; known: demobank01-auth-1 |"))
            let other = try PrivateKey.generateRSA(bits: 2_048).publicKey.pem
            var keys = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01")["keys"].array ?? []
            keys.append(["use": "authorizationCode", "kid": "second", "pem": .string(other)])
            try await sandbox.changeIssuer("DEMOBANK01", [("keys", .array(keys))])
            #expect(try await answers() == ["200 JWT_KID_MISSING", "401 JWT_KID_UNKNOWN"])
            _ = try await send(sandbox, begun, "authorizationCode", absent)
            let told = "no kid, each of 2 keys is tried; known: demobank01-auth-1, second |"
            #expect(try await sandbox.told("JWT_KID_MISSING").hasPrefix(told))
            _ = try await send(sandbox, begun, "authorizationCode", unknown)
            #expect(try await sandbox.told("JWT_KID_UNKNOWN").contains("known: demobank01-auth-1, second"))
            try await sandbox.strictness("strict")
            #expect(try await answers() == ["401 JWT_KID_MISSING", "401 JWT_KID_UNKNOWN"])
            _ = try await send(sandbox, begun, "authorizationCode", absent)
            let known = "known: demobank01-auth-1, second |"
            #expect(try await sandbox.told("JWT_KID_MISSING").hasPrefix(known))
        }
    }

    @Test func `row 28: a D1 assertion signed in DER is named, in raw form it is taken`() async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let parts = try issuer.assertion().split(separator: ".")
            let input = parts[0] + "." + parts[1]
            let der = try issuer.tokenKey().sign(Array(input.utf8), .ecdsa(.sha256))
            let reply = try await sandbox.tokenRequest("\(input).\(Base64.encode(der, .url))")
            #expect(reply.status == 401 && reply.diagnosis == ["JWT_SIGNATURE_DER"], "\(reply.summary)")
            #expect(try await sandbox.told("JWT_SIGNATURE_DER").hasPrefix("\(der.count) bytes, expected 64;"))
            #expect(try await sandbox.tokenRequest(issuer.assertion()).status == 200)
        }
    }

    @Test func `row 28: an ECDSA signature, raw or DER, is named where RS256 is wanted`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let issuer = TestIssuer(sandbox)
            let ec = try PrivateKey(pem: try sandbox.keyFile("issuers/DEMOBANK01/d1.key.pem"))
            let parts = try issuer.code(sub: "test-visa").split(separator: ".")
            let input = parts[0] + "." + parts[1]
            let der = try ec.sign(Array(input.utf8), .ecdsa(.sha256))
            let table: [(code: String, diagnosis: String, told: String)] = [
                (
                    try JWSSigner.sign(["sub": "test-visa"], .es256, key: ec), "JWT_ALG_NOT_ALLOWED",
                    "ES256; accepted: RS256"
                ), ("\(input).\(Base64.encode(der, .url))", "JWT_SIGNATURE_LENGTH", "\(der.count) bytes, expected 256"),
            ]
            for (code, diagnosis, told) in table {
                let reply = try await send(sandbox, begun, "authorizationCode", .string(code))
                #expect([String(reply.status), reply.diagnosis.first] == ["401", diagnosis])
                #expect(try await sandbox.told(diagnosis).hasPrefix(told))
            }
        }
    }

    /// The signature was made by `openssl pkeyutl` over a DigestInfo without the NULL, for the code of exactly these claims.
    @Test func `row 48: a signature whose hash has no NULL is named, and taken in lenient only`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let signature =
                "TT8ooO8SLI85stTD9b1O-NULX4dF8Rrw768h15WgvIy70ZAk8YX0AXFwbECVyBhCJ87ai3mdHN-6IuLG4gt5GFshMRRVfg4LeTiI"
                + "cQxehtRPbKTg_qTlmpT0ZWA1yT05QOtavqNKQ-PlYNJ8lsVkWN65sgsae_kTphjmh2Z7hPPe3a8o1DaovOB0Px63FyMIryhihhvX"
                + "_bxREHL5wAucAjZbQGPPtJyRJJT5Qj4QXSMk1BdonT3FU3cmpgJDYdklvdOkTxVJlS_wbmQyeBO0mIjjZqNsfrLkw_h0u0XPK5AU"
                + "dmRSV1G6ZWk0qzNSB4wSvhTDde4vFRf7kGYulFE77Q"
            let header = #"{"alg":"RS256","kid":"demobank01-auth-1"}"#
            func code(_ sub: String) -> JSON {
                let claims =
                    #"{"iss":"DEMOBANK01","sub":"\#(sub)","aud":"APPLE_PAY","iat":1893456000,"exp":1893456300}"#
                let parts = [header, claims].map { Base64.encode(Array($0.utf8), .url) } + [signature]
                return .string(parts.joined(separator: "."))
            }
            for word in ["documented", "strict"] {
                try await sandbox.strictness(word)
                let reply = try await send(sandbox, begun, "authorizationCode", code("test-visa"))
                expect(reply, tpc: 401, ["JWT_SIGNATURE_WITHOUT_NULL"])
            }
            try await sandbox.strictness("lenient")
            #expect(try await send(sandbox, begun, "authorizationCode", code("test-visa")).status == 200)
            #expect(try await sandbox.journaled() == ["JWT_SIGNATURE_WITHOUT_NULL"])
            // Of other claims it is none.
            let other = try await send(sandbox, begun, "authorizationCode", code("test-visb"))
            #expect(other.status == 401 && other.diagnosis.first == "JWT_SIGNATURE_INVALID", "\(other.summary)")
        }
    }

    @Test func `row 39: a code of another kind names the claim, what came and what is wanted`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let issuer = TestIssuer(sandbox)
            let google = JSON.string(try issuer.code(sub: "test-visa", changes: [("aud", "GOOGLE_PAY")]))
            expect(try await send(sandbox, begun, "authorizationCode", google), tpc: 401, ["JWT_AUD_MISMATCH"])
            #expect(try await sandbox.told("JWT_AUD_MISMATCH").hasPrefix("aud is GOOGLE_PAY; wanted APPLE_PAY |"))
            let token = try await sandbox.yellow(try await sandbox.device(), .visa).tokenID
            let card = JSON.string(try issuer.code(sub: "test-visa"))
            let reply = try await sandbox.updateTokenState(
                token,
                .visa,
                "Activate",
                changes: [("authorizationCode", card)]
            )
            expect(reply, tpc: 401, ["JWT_SUB_IS_CARD_REF"])
            let told = try await sandbox.told("JWT_SUB_IS_CARD_REF")
            #expect(told.hasPrefix("sub is test-visa; wanted the token id |"))
            let lifecycle = JSON.string(try issuer.code(sub: token))
            expect(try await send(sandbox, begun, "authorizationCode", lifecycle), tpc: 401, ["JWT_SUB_IS_TOKEN_ID"])
        }
    }

    @Test(arguments: [1, 16, 1_000])
    func `row 40: streamed BER with indefinite lengths opens`(_ chunk: Int) async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let der = try Hex.decode(try TestIssuer(sandbox).payload(.visa))
            let streamed = StreamingBER.rewrite(der, chunk: chunk)
            let good = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(streamed)))
            #expect(good.status == 200, "\(good.summary)")
            let deep: [UInt8] = (0..<80).map { $0 % 2 == 0 ? 0x30 : 0x80 }
            let reply = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(deep)))
            #expect([String(reply.status), reply.diagnosis.first?.prefix(4).description] == ["400", "CMS_"])
        }
    }

    @Test func `row 46: every text form of a payload is recognised; documented takes hexadecimal only`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let hex = try TestIssuer(sandbox).payload(.visa)
            let der = try Hex.decode(hex)
            func pem(_ label: String) -> String {
                "-----BEGIN \(label)-----\n\(Self.lines(der))\n-----END \(label)-----"
            }
            let table: [(text: String, code: String)] = [
                (hex, ""), (hex.uppercased(), ""), (Base64.encode(der), "ENC_BASE64"),
                (Base64.encode(der, .url), "ENC_BASE64URL"), (Self.lines(der), "ENC_BASE64_LINES"),
                (pem("PKCS7"), "ENC_PEM"), (pem("CMS"), "ENC_PEM"), (Hex.encode(Array(hex.utf8)), "ENC_DOUBLE"),
            ]
            for word in ["documented", "lenient"] {
                try await sandbox.strictness(word)
                for (text, code) in table {
                    let reply = try await send(sandbox, begun, "encryptedPayload", .string(text))
                    if code.isEmpty || word == "lenient" {
                        #expect(reply.status == 200, "\(word) \(code) \(reply.summary)")
                        #expect(try await sandbox.journaled() == (code.isEmpty ? [] : [code]), "\(word)")
                    } else {
                        expect(reply, tpc: 112, [code])
                    }
                }
            }
        }
    }

    /// The parts of a payload, each damaged alone. The wire answer is one and the same.
    @Test func `row 54: every damaged part has its own diagnosis under one answer`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let der = try Hex.decode(try TestIssuer(sandbox).payload(.visa))
            let own = Array("TSH-PAYLOAD-2048".utf8)
            let recipient = try #require(der.firstIndex(of: own))
            let key = try #require(der.firstIndex(of: [0x04, 0x82, 0x01, 0x00]))
            let table: [(what: String, code: String, change: ([UInt8]) -> [UInt8])] = [
                (
                    "recipient", "CMS_NO_RECIPIENT",
                    { bytes in
                        var bytes = bytes; bytes[recipient] ^= 1; return bytes
                    }
                ),
                (
                    "key", "CMS_KEY_NOT_OPENED",
                    { bytes in
                        var bytes = bytes; bytes[key + 40] ^= 1; return bytes
                    }
                ),
                ("end", "CMS_TRUNCATED", { Array($0.dropLast(5)) }), ("rest", "CMS_TRAILING_BYTES", { $0 + [0] }),
                ("form", "CMS_NOT_CMS", { Array($0.dropFirst(1)) }),
            ]
            for (what, code, change) in table {
                let reply = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(change(der))))
                expect(reply, tpc: 112, [code], Comment(rawValue: what))
            }
        }
    }

    /// Who may ask often learns nothing: not whether the key, the IV or the text was changed, nor whether the padding was
    /// right.
    @Test func `row 54: in strict every part that was changed has one answer`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let text = begun.card.json.bytes
            let der = try Hex.decode(try TestIssuer(sandbox).payload(.visa))
            let key = try #require(der.firstIndex(of: [0x04, 0x82, 0x01, 0x00]))
            // The IV is an OCTET STRING of 16 bytes, the ciphertext the last thing there is.
            let iv = try #require(der[(key + 260)...].firstIndex(of: [0x04, 0x10]))
            let cipher = der.count - (text.count / 16 + 1) * 16
            let places = [
                "key": key + 40, "IV": iv + 2, "ciphertext": cipher, "next to last block": der.count - 17,
                "last block": der.count - 1,
            ]
            try await sandbox.strictness("strict")
            var wire: Set<String> = []
            var codes: Set<String> = []
            for (what, place) in places.sorted(by: { $0.value < $1.value }) {
                var changed = der
                changed[place] ^= 0x40
                let reply = try await send(sandbox, begun, "encryptedPayload", .string(Hex.encode(changed)))
                #expect(reply.status == 400, "\(what): \(reply.summary)")
                wire.insert(reply.text)
                codes.formUnion(reply.diagnosis)
            }
            #expect(wire == ["{\"code\":112,\"message\":\"112. Bad format\"}"])
            #expect(codes == ["CMS_NOT_OPENED"])
        }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Where the bytes begin.
    fileprivate func firstIndex(of part: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: part) }
    }
}
