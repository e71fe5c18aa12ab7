import COpenSSL
import Glibc
import Testing
import Transport

/// Handshakes that fail, and sessions that are resumed.
struct HandshakeTests {
    private static let keys = #filePath.replacing("Tests/TransportTests/HandshakeTests.swift", with: "keys")
    private static var mutual: TLSConfiguration {
        TLSConfiguration(
            certificateFile: keys + "/tls/server.cert.pem",
            privateKeyFile: keys + "/tls/server.key.pem",
            clientAuthorityFile: keys + "/tls/client-ca.cert.pem"
        )
    }
    private static func options(_ name: String?, _ version: Int32) -> TLSClient.Options {
        var options = TLSClient.Options(version: version)
        options.certificateFile = name.map { "\(keys)/tls/\($0).cert.pem" }
        options.keyFile = name.map { "\(keys)/tls/\($0).key.pem" }
        return options
    }

    @Test func `each handshake that fails is told with its reason`() async throws {
        try await withServer(tls: Self.mutual) { server in
            func expect(_ problem: HandshakeFailure.Problem, _ reason: String, _ what: () throws -> Void) {
                try? what()
                let failure = server.handshakes.next()
                #expect(failure?.problem == problem, "\(String(describing: failure))")
                #expect(failure?.reason == reason)
                #expect(failure?.peer == "127.0.0.1")
                #expect(failure?.subject == nil)
            }
            expect(.notTLS, "http request") {
                let client = try server.client()
                try client.request("GET", "/a")
                _ = try client.rest()
            }
            expect(.notTLS, "wrong version number") {
                let client = try server.client()
                try client.send("\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{A}\u{B}")
                _ = try client.rest()
            }
            expect(.version, "unsupported protocol") {
                _ = try server.client(tls: TLSClient.Options(version: TLS1_1_VERSION, ciphers: "ALL:@SECLEVEL=0"))
            }
            expect(.cipher, "no shared cipher") {
                _ = try server.client(
                    tls: TLSClient.Options(version: TLS1_2_VERSION, ciphers: "ECDHE-ECDSA-AES128-SHA")
                )
            }
            expect(.left, "the client ended the connection") {
                _ = try server.client()
            }
            expect(.left, "the client ended the connection") {
                let client = try server.client()
                // The head of a record that never comes.
                try client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            }
            #expect(server.reaches { $0.handshakeFailures == 6 && $0.connections == 0 })
            #expect(server.responder.log.isEmpty && server.handshakes.rest.isEmpty)
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a client that does not trust the server is told of`(version: Int32) async throws {
        try await withServer(tls: Self.mutual) { server in
            #expect(throws: TLSClient.HandshakeFailed.self) {
                try server.client(tls: TLSClient.Options(version: version, trustsNobody: true))
            }
            let failure = server.handshakes.next()
            #expect(failure?.problem == .alert)
            #expect(failure?.reason == "tlsv1 alert unknown ca")
        }
    }

    @Test func `the subject of a certificate that was shown is told`() async throws {
        try await withServer(tls: Self.mutual) { server in
            try BrokenHandshake.run(server.address, Self.options("client", TLS1_2_VERSION))
            let failure = server.handshakes.next()
            #expect(failure?.subject?.hasPrefix("CN=tsp-sandbox test client") == true)
            #expect(failure?.problem == .other)
            #expect(failure?.reason == "decryption failed or bad record mac")
        }
    }

    @Test func `a handshake that stands still ends and is told`() async throws {
        try await withServer(tls: Self.mutual, limits: { $0.progressSeconds = 0.2 }) { server in
            let client = try server.client()
            try client.send([0x16, 0x03, 0x01])
            #expect(try client.isClosed())
            #expect(server.handshakes.next()?.problem == .timeout)
        }
    }

    @Test func `a handshake that a stop ends is not a failure`() async throws {
        try await withServer(tls: Self.mutual) { server in
            let client = try server.client()
            try client.send([0x16, 0x03, 0x01])
            #expect(server.reaches { $0.connections == 1 })
            let stopped = Task { await server.server.stop(graceSeconds: 0) }
            #expect(try client.isClosed())
            #expect(server.handshakes.rest.isEmpty)
            withExtendedLifetime(stopped) {}
        }
    }

    struct Resumption: CustomTestStringConvertible, Sendable {
        let certificate: String?
        let version: Int32
        var takesTickets = true
        var testDescription: String {
            "\(certificate ?? "no certificate") \(version == TLS1_2_VERSION ? "1.2" : "1.3") \(takesTickets)"
        }
    }

    static let resumptions = [nil, "client", "server"].flatMap { name in
        [
            Resumption(certificate: name, version: TLS1_2_VERSION),
            Resumption(certificate: name, version: TLS1_2_VERSION, takesTickets: false),
            Resumption(certificate: name, version: TLS1_3_VERSION),
        ]
    }

    @Test(arguments: resumptions)
    func `a session is resumed with its verdict on the certificate`(_ item: Resumption) async throws {
        for tls in [
            Self.mutual,
            TLSConfiguration(
                certificateFile: Self.keys + "/tls/server.cert.pem",
                privateKeyFile: Self.keys + "/tls/server.key.pem"
            ),
        ] {
            try await withServer(tls: tls) { server in
                var options = Self.options(item.certificate, item.version)
                options.takesTickets = item.takesTickets
                let first = try server.client(tls: options)
                try first.request("GET", "/peer")
                let verdict = try first.answer().text
                #expect(first.tls?.isResumed == false)
                #expect((verdict == "none") == (item.certificate == nil || tls.clientAuthorityFile == nil))
                // What the second one is to show must come from the session, not from a certificate.
                var bare = Self.options(nil, item.version)
                bare.takesTickets = item.takesTickets
                var session = first.tls?.session
                // All stay open, so that each next one is on another loop.
                var open = [first]
                for _ in 0..<3 {
                    let next = try server.client(tls: bare, resuming: session)
                    #expect(next.tls?.isResumed == true)
                    try next.request("GET", "/peer")
                    #expect(try next.answer().text == verdict)
                    session = next.tls?.session
                    open.append(next)
                }
            }
        }
    }

    @Test func `an idle connection ends with the closing alert`() async throws {
        try await withServer(tls: Self.mutual, limits: { $0.idleSeconds = 0.2 }) { server in
            let client = try server.client(tls: Self.options(nil, TLS1_3_VERSION))
            try client.request("GET", "/a")
            #expect(try client.answer().status == 200)
            // An end without the alert is a failure for `TLSClient`.
            #expect(try client.isClosed())
        }
    }

    @Test func `renegotiation is refused`() async throws {
        try await withServer(tls: Self.mutual) { server in
            let client = try server.client(tls: Self.options("client", TLS1_2_VERSION))
            try client.request("GET", "/a")
            #expect(try client.answer().status == 200)
            #expect(client.tls?.renegotiates() == false)
        }
    }
}
