import COpenSSL
import Glibc
import Testing
import Transport

struct TLSTests {
    private static let keys = #filePath.replacing("Tests/TransportTests/TLSTests.swift", with: "keys")
    private static let server = TLSConfiguration(
        certificateFile: keys + "/tls/server.cert.pem",
        privateKeyFile: keys + "/tls/server.key.pem"
    )
    private static var mutual: TLSConfiguration {
        var configuration = server
        configuration.clientAuthorityFile = keys + "/tls/client-ca.cert.pem"
        return configuration
    }
    private static func certificate(_ name: String, _ version: Int32) -> TLSClient.Options {
        TLSClient.Options(
            certificateFile: "\(keys)/\(name).cert.pem",
            keyFile: "\(keys)/\(name).key.pem",
            version: version
        )
    }

    @Test(arguments: [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")])
    func `requests are answered over TLS`(version: Int32, name: String) async throws {
        try await withServer(tls: Self.server) { server in
            let client = try server.client(tls: TLSClient.Options(version: version))
            #expect(client.tls?.version == name)
            for _ in 0..<3 {
                try client.request("POST", "/echo", body: "hello")
                #expect(try client.answer().text == "hello")
            }
            try client.request("GET", "/peer")
            #expect(try client.answer().text == "none")
            try client.request("GET", "/size/3000000", headers: "Connection: close\r\n")
            #expect(try client.answer().body.count == 3_000_000)
            #expect(try client.isClosed())
        }
    }

    @Test func `TLS 1,1 is refused`() async throws {
        try await withServer(tls: Self.server) { server in
            #expect(throws: TLSClient.HandshakeFailed.self) {
                try server.client(tls: TLSClient.Options(version: TLS1_1_VERSION))
            }
        }
    }

    @Test func `plain HTTP on a TLS port ends the connection`() async throws {
        try await withServer(tls: Self.server) { server in
            let client = try server.client()
            try client.request("GET", "/a")
            _ = try? client.rest()
            #expect(server.reaches { $0.connections == 0 })
            #expect(server.responder.log.isEmpty)
        }
    }

    @Test func `a client that leaves cancels its request over TLS too`() async throws {
        try await withServer(tls: Self.server) { server in
            for closesProperly in [true, false] {
                do {
                    let client = try server.client(tls: TLSClient.Options())
                    try client.request("GET", "/leave")
                    #expect(server.reaches { $0.requestsInFlight == 1 })
                    if closesProperly { client.tls?.close() }
                }
                #expect(server.responder.sees("cancelled /leave"))
                #expect(server.reaches { $0.connections == 0 && $0.requestsInFlight == 0 })
            }
        }
    }

    @Test func `a refusal over TLS is read while the body is sent`() async throws {
        try await withServer(tls: Self.server) { server in
            let client = try server.client(tls: TLSClient.Options())
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\nX-Refuse: 401\r\n\r\n")
            try client.send([UInt8](repeating: 0x61, count: 1 << 20))
            #expect(try client.answer().status == 401)
            #expect(try client.isClosed())
        }
    }

    @Test func `a client that sends ahead over TLS is not read without limit`() async throws {
        try await withServer(tls: Self.server) { server in
            let client = try server.client(tls: TLSClient.Options())
            try client.request("GET", "/wait")
            try client.send([UInt8](repeating: 0x61, count: 200_000))
            server.responder.open()
            #expect(try client.answer().status == 200)
            #expect(try client.answer().status == 400)
        }
    }

    @Test(arguments: [65_500, 65_536, 80_000])
    func `a large request sent ahead over TLS is read to its end`(size: Int) async throws {
        try await withServer(tls: Self.server, limits: { $0.progressSeconds = 1 }) { server in
            let client = try server.client(tls: TLSClient.Options())
            try client.request("GET", "/wait")
            #expect(server.responder.sees("respond /wait"))
            // In two parts, so that no record ends at the watermark.
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
            try client.send([UInt8](repeating: 0x61, count: size))
            // Time for all of it to arrive while the first request is answered.
            usleep(200_000)
            server.responder.open()
            #expect(try client.answer().status == 200)
            #expect(try client.answer().body.count == size)
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `the verdict on a client certificate travels with the request`(version: Int32) async throws {
        try await withServer(tls: Self.mutual) { server in
            let good = try server.client(tls: Self.certificate("tls/client", version))
            try good.request("GET", "/peer")
            let text = try good.answer().text
            #expect(text.hasPrefix("CN="))
            #expect(text.hasSuffix(" true - 64"))

            let other = try server.client(tls: Self.certificate("tls/server", version))
            try other.request("GET", "/peer")
            let refused = try other.answer().text
            #expect(refused.contains(" false unsuitable certificate purpose "))

            let none = try server.client(tls: TLSClient.Options(version: version))
            try none.request("GET", "/peer")
            #expect(try none.answer().text == "none")
        }
    }

    @Test func `files that cannot be used are named`() async throws {
        for change in [\TLSConfiguration.certificateFile, \.privateKeyFile] {
            var configuration = Self.server
            configuration[keyPath: change] = "/no/such.pem"
            let loops = try EventLoops()
            let server = HTTPServer(
                loops: loops,
                configuration: ServerConfiguration(tls: configuration),
                responder: TestResponder()
            )
            let fault = await #expect(throws: TransportFault.self) { try await server.start() }
            guard case .tls(file: "/no/such.pem", _) = fault else {
                Issue.record("unexpected: \(String(describing: fault))")
                continue
            }
        }
    }

    @Test func `a key of another certificate is refused`() async throws {
        var configuration = Self.server
        configuration.privateKeyFile = Self.keys + "/tls/client.key.pem"
        let loops = try EventLoops()
        let server = HTTPServer(
            loops: loops,
            configuration: ServerConfiguration(tls: configuration),
            responder: TestResponder()
        )
        let fault = await #expect(throws: TransportFault.self) { try await server.start() }
        #expect(fault == .tls(file: configuration.privateKeyFile, reason: "key values mismatch"))
    }
}
