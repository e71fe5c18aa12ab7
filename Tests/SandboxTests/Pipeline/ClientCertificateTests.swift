import Core
import Crypto
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

@testable import Networks

/// A client certificate selects tenant and issuer, and its verdict is in the journal.
struct ClientCertificateTests {
    private static let fingerprint = String(repeating: "a1", count: 32)
    private static let otherFingerprint = String(repeating: "b2", count: 32)
    private static let peer = TLSPeer(subject: "CN=hub,O=My Bank", fingerprint: fingerprint, isVerified: true)
    private static let stranger = TLSPeer(subject: "CN=stranger", fingerprint: otherFingerprint, isVerified: true)
    private static let expired = TLSPeer(
        subject: "CN=hub,O=My Bank",
        fingerprint: fingerprint,
        isVerified: false,
        reason: "certificate has expired"
    )

    /// A call as if it had come over TLS.
    private func call(
        _ sandbox: TestSandbox,
        _ peer: TLSPeer?,
        _ target: String = "/wallet/apple/devices",
        _ headers: [(HTTPHeaderName, String)] = []
    ) async -> TestReply {
        let isGet = !target.contains("/mg/")
        return TestReply(
            await sandbox.application.api.respond(
                to: HTTPRequest(
                    method: isGet ? .get : .post,
                    target: target,
                    headers: HTTPHeaders(headers + (isGet ? [] : [(.contentType, "application/json")])),
                    body: isGet ? [] : Array("{}".utf8),
                    tls: peer
                )
            )
        )
    }

    private func put(
        _ sandbox: TestSandbox,
        _ issuerID: String,
        _ certificates: JSON,
        tenant: String = "default",
        policies: JSON = [:]
    ) async throws -> TestReply {
        let body: JSON = ["name": "Bank", "clientCertificates": certificates, "policies": policies]
        return try await sandbox.control(
            "PUT",
            "/v1/issuers/\(issuerID)",
            body: body.text,
            headers: [("x-sandbox-tenant", tenant)]
        )
    }

    private func entry(_ sandbox: TestSandbox, _ tenant: String = "default") async throws -> JSON {
        let header = [("x-sandbox-tenant", tenant)]
        return try await sandbox.control("GET", "/v1/journal", headers: header)["items"].array?.first ?? .null
    }

    private func check(_ entry: JSON) -> [JSON?] {
        let check = entry["checks"]?.array?.first { $0["name"] == "tls.clientCertificate" }
        return [check?["passed"], check?["code"], check?["evidence"]]
    }

    // MARK: The issuer's member

    @Test func `fingerprints in every form and certificates are kept as fingerprints`() async throws {
        try await withSandbox { sandbox in
            let colons = String(repeating: "A1:", count: 31) + "A1"
            let pem = try TestFiles.text(packageRoot + "/keys/tls/client.cert.pem")
            let shown = try Certificate(pem: pem).fingerprint
            let reply = try await put(
                sandbox,
                "MYBANK0001",
                [.string(colons), .string(pem), .string(Self.fingerprint), .string(Self.otherFingerprint.uppercased())]
            )
            let expected: JSON = [.string(Self.fingerprint), .string(shown), .string(Self.otherFingerprint)]
            #expect([reply.status, reply["clientCertificates"] == expected ? 1 : 0] == [201, 1], "\(reply.summary)")
            let read = try await sandbox.control("GET", "/v1/issuers/MYBANK0001")
            #expect(read["clientCertificates"] == expected)
            // An issuer without any has no such member, and a policy that says nothing neither.
            let plain = try await sandbox.control("GET", "/v1/issuers/DEMOBANK01")
            #expect(plain["clientCertificates"] == .null && plain["policies"]["clientCertificate"] == nil)
        }
    }

