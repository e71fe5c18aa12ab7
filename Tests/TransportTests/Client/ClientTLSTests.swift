import Testing
import Transport
import Web

struct ClientTLSTests {
    private static let keys = #filePath.replacing("Tests/TransportTests/Client/ClientTLSTests.swift", with: "keys")
    private static let request = HTTPRequest(method: .get, target: "/peer")

    private static func server(mutual: Bool = false, host: String = "127.0.0.1") -> ServerConfiguration {
        let tls = TLSConfiguration(
            certificateFile: keys + "/tls/server.cert.pem",
            privateKeyFile: keys + "/tls/server.key.pem",
            clientAuthorityFile: mutual ? keys + "/tls/client-ca.cert.pem" : nil
        )
        return ServerConfiguration(host: host, tls: tls)
    }

    private static var trusting: HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration()
        configuration.authorityFile = keys + "/tls/server.cert.pem"
        return configuration
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a trusted server is called, many times on one connection`(host: String) async throws {
        try await withClient(Self.trusting, server: Self.server(), host: host) { running in
            for _ in 0..<3 { #expect(try await running.call(Self.request).body == Array("none".utf8)) }
            let large = try await running.call(HTTPRequest(method: .get, target: "/size/3000000"))
            #expect(large.body.count == 3_000_000)
            #expect(running.server.server.counters.accepted == 1)
        }
    }

    @Test func `the client's certificate is shown`() async throws {
        var configuration = Self.trusting
        configuration.certificateFile = Self.keys + "/tls/client.cert.pem"
        configuration.privateKeyFile = Self.keys + "/tls/client.key.pem"
        try await withClient(configuration, server: Self.server(mutual: true)) { running in
            let text = String(decoding: try await running.call(Self.request).body, as: UTF8.self)
            #expect(text.contains("CN=tsp-sandbox test client"))
            #expect(text.hasSuffix(" true - 64"))
        }
    }

    @Test func `a certificate for another host is refused`() async throws {
        try await withClient(Self.trusting, server: Self.server(host: "127.0.0.2")) { running in
            await #expect(throws: HTTPCallFault.tls(.hostName, reason: "IP address mismatch")) {
                try await running.call(Self.request)
            }
        }
    }

    @Test func `a server that no authority vouches for is refused`() async throws {
        try await withClient(server: Self.server()) { running in
            let fault = await #expect(throws: HTTPCallFault.self) { try await running.call(Self.request) }
            guard case .tls(.untrusted, let reason) = fault else {
                Issue.record("unexpected: \(String(describing: fault))")
                return
            }
            #expect(reason.contains("self"))
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", HTTPCallFault.TLSProblem.notTLS, RawServer.End.close),
        ("", .closed, .close), ("\u{15}\u{03}\u{03}\u{00}\u{02}\u{02}\u{28}", .refused, .close),
    ])
    func `what is wrong with a handshake is told`(
        answer: String,
        problem: HTTPCallFault.TLSProblem,
        end: RawServer.End
    ) async throws {
        let (outcome, _) = try await callRaw(answer, end, scheme: .https)
        let fault = #expect(throws: HTTPCallFault.self) { try outcome.get() }
        guard case .tls(problem, _) = fault else {
            Issue.record("unexpected: \(String(describing: fault))")
            return
        }
    }

    @Test func `a handshake may be reset or stand still`() async throws {
        let (reset, _) = try await callRaw("", .reset, scheme: .https)
        #expect(throws: HTTPCallFault.reset) { try reset.get() }
        let (stalled, _) = try await callRaw("", .hold, seconds: 0.2, scheme: .https)
        #expect(throws: HTTPCallFault.timeout(during: .handshake)) { try stalled.get() }
    }

    @Test func `files that cannot be used are named`() throws {
        let loop = try EventLoop()
        for change in [\HTTPClientConfiguration.authorityFile, \.certificateFile] {
            var configuration = HTTPClientConfiguration()
            configuration[keyPath: change] = "/no/such.pem"
            let fault = #expect(throws: TransportFault.self) {
                try HTTPClient(loop: loop, configuration: configuration)
            }
            guard case .tls(file: "/no/such.pem", _) = fault else {
                Issue.record("unexpected: \(String(describing: fault))")
                continue
            }
        }
    }
}
