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
            let table: [(form: String, code: String)] = [
                (good + "=", "JWT_PADDING"), ("\(dots[0]).\(dots[1])\n.\(dots[2])", "JWT_WHITESPACE"),
                ("\(dots[0]).+/\(dots[1].dropFirst(2)).\(dots[2])", "JWT_STANDARD_ALPHABET"),
                ("Bearer " + good, "JWT_BEARER_PREFIX"),
            ]
            for (form, code) in table {
                let reply = try await Self.send(begun, "authorizationCode", .string(form))
                #expect(reply.status == 401 || reply.status == 400)
                #expect(reply.diagnosis.first == code, "\(code): \(reply.summary)")
            }
            #expect(try await Self.send(begun, "authorizationCode", .string(good)).status == 200)
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

    @Test func `row 38: a token that is bound to the app is none of the extension's`() async throws {
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
            let final = try await sandbox.tpc(Self.generate, body.replacing("scheme", "DINERS"))
            #expect(final.status == 400 && final.header("retry-after") == nil)
            #expect(try await sandbox.tpc(Self.generate, body).status == 200)
        }
    }
}