    @Test(arguments: [
        ("[1]", "/clientCertificates/0"), (#"["a1"]"#, "/clientCertificates/0"), (#""a1""#, "/clientCertificates"),
        (#"["\#(fingerprint)","zz\#(fingerprint.dropFirst(2))"]"#, "/clientCertificates/1"),
        (#"["a1:\#(fingerprint.dropFirst(2))"]"#, "/clientCertificates/0"),
        (#"["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]"#, "/clientCertificates/0"),
    ])
    func `what is not a certificate is refused with a pointer`(_ list: String, _ pointer: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await put(sandbox, "MYBANK0001", try JSON.parse(list))
            #expect(Problem(reply) == Problem(400, "FIELD_INVALID", pointer))
            let policy = try await put(sandbox, "MYBANK0001", [], policies: ["clientCertificate": "always"])
            #expect(Problem(policy) == Problem(400, "FIELD_INVALID", "/policies/clientCertificate"))
        }
    }

    @Test func `an issuer has at most a hundred`() async throws {
        try await withSandbox { sandbox in
            func list(_ count: Int) -> JSON {
                .array((0..<count).map { .string(Hash.sha256.digest([UInt8($0)]).map { Hex.encode([$0]) }.joined()) })
            }
            #expect(try await put(sandbox, "MYBANK0001", list(100)).status == 201)
            let refused = try await put(sandbox, "MYBANK0001", list(101))
            #expect(Problem(refused) == Problem(400, "FIELD_INVALID", "/clientCertificates"))
        }
    }

    // MARK: The tenant

    @Test func `a certificate that one tenant registered selects it`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            #expect(try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], tenant: "other").status == 201)
            let reply = await call(sandbox, Self.peer)
            #expect([String(reply.status), reply.header("x-sandbox-tenant")] == ["200", nil])
            let seen = try await entry(sandbox, "other")
            #expect(seen["operation"] == "wallet.listDevices")
            let evidence: JSON = .string("of MYBANK0001: CN=hub,O=My Bank, SHA-256 \(Self.fingerprint)")
            #expect(check(seen) == [true, nil, evidence])
            // Who names a tenant gets that one.
            _ = await call(sandbox, Self.peer, "/t/third/wallet/apple/devices")
            #expect(check(try await entry(sandbox, "third"))[0] == true)
            // One that nobody registered, and none, are of the tenant default.
            for peer in [Self.stranger, nil] { _ = await call(sandbox, peer) }
            let count = try await sandbox.control("GET", "/v1/journal")["items"].array?.count
            #expect(count == 2)
        }
    }

    @Test func `row 75: a certificate that is over selects nothing, and the journal has subject and reason`()
        async throws
    {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], tenant: "other")
            let reply = await call(sandbox, Self.expired)
            #expect(reply.status == 200)
            let seen = try await entry(sandbox)
            let evidence: JSON = .string(
                "certificate has expired: CN=hub,O=My Bank, SHA-256 \(Self.fingerprint)"
            )
            #expect(check(seen) == [true, "CLIENT_CERTIFICATE_UNTRUSTED", evidence])
            #expect(seen["diagnosis"] == ["CLIENT_CERTIFICATE_UNTRUSTED"])
            #expect(try await entry(sandbox, "other") == .null)
        }
    }

    @Test func `a certificate of two tenants selects neither; a bearer comes first`() async throws {
        try await withSandbox { sandbox in
            for name in ["other", "third"] {
                _ = try await sandbox.control("POST", "/v1/tenants", ["name": .string(name)])
                _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], tenant: name)
            }
            _ = await call(sandbox, Self.peer)
            #expect(try await entry(sandbox)["diagnosis"] == ["CREDENTIAL_AMBIGUOUS"])
            let expiry = sandbox.clock.now.adding(seconds: 600)
            try await sandbox.application.worlds.write(try #require(TenantName("third"))) { world in
                try world.store.put(D1Bearer(token: "bearer", issuerID: "DEMOBANK01", expiresAt: expiry))
            }
            _ = await call(sandbox, Self.peer, "/wallet/apple/devices", [(.authorization, "Bearer bearer")])
            #expect(try await entry(sandbox, "third")["operation"] == "wallet.listDevices")
            // A bearer that nobody holds says nothing, and the certificate is asked.
            _ = try await sandbox.control("DELETE", "/v1/tenants/other")
            _ = await call(sandbox, Self.peer, "/wallet/apple/devices", [(.authorization, "Bearer nobody")])
            #expect(
                try await sandbox.control("GET", "/v1/journal", headers: [("x-sandbox-tenant", "third")])["items"]
                    .array?.count == 2
            )
        }
    }

    @Test func `an issuer that is changed or removed lets its certificate go`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            for remove in [true, false] {
                _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], tenant: "other")
                _ = await call(sandbox, Self.peer)
                #expect(check(try await entry(sandbox, "other"))[0] == true)
                if remove {
                    let header = [("x-sandbox-tenant", "other")]
                    _ = try await sandbox.control("DELETE", "/v1/issuers/MYBANK0001", headers: header)
                } else {
                    _ = try await put(sandbox, "MYBANK0001", [], tenant: "other")
                }
                _ = await call(sandbox, Self.peer)
                let evidence: JSON = .string("of no issuer: CN=hub,O=My Bank, SHA-256 \(Self.fingerprint)")
                #expect(check(try await entry(sandbox)) == [true, nil, evidence])
            }
        }
    }

    @Test func `export and import, fork and restore carry the certificates`() async throws {
        try await withSandbox { sandbox in
            let header = [("x-sandbox-tenant", "other")]
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            let snapshot = try await sandbox.control("POST", "/v1/snapshots", headers: header).text("id")
            _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], tenant: "other")
            let export = try await sandbox.control("GET", "/v1/export", headers: header)
            let restored = try await sandbox.control("POST", "/v1/snapshots/\(snapshot)/restore", headers: header)
            #expect(restored.status == 204, "\(restored.summary)")
            _ = await call(sandbox, Self.peer)
            #expect(try await entry(sandbox, "other") == .null)
            let imported = try await sandbox.control("POST", "/v1/import", body: export.text, headers: header)
            #expect(imported.status == 204, "\(imported.summary)")
            _ = await call(sandbox, Self.peer)
            #expect(check(try await entry(sandbox, "other"))[0] == true)
            // After a fork two tenants hold it.
            _ = try await sandbox.control("POST", "/v1/tenants/other/fork", ["as": "third"])
            _ = await call(sandbox, Self.peer)
            #expect(try await entry(sandbox)["diagnosis"] == ["CREDENTIAL_AMBIGUOUS"])
        }
    }

    // MARK: The issuer

    private static let demanded = "/mg/tpc/MYBANK0001/getTokens"

    struct Demand: CustomTestStringConvertible, Sendable {
        let peer: TLSPeer?
        let code: String?
        let evidence: String
        var testDescription: String { code ?? "passed" }
    }

    static let demands = [
        Demand(peer: nil, code: "CLIENT_CERTIFICATE_MISSING", evidence: "of MYBANK0001"),
        Demand(
            peer: expired,
            code: "CLIENT_CERTIFICATE_UNTRUSTED",
            evidence: "certificate has expired: CN=hub,O=My Bank, SHA-256 \(fingerprint)"
        ),
        Demand(
            peer: TLSPeer(subject: "CN=nobody", fingerprint: String(repeating: "c3", count: 32), isVerified: true),
            code: "CLIENT_CERTIFICATE_UNKNOWN",
            evidence: "CN=nobody, SHA-256 " + String(repeating: "c3", count: 32)
        ),
        Demand(
            peer: stranger,
            code: "CLIENT_CERTIFICATE_OTHER_ISSUER",
            evidence: "of MYBANK0002: CN=stranger, SHA-256 \(otherFingerprint)"
        ),
        Demand(
            peer: peer,
            code: nil,
            evidence: "of MYBANK0001: CN=hub,O=My Bank, SHA-256 \(fingerprint)"
        ),
    ]

    @Test(arguments: demands, [true, false])
    func `an issuer that demands its certificate refuses others in the face's shape`(
        _ demand: Demand,
        isRequired: Bool
    ) async throws {
        try await withSandbox { sandbox in
            let policies: JSON = isRequired ? ["clientCertificate": "required"] : [:]
            _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)], policies: policies)
            _ = try await put(sandbox, "MYBANK0002", [.string(Self.otherFingerprint)])
            let reply = await call(sandbox, demand.peer, Self.demanded)
            let seen = check(try await entry(sandbox))
            let code = demand.code.map { JSON.string($0) }
            if demand.peer == nil, !isRequired {
                #expect(seen == [nil, nil, nil])
            } else {
                #expect(seen == [.bool(code == nil || !isRequired), code, .string(demand.evidence)])
            }
            let refusals = reply.diagnosis.filter { $0.hasPrefix("CLIENT_CERTIFICATE") }
            #expect(refusals == (isRequired ? [demand.code].compactMap { $0 } : []))
            if !refusals.isEmpty { #expect(reply.diagnosis == refusals && (400..<500).contains(reply.status)) }
            // A rule that needs no body does not go before what refuses.
            let rule: JSON = ["match": ["method": "POST"], "effect": ["respond": ["status": 418]]]
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            let fields = HTTPHeaders([(.contentLength, "2"), (.contentType, "application/json")])
            let head = HTTPRequest(method: .post, target: Self.demanded, headers: fields)
            let early = await sandbox.application.api.refusal(of: head)
            #expect(early?.status == (isRequired ? nil : 418))
            _ = try await sandbox.control("DELETE", "/v1/faults")
            // Another issuer's requests are not touched by it.
            let other = await call(sandbox, demand.peer, "/mg/tpc/DEMOBANK01/getTokens")
            #expect(!other.diagnosis.contains { $0.hasPrefix("CLIENT_CERTIFICATE") })
        }
    }

    @Test func `a fault rule about an issuer fires for a request that shows its certificate`() async throws {
        try await withSandbox { sandbox in
            _ = try await put(sandbox, "MYBANK0001", [.string(Self.fingerprint)])
            let rule: JSON = ["match": ["issuerId": "MYBANK0001"], "effect": ["respond": ["status": 503]]]
            #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            #expect(await call(sandbox, Self.peer).status == 503)
            #expect(await call(sandbox, Self.expired).status == 200)
            #expect(await call(sandbox, nil).status == 200)
        }
    }

    @Test func `a card number in a subject is masked in the journal`() async throws {
        try await withSandbox { sandbox in
            let peer = TLSPeer(subject: "CN=4111111111111111", fingerprint: Self.fingerprint, isVerified: true)
            _ = await call(sandbox, peer)
            let text = try await entry(sandbox).text
            #expect(text.contains("tls.clientCertificate") && !text.contains("4111111111111111"))
        }
    }
}
