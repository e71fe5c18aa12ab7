import Core
import Crypto
import Networks
import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Traffic
import Web
import Wire

/// What the stages of the pipeline give a face (DESIGN, section 4).
struct StageTests {
    private func post(
        _ sandbox: TestSandbox,
        _ path: String,
        key: String? = nil,
        _ headers: [(String, String)] = []
    ) async throws -> TestReply {
        try await sandbox.api("POST", path, body: "{}", headers: headers + (key.map { [("x-probe-key", $0)] } ?? []))
    }

    private func consumers(_ sandbox: TestSandbox) async throws -> [String] {
        try await sandbox.application.worlds.read(.default) { try $0.store.records(Consumer.self).map(\.consumerID) }
            .filter { $0.hasPrefix("probe-") }
    }

    // MARK: The request as received

    @Test(arguments: [
        // public URL, target, what is served, the forms that may be signed
        (
            nil, "/t/demo/probe/see?a=%20b", "/probe/see",
            ["http://h:1/t/demo/probe/see?a=%20b", "http://h:1/probe/see?a=%20b"]
        ),
        (nil, "/probe/see", "/probe/see", ["http://h:1/probe/see"]),
        ("https://p.test", "/probe/see", "/probe/see", ["https://p.test/probe/see"]),
        (
            "https://p.test/box/", "/t/demo/probe/see", "/probe/see",
            [
                "https://p.test/t/demo/probe/see", "https://p.test/probe/see", "https://p.test/box/t/demo/probe/see",
                "https://p.test/box/probe/see",
            ]
        ),
        (
            "https://u:s@p.test:8443/box", "/box/t/demo/probe/see", "/probe/see",
            [
                "https://p.test:8443/box/t/demo/probe/see", "https://p.test:8443/box/probe/see",
                "https://p.test:8443/t/demo/probe/see", "https://p.test:8443/probe/see",
            ]
        ),
        // What the proxy took away may look like what is left.
        (
            "https://p.test/probe", "/probe/see", "/probe/see",
            ["https://p.test/probe/see", "https://p.test/probe/probe/see", "https://p.test/see"]
        ),
    ])
    func `a signature is looked for under every URL that the client may have meant`(
        _ publicURL: String?,
        _ target: String,
        _ path: String,
        _ urls: [String]
    ) async throws {
        try await withSandbox(configure: { $0.publicURL = publicURL }, faces: FaceCatalog.all + [ProbeFace()]) {
            sandbox async throws in
            let plain = Array(#"{"a": 1}"#.utf8)
            let coded = gzipped(plain)
            let seen = try await sandbox.send(
                .api,
                "POST",
                target,
                coded,
                [("host", "h:1"), ("content-encoding", "gzip"), ("x-sandbox-tenant", "demo")]
            )
            #expect(seen["urls"] == .strings(urls), "\(seen.text)")
            #expect(seen["target"].string == target && seen["path"].string == path)
            #expect(seen["raw"].string == Hex.encode(Hash.sha256.digest(coded)))
            #expect(seen["read"].string == #"{"a": 1}"# && seen["tenant"] == "demo")
        }
    }

    // MARK: Deciding

    @Test(arguments: [
        (IssuerAnswer(.green, check: .passed("decision")), 200, "green"),
        (IssuerAnswer(.red, check: .failed("decision", DecisionFault.issuerDeclined)), 400, nil),
    ])
    func `what the issuer answers decides, and what is refused leaves nothing`(
        _ answer: IssuerAnswer,
        _ status: Int,
        _ decision: String?
    ) async throws {
        let face = ProbeFace(log: ProbeFace.Log(answer))
        try await withSandbox(configure: { _ in }, faces: [face]) { sandbox async throws in
            let reply = try await post(sandbox, "/probe/issue", key: "one")
            #expect(reply.status == status && reply["decision"].string == decision)
            #expect(reply.header("x-probe-seal") == (status == 200 ? "answer" : "refusal"))
            #expect(try await consumers(sandbox) == (status == 200 ? ["probe-one"] : []))
            #expect(face.log.counts == ProbeFace.Log.Counts(identified: 1, asked: 1, decided: 1))
            // A decision fault speaks before it.
            let forced = try await post(sandbox, "/probe/issue", key: "two", [("x-sandbox-fault", "decision=yellow")])
            #expect(forced["decision"] == "yellow")
        }
    }

    @Test(arguments: [1, 3])
    func `the issuer is asked once, however often it changes meanwhile`(_ changes: Int) async throws {
        let (race, face) = (TestRace(), ProbeFace())
        try await withSandbox(configure: { _ in }, store: race.under, faces: [face]) { sandbox async throws in
            race.run(changes) { writer in
                guard var issuer = try writer.record(Issuer.self, "DEMOBANK01") else { return }
                issuer.name += "!"
                try writer.put(issuer)
            }
            #expect(try await post(sandbox, "/probe/issue", key: "one").status == 200)
            let counts = ProbeFace.Log.Counts(identified: changes + 1, asked: 1, decided: changes + 1)
            #expect(race.isOver && face.log.counts == counts)
            #expect(try await consumers(sandbox) == ["probe-one"])
        }
    }

    @Test func `the issuer is asked once when rules rehearse the decision, and the change is made once`() async throws {
        let face = ProbeFace()
        try await withSandbox(configure: { _ in }, faces: [face]) { sandbox async throws in
            // The first finds nothing to corrupt, which only the answer tells; so the operation is rehearsed.
            for effect: JSON in [["corrupt": "ciphertext"], ["corrupt": "signature"]] {
                let rule: JSON = ["match": ["operation": "probe.issue"], "effect": effect]
                #expect(try await sandbox.control("POST", "/v1/faults", rule).status == 201)
            }
            let reply = try await post(sandbox, "/probe/issue", key: "one")
            #expect(reply.status == 200 && reply["signature"] != "c2lnbmF0dXJl", "\(reply.text)")
            #expect(face.log.counts == ProbeFace.Log.Counts(identified: 2, asked: 1, decided: 2))
            #expect(try await consumers(sandbox) == ["probe-one"])
        }
    }

    // MARK: What must not come twice

    @Test(arguments: ["/probe/issue", "/probe/read"])
    func `what may come once is spent by an answer and by nothing else`(_ path: String) async throws {
        let face = ProbeFace()
        try await withSandbox(configure: { _ in }, faces: [face]) { sandbox async throws in
            func send(_ key: String, _ headers: [(String, String)] = []) async throws -> String {
                let reply = try await post(sandbox, path, key: key, headers)
                return ([String(reply.status)] + reply.diagnosis).joined(separator: " ")
            }
            // An answer that a fault made did not come from the operation.
            #expect(try await send("one", [("x-sandbox-fault", "status=503")]).hasPrefix("503"))
            await #expect(throws: TestDeliveryFault.self) {
                try await send("one", [("x-sandbox-fault", "connection=truncate")])
            }
            #expect(try await send("one") == "200")
            #expect(try await send("one") == "401 PROBE_KEY_USED")
            // Another world knows nothing of it, and neither does a later time.
            #expect(try await send("one", [("x-sandbox-tenant", "other")]) == "200")
            sandbox.clock.advance(seconds: 61)
            #expect(try await send("one") == "200")
        }
    }

