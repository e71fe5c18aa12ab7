import FoundationEssentials
import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Transport
import Web
import Wire

/// A whole server with its control API over TLS and the token in a file; both files are renewed while it runs.
struct ReloadTests {
    private struct Running: Sendable {
        let server: SandboxServer
        let folder: String
        let lines: Lines

        /// The status of `GET /v1/version`, or why there was no answer. Trusts the certificate of `keys/tls/server`.
        func status(_ url: String?, token: String?) async throws -> Result<Int, HTTPCallFault> {
            var configuration = HTTPClientConfiguration()
            configuration.authorityFile = packageRoot + "/keys/tls/server.cert.pem"
            let loop = try EventLoop()
            defer { loop.stop() }
            let client = try HTTPClient(loop: loop, configuration: configuration)
            let headers = HTTPHeaders(token.map { [(.authorization, "Bearer \($0)")] } ?? [])
            let request = HTTPRequest(method: .get, target: "/v1/version", headers: headers)
            let origin = try #require(HTTPOrigin(url: url ?? ""))
            let result: Result<Int, HTTPCallFault>
            do throws(HTTPCallFault) {
                result = .success(try await client.call(request, at: origin, timeoutSeconds: 20).status)
            } catch {
                result = .failure(error)
            }
            await client.stop()
            return result
        }

        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }

        /// Puts certificate and key of `keys/tls` in the place of the server's.
        func install(_ name: String) throws {
            for kind in ["cert", "key"] {
                try write(TestFiles.text("\(packageRoot)/keys/tls/\(name).\(kind).pem"), "\(kind).pem")
            }
        }
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }

        /// What was logged since the last call.
        func take() -> String {
            lines.withLock { lines in
                defer { lines = [] }
                return lines.joined()
            }
        }
    }

    private func withServer(_ arguments: [String], _ body: (Running) async throws -> Void) async throws {
        EventLoop.ignoreBrokenPipes()
        try await withFolder { folder in
            let all =
                ["--port", "0", "--control-port", "0", "--store", "memory"] + TestTerminal.folders
                + arguments.map { $0.hasPrefix("@") ? folder + "/" + $0.dropFirst() : $0 }
            let configuration = try ConfigurationReader.read(all, environment: [:]) { _ in "" }
            let (lines, now) = (Lines(), Instant(seconds: 1_893_456_000))
            let platform = SandboxApplication.Platform(
                now: { now },
                newSeed: { 1 },
                log: Log(level: .info, now: { now }, write: { lines.append($0) })
            )
            for name in ["cert", "key"] {
                let file = "\(packageRoot)/keys/tls/server.\(name).pem"
                try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/\(name).pem")
            }
            try "first\n".write(toFile: folder + "/token", atomically: true, encoding: .utf8)
            let server = try await SandboxServer.start(configuration, platform)
            let result: Result<Void, any Error>
            do {
                try await body(Running(server: server, folder: folder, lines: lines))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await server.stop()
            try result.get()
        }
    }

    private static let tls = ["--control-tls-port", "0", "--tls-cert", "@cert.pem", "--tls-key", "@key.pem"]

    @Test func `the token of a file is the control API's, and what the file holds later`() async throws {
        try await withServer(["--control-token-file", "@token"]) { running in
            let url = running.server.controlURL
            #expect(try await running.status(url, token: "first") == .success(200))
            #expect(try await running.status(url, token: nil) == .success(401))
            try running.write("second", "token")
            #expect(try await running.status(url, token: "second") == .success(401))
            await running.server.reload()
            #expect(running.lines.take().contains("control token read again"))
            #expect(try await running.status(url, token: "second") == .success(200))
            #expect(try await running.status(url, token: "first") == .success(401))
            // What cannot be used changes nothing.
            for text in ["", "two words", "é"] {
                try running.write(text, "token")
                await running.server.reload()
                #expect(running.lines.take().contains("one line of visible ASCII"))
                #expect(try await running.status(url, token: "second") == .success(200))
            }
        }
    }

    @Test func `the control API has a TLS port, whose certificate is read again`() async throws {
        try await withServer(Self.tls) { running in
            let url = running.server.controlTLSURL
            #expect(url?.hasPrefix("https://127.0.0.1:") == true && running.server.tlsURL == nil)
            #expect(running.server.listeningLine["controlTls"] == .optional(url))
            #expect(running.server.listeningLine["tls"] == .null)
            #expect(try await running.status(url, token: nil) == .success(200))
            // The key of another certificate, as in the middle of an exchange: nothing changes.
            try running.write(TestFiles.text(packageRoot + "/keys/tls/client-ca.key.pem"), "key.pem")
            await running.server.reload()
            #expect(running.lines.take().contains("is not the key of"))
            #expect(try await running.status(url, token: nil) == .success(200))
            // The new certificate is shown: this client does not trust it.
            try running.install("client-ca")
            await running.server.reload()
            #expect(running.lines.take().contains("certificate read again"))
            guard case .failure(.tls) = try await running.status(url, token: nil) else {
                Issue.record("the old certificate is still shown")
                return
            }
            #expect(try await running.status(running.server.controlURL, token: nil) == .success(200))
        }
    }

    @Test func `a server without such files says that there are none`() async throws {
        try await withServer([]) { running in
            #expect(running.server.listeningLine["controlTls"] == .null)
            await running.server.reload()
            #expect(running.lines.take().contains("there is no file to read again"))
        }
    }

    @Test func `a document names the ports that are in use, and a server that listens everywhere by its name`()
        async throws
    {
        try await withServer(["--host", "0.0.0.0"]) { running in
            let application = running.server.application
            let port = try #require(running.server.apiURL.split(separator: ":").last)
            let control = try #require(running.server.controlURL.split(separator: ":").last)
            let asked: [(String, String, String)] = [
                ("/openapi/tpc.json", "sandbox.localhost:\(control)", "http://sandbox.localhost:\(port)"),
                ("/openapi/d1.json", "[::1]:\(control)", "http://[::1]:\(port)"),
                ("/v1/openapi.json", "sandbox.localhost:9", "http://sandbox.localhost:9"),
            ]
            for (path, host, wanted) in asked {
                let request = HTTPRequest(method: .get, target: path, headers: HTTPHeaders([(.host, host)]))
                let reply = TestReply(await application.control.respond(to: request))
                #expect(reply["servers"] == [["url": .string(wanted)]], "\(path)")
                // No other address, and no port that is a default only.
                let text = String(decoding: reply.response.body, as: UTF8.self)
                #expect(!text.contains("127.0.0.1") && !text.contains("8080") && !text.contains("8081"), "\(path)")
            }
            let request = HTTPRequest(
                method: .get,
                target: "/openapi/control.json",
                headers: HTTPHeaders([(.host, "127.0.0.1:1")])
            )
            let reply = TestReply(await application.api.respond(to: request))
            #expect(reply["servers"] == [["url": .string("http://127.0.0.1:\(control)")]])
        }
    }
}
