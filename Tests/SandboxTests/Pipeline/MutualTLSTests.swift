import Core
import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Transport
import Web
import Wire

/// The TLS port of a whole server, with an authority of client certificates.
struct MutualTLSTests {
    /// What a server logged.
    final class Lines: Sendable {
        private let lines = Mutex<[JSON]>([])

        func add(_ bytes: [UInt8]) { lines.withLock { $0.append((try? JSON.parse(bytes)) ?? .null) } }

        var all: [JSON] { lines.withLock { $0 } }
    }

    struct Running: Sendable {
        let server: SandboxServer
        let loop: EventLoop
        let lines: Lines

        var api: HTTPOrigin { get throws { try #require(HTTPOrigin(url: server.apiURL)) } }
        var tls: HTTPOrigin { get throws { try #require(HTTPOrigin(url: server.tlsURL ?? "")) } }
        var control: HTTPOrigin { get throws { try #require(HTTPOrigin(url: server.controlURL)) } }

        /// One call by a client of its own, which shows the certificate of that name.
        func call(
            _ origin: HTTPOrigin,
            _ method: HTTPMethod,
            _ target: String,
            _ body: JSON? = nil,
            certificate: String? = nil
        ) async throws -> TestReply {
            var configuration = HTTPClientConfiguration()
            configuration.authorityFile = packageRoot + "/keys/tls/server.cert.pem"
            configuration.certificateFile = certificate.map { "\(packageRoot)/keys/tls/\($0).cert.pem" }
            configuration.privateKeyFile = certificate.map { "\(packageRoot)/keys/tls/\($0).key.pem" }
            let client = try HTTPClient(loop: loop, configuration: configuration)
            let headers = HTTPHeaders(body == nil ? [] : [(.contentType, "application/json")])
            let request = HTTPRequest(method: method, target: target, headers: headers, body: body?.bytes ?? [])
            let result: Result<HTTPResponse, HTTPCallFault>
            do throws(HTTPCallFault) {
                result = .success(try await client.call(request, at: origin, timeoutSeconds: 20))
            } catch {
                result = .failure(error)
            }
            await client.stop()
            return TestReply(try result.get())
        }
    }

    private func withTLS(_ body: (Running) async throws -> Void) async throws {
        EventLoop.ignoreBrokenPipes()
        let keys = packageRoot + "/keys"
        let configuration = try ConfigurationReader.read(
            [
                "--port", "0", "--control-port", "0", "--store", "memory", "--keys", keys,
                "--fixtures", packageRoot + "/fixtures", "--tls-port", "0", "--tls-cert", keys + "/tls/server.cert.pem",
                "--tls-key", keys + "/tls/server.key.pem", "--client-ca", keys + "/tls/client-ca.cert.pem",
            ],
            environment: [:],
            readFile: { _ in "" }
        )
        let lines = Lines()
        let now = Instant(seconds: 1_893_456_000)
        let platform = SandboxApplication.Platform(
            now: { now },
            newSeed: { 1 },
            log: Log(level: .warning, now: { now }, write: { lines.add($0) })
        )
        let server = try await SandboxServer.start(configuration, platform)
        let loop = try EventLoop()
        let result: Result<Void, any Error>
        do {
            try await body(Running(server: server, loop: loop, lines: lines))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        loop.stop()
        try result.get()
    }

    @Test func `row 75: a certificate selects tenant and issuer, and a wrong one is told of in HTTP`() async throws {
        try await withTLS { running in
            let (tls, control) = (try running.tls, try running.control)
            let devices = "/wallet/apple/devices"
            _ = try await running.call(control, .post, "/v1/tenants", ["name": "bank"])
            let certificate = try TestFiles.text(packageRoot + "/keys/tls/client.cert.pem")
            let document: JSON = [
                "name": "My Bank", "clientCertificates": [.string(certificate)],
                "policies": ["clientCertificate": "required"],
            ]
            let put = HTTPRequest(
                method: .put,
                target: "/v1/issuers/MYBANK0001",
                headers: HTTPHeaders([(.contentType, "application/json"), (.sandboxTenant, "bank")]),
                body: document.bytes
            )
            let stored = await running.server.application.control.respond(to: put)
            #expect(stored.status == 201)
            // The tenant.
            let made = try await running.call(tls, .post, devices, ["kind": "phone"], certificate: "client")
            #expect(made.status == 201)
            let listed = try await running.call(tls, .get, "/t/bank" + devices, certificate: "client")
            #expect(listed["items"].array?.count == 1)
            // The issuer: shown, not shown, and one whose chain does not verify.
            let tokens = "/t/bank/mg/tpc/MYBANK0001/getTokens"
            let good = try await running.call(tls, .post, tokens, [:], certificate: "client")
            #expect(!good.diagnosis.contains { $0.hasPrefix("CLIENT_CERTIFICATE") }, "\(good.summary)")
            let bare = try await running.call(tls, .post, tokens, [:])
            #expect(bare.diagnosis == ["CLIENT_CERTIFICATE_MISSING"], "\(bare.summary)")
            let plain = try await running.call(try running.api, .post, tokens, [:])
            #expect(plain.diagnosis == ["CLIENT_CERTIFICATE_MISSING"])
            let wrong = try await running.call(tls, .post, tokens, [:], certificate: "server")
            #expect(wrong.diagnosis == ["CLIENT_CERTIFICATE_UNTRUSTED"])
            #expect([bare.status, plain.status, wrong.status].allSatisfy { (400..<500).contains($0) })
            #expect(running.lines.all.isEmpty)
        }
    }

    @Test func `a handshake that fails is logged and counted`() async throws {
        try await withTLS { running in
            let tls = try running.tls
            let plain = HTTPOrigin(.http, host: tls.host, port: tls.port)
            await #expect(throws: (any Error).self) { _ = try await running.call(plain, .get, "/") }
            let metrics = try await running.call(try running.control, .get, "/metrics").text
            #expect(metrics.contains(#"tsp_sandbox_handshake_failures_total{listener="tls"} 1"#))
            #expect(metrics.contains(#"tsp_sandbox_handshake_failures_total{listener="api"} 0"#))
            // The line is written by a task of its own.
            while running.lines.all.isEmpty { await Task.yield() }
            let line = running.lines.all[0]
            #expect(
                [line["level"], line["event"], line["code"], line["peer"], line["reason"], line["subject"]]
                    == ["warning", "tls.handshake", "TLS_NOT_TLS", "127.0.0.1", "http request", nil]
            )
        }
    }
}