    @Test func `a refused request may be sent again`() async throws {
        let face = ProbeFace(log: ProbeFace.Log(IssuerAnswer(.red, check: .failed("decision", DecisionFault.forced))))
        try await withSandbox(configure: { _ in }, faces: [face]) { sandbox async throws in
            #expect(try await post(sandbox, "/probe/issue", key: "one").status == 400)
            face.log.answer.withLock { $0 = IssuerAnswer(.green, check: .passed("decision")) }
            #expect(try await post(sandbox, "/probe/issue", key: "one").status == 200)
        }
    }

    // MARK: What a face puts on its answers, and what finds its world

    @Test func `every answer is sealed but those that a fault writes`() async throws {
        try await withSandbox(configure: { _ in }, faces: [ProbeFace()]) { sandbox async throws in
            let table: [(path: String, fault: String?, seal: String?)] = [
                ("/probe/see", nil, "answer"), ("/probe/read", nil, "refusal"), ("/probe/nowhere", nil, "refusal"),
                ("/probe/see", "networkError=BROKEN", "refusal"), ("/probe/see", "status=418", nil),
                ("/probe/see", "nonsense", "refusal"), ("/elsewhere", nil, nil),
            ]
            for (path, fault, seal) in table {
                let reply = try await post(sandbox, path, fault.map { [("x-sandbox-fault", $0)] } ?? [])
                #expect(reply.header("x-probe-seal") == seal, "\(path) \(fault ?? "")")
            }
        }
    }

    @Test func `a credential that only the face can read leads to its tenant`() async throws {
        try await withSandbox(configure: { _ in }, faces: [ProbeFace()]) { sandbox async throws in
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
            let other = try #require(TenantName("other"))
            try await sandbox.application.worlds.write(other) { world in try world.store.put(ProbeSecret("secret")) }
            for (credential, tenant) in [("secret", "other"), ("unknown", "default")] {
                let seen = try await post(sandbox, "/probe/see", [("x-probe-credential", credential)])
                #expect(seen["tenant"].string == tenant)
            }
        }
    }
}
