import Core
import Crypto
import SandboxTesting
import Testing
import Wire

/// Rows of `field-cases.md` about keys that change, chains, text forms of tokens, and bindings.
struct KeyFieldCases {
    private static let generate = "generateAddPaymentPassRequest"

    private static func send(_ begun: Provisioning, _ member: String, _ value: JSON) async throws -> TestReply {
        let body = try begun.sandbox.passRequest(begun.session, begun.card, begun.network)
        return try await begun.sandbox.tpc(generate, body.replacing(member, value))
    }

    /// A code for the card of a provisioning, signed with any key.
    private static func code(_ begun: Provisioning, kid: String, key: PrivateKey) throws -> JSON {
        let now = begun.sandbox.clock.now.seconds
        let claims: JSON = [
            "iss": "DEMOBANK01", "sub": .string(begun.card.reference), "aud": "APPLE_PAY", "iat": .number(now),
            "exp": .number(now + 300),
        ]
        return .string(try JWSSigner.sign(claims, .rs256, key: key, kid: kid))
    }

    private static func put(_ kid: String, _ key: PrivateKey, _ sandbox: TestSandbox) async throws {
        let keys: JSON = [["use": "authorizationCode", "kid": .string(kid), "pem": .string(key.publicKey.pem)]]
        try await sandbox.changeIssuer("DEMOBANK01", [("keys", keys)])
    }

    @Test func `row 30: a code in another text form is refused by the form's name`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try TestIssuer(sandbox).code(sub: begun.card.reference)
            let dots = good.split(separator: ".")
            let (first, last) = (dots[0].count, dots[2].count)
            let inner = "\(dots[0]).\(dots[1])\n.\(dots[2])"
            let standard = "\(dots[0]).+/\(dots[1].dropFirst(2)).\(dots[2])"
            let padded = "signature, character \(last) of it, \(good.count) of the token"
            // A slip is accepted in lenient; nothing else here is.
            let table: [(form: String, code: String, evidence: String, isSlip: Bool)] = [
                (good + "==", "JWT_PADDING", padded, true),
                (good + "\n", "JWT_WHITESPACE", "character \(good.count)", true),
                (inner, "JWT_WHITESPACE", "character \(first + 1 + dots[1].count)", false),
                (standard, "JWT_STANDARD_ALPHABET", "claims, character 0 of it, \(first + 1) of the token", false),
                ("Bearer " + good, "JWT_BEARER_PREFIX", "", false),
                ("Bearer  " + good, "JWT_BEARER_PREFIX", "", false),
            ]
            for word in ["documented", "strict", "lenient"] {
                try await sandbox.strictness(word)
                for (form, code, evidence, isSlip) in table {
                    let reply = try await Self.send(begun, "authorizationCode", .string(form))
                    let isTaken = isSlip && word == "lenient"
                    #expect(isTaken ? reply.status == 200 : [400, 401].contains(reply.status), "\(word) \(code)")
                    #expect(try await sandbox.journaled().first == code, "\(word): \(reply.summary)")
                    #expect(try await sandbox.told(code).hasPrefix(evidence + " |"), "\(word) \(code)")
                }
                #expect(try await Self.send(begun, "authorizationCode", .string(good)).status == 200)
            }
        }
    }

    @Test func `row 31: a key that was put is good for the next request, the one before no longer`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let next = try PrivateKey.generateRSA(bits: 2_048)
            let early = try await Self.send(begun, "authorizationCode", Self.code(begun, kid: "next", key: next))
            #expect(early.diagnosis == ["JWT_KID_UNKNOWN"])
            try await Self.put("next", next, sandbox)
            let late = try await Self.send(begun, "authorizationCode", Self.code(begun, kid: "next", key: next))
            #expect(late.status == 200, "\(late.summary)")
            let old = JSON.string(try TestIssuer(sandbox).code(sub: begun.card.reference))
            #expect(try await Self.send(begun, "authorizationCode", old).diagnosis == ["JWT_KID_UNKNOWN"])
        }
    }

    @Test func `row 32: other material under the same kid counts at once, and only it`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let issuer = TestIssuer(sandbox)
            let kid = "demobank01-auth-1"
            let other = try PrivateKey.generateRSA(bits: 2_048)
            let before = try await Self.send(begun, "authorizationCode", Self.code(begun, kid: kid, key: other))
            #expect(before.diagnosis == ["JWT_SIGNATURE_INVALID"])
            try await Self.put(kid, other, sandbox)
            let after = try await Self.send(begun, "authorizationCode", Self.code(begun, kid: kid, key: other))
            #expect(after.status == 200, "\(after.summary)")
            let old = JSON.string(try issuer.code(sub: begun.card.reference, kid: kid))
            #expect(try await Self.send(begun, "authorizationCode", old).diagnosis == ["JWT_SIGNATURE_INVALID"])
        }
    }

    @Test func `row 34: a chain is taken with and without its root, and what is wrong with another is named`()
        async throws
    {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let chain = begun.session["certificates"].array ?? []
            let pem = try await sandbox.control("GET", "/v1/apple/root").text
            let root = JSON.base64(try Certificate(pem: pem).der)
            let foreign = try TestIssuer(sandbox).foreignChain().map { JSON.base64($0) }
            let table: [(name: String, chain: [JSON], code: String?)] = [
                ("leaf and authority", [chain[0], chain[1]], nil), ("with the root", [chain[0], chain[1], root], nil),
                ("leaf alone", [chain[0]], "CHAIN_SUB_CA_MISSING"),
                ("reversed", [chain[1], chain[0]], "CHAIN_REVERSED"),
                ("unrelated", [chain[0], chain[1], foreign[1]], "CHAIN_UNRELATED"),
            ]
            for (name, sent, code) in table {
                let reply = try await Self.send(begun, "certificateChain", .array(sent))
                #expect(reply.diagnosis == (code.map { [$0] } ?? []), "\(name): \(reply.summary)")
                #expect(reply.status == (code == nil ? 200 : 400), "\(name)")
            }
        }
    }

    @Test func `row 38: a token that is bound to the app is not one of the extension's`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let app = try await sandbox.bindingHash(phone, application: TestSandbox.application, context: "app").text(
                "bindingHash"
            )
            let reply = try await sandbox.login(phone, [try TestIssuer(sandbox).token(cbp: app)])
            #expect(reply.status == 401)
            #expect(reply.diagnosis.first == "CBP_OTHER_CONTEXT", "\(reply.summary)")
        }
    }

    @Test func `row 88: an answer that is worth another try says when, the others do not`() async throws {
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let body = try sandbox.passRequest(begun.session, begun.card, begun.network)
            let rule: JSON = [
                "match": ["operation": "tpc.generateAddPaymentPassRequest"], "trigger": ["times": 1],
                "effect": ["respond": ["status": 503, "headers": ["retry-after": "2"]]],
            ]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            let busy = try await sandbox.tpc(Self.generate, body)
            #expect(busy.status == 503 && busy.header("retry-after") == "2")
            #expect(busy.header("x-sandbox-retryable") == "true")
            let final = try await sandbox.tpc(Self.generate, body.replacing("scheme", "DINERS"))
            #expect(final.status == 400 && final.header("retry-after") == nil)
            #expect(final.header("x-sandbox-retryable") == "false")
            let good = try await sandbox.tpc(Self.generate, body)
            #expect(good.status == 200 && good.header("x-sandbox-retryable") == nil)
        }
    }

    @Test(arguments: [
        (403, "false"), (404, "false"), (408, "true"), (409, "false"), (429, "true"), (500, "false"), (502, "true"),
        (504, "true"), (301, nil),
    ])
    func `row 88: each error is marked as worth another try or not`(_ status: Int, _ mark: String?) async throws {
        try await withSandbox { sandbox in
            let effect = "status=\(status)"
            let path = "/wallet/apple/devices"
            let reply = try await sandbox.api("GET", path, headers: [("x-sandbox-fault", effect)])
            #expect(reply.status == status && reply.header("x-sandbox-retryable") == mark)
            let down = try await sandbox.api("GET", path, headers: [("x-sandbox-fault", "networkError=UNAVAILABLE")])
            #expect(down.header("x-sandbox-retryable") == "true", "\(down.summary)")
            let control = try await sandbox.control("GET", "/v1/tokens/none")
            #expect(control.status == 404 && control.header("x-sandbox-retryable") == "false")
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["diagnosisHeader": false])
            let silent = try await sandbox.api("GET", path, headers: [("x-sandbox-fault", effect)])
            #expect(silent.header("x-sandbox-retryable") == nil)
        }
    }

    struct Drift: CustomTestStringConvertible, Sendable {
        let leeway: Int64?
        /// Seconds by which the server's clock is ahead of the issuer's.
        let ahead: Int64
        let code: String?
        var testDescription: String { "\(ahead) s ahead, leeway \(leeway.map(String.init) ?? "as usual")" }
    }

    /// The code lives from 0 to 300 s.
    @Test(arguments: [
        Drift(leeway: nil, ahead: -60, code: nil), Drift(leeway: nil, ahead: -300, code: "JWT_IAT_FUTURE"),
        Drift(leeway: nil, ahead: 360, code: nil), Drift(leeway: nil, ahead: 361, code: "JWT_EXPIRED"),
        Drift(leeway: 0, ahead: 0, code: nil), Drift(leeway: 0, ahead: -1, code: "JWT_IAT_FUTURE"),
        Drift(leeway: 5, ahead: -5, code: nil), Drift(leeway: 5, ahead: -6, code: "JWT_IAT_FUTURE"),
        Drift(leeway: 5, ahead: 305, code: nil), Drift(leeway: 5, ahead: 306, code: "JWT_EXPIRED"),
        Drift(leeway: 300, ahead: -300, code: nil), Drift(leeway: 300, ahead: -301, code: "JWT_IAT_FUTURE"),
        Drift(leeway: 300, ahead: 600, code: nil), Drift(leeway: 300, ahead: 601, code: "JWT_EXPIRED"),
    ])
    func `row 86: each key has its own leeway, on the tenant's clock`(_ drift: Drift) async throws {
        try await withSandbox { sandbox in
            let issuer = TestIssuer(sandbox)
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let begun = try await Provisioning.begin(sandbox)
            let keys = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01")["keys"].array ?? []
            let timed = drift.leeway.map { leeway in keys.map { $0.adding("leewaySeconds", .number(leeway)) } } ?? keys
            try await sandbox.changeIssuer("DEMOBANK01", [("keys", .array(timed)), ("policies", ["binding": "off"])])
            let stored = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01")["keys"].array
            #expect(stored?.allSatisfy { $0["leewaySeconds"]?.wholeNumber == drift.leeway } == true)
            let code = JSON.string(try issuer.code(sub: begun.card.reference))
            let (token, assertion) = (
                try issuer.token(), try issuer.assertion(changes: [("exp", .number(issuer.now.seconds + 300))])
            )
            let now = RFC3339.format(sandbox.clock.now.adding(seconds: drift.ahead))
            #expect(
                try await sandbox.control("PUT", "/v1/clock", ["mode": "frozen", "now": .string(now)]).status == 200
            )
            let replies = [
                try await Self.send(begun, "authorizationCode", code), try await sandbox.login(phone, [token]),
                try await sandbox.tokenRequest(assertion),
            ]
            for reply in replies {
                #expect((reply.status == 200) == (drift.code == nil), "\(reply.summary)")
                #expect(reply.diagnosis == (drift.code.map { [$0] } ?? []))
            }
            guard let code = drift.code else { return }
            #expect(try await sandbox.told(code).contains("leeway \(drift.leeway ?? 60) s"))
        }
    }

    @Test(arguments: ["-1", "86401", "\"60\"", "1.5"])
    func `row 86: a leeway that is not one is refused`(_ text: String) async throws {
        try await withSandbox { sandbox in
            let keys = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01")["keys"].array ?? []
            let wrong = keys.map { $0.adding("leewaySeconds", (try? JSON.parse(text)) ?? .null) }
            let reply = try await sandbox.control("PUT", "/v1/issuers/DEMOBANK01", ["keys": .array(wrong)])
            #expect(reply.status == 400 && reply["pointer"] == "/keys/0/leewaySeconds", "\(reply.summary)")
        }
    }
}
