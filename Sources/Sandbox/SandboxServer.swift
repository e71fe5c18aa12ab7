import Core
package import Networks
import Traffic
package import Transport
package import Wire

/// The sandbox with its sockets: API, control and, when asked for, TLS.
package struct SandboxServer: Sendable {
    /// How long requests in flight may take after the stop signal, in seconds (DESIGN, section 9).
    static let graceSeconds = 10.0

    package let application: SandboxApplication
    /// For example `http://127.0.0.1:8080`.
    package let apiURL: String
    package let controlURL: String
    package let tlsURL: String?
    package let loops: EventLoops
    private let servers: [HTTPServer]
    /// Looks once in a minute for tenants that nobody uses.
    private let sweeper: Task<Void, Never>

    /// Builds the application and opens the ports.
    ///
    /// - Throws: an error whose description tells the user what to change. Nothing stays open then.
    package static func start(
        _ configuration: SandboxConfiguration,
        _ platform: SandboxApplication.Platform,
        faces: [any Face] = FaceCatalog.all
    ) async throws -> SandboxServer {
        if let tls = configuration.tls { try TLSFiles.check(tls) }
        let application = try await SandboxApplication.build(configuration, platform, faces: faces)
        do {
            return try await open(configuration, application, HandshakeLog(log: platform.log, now: platform.now))
        } catch {
            await application.close()
            throw error
        }
    }

    private static func open(
        _ configuration: SandboxConfiguration,
        _ application: SandboxApplication,
        _ handshakes: HandshakeLog
    ) async throws -> SandboxServer {
        let loops = try EventLoops(count: configuration.loops)
        var servers: [HTTPServer] = []
        do {
            func listen(_ server: ServerConfiguration, _ responder: Pipeline) async throws -> BoundAddress {
                let http = HTTPServer(loops: loops, configuration: server, responder: responder)
                let address = try await http.start()
                servers.append(http)
                return address
            }
            let api = try await listen(
                ServerConfiguration(
                    host: configuration.host,
                    port: configuration.port,
                    limits: Limits(of: application.api),
                    name: "api"
                ),
                application.api
            )
            let control = try await listen(
                ServerConfiguration(
                    host: configuration.controlHost,
                    port: configuration.controlPort,
                    limits: Limits(of: application.control),
                    name: "control"
                ),
                application.control
            )
            var secure: BoundAddress?
            if let tls = configuration.tls {
                var server = ServerConfiguration(
                    host: configuration.host,
                    port: tls.port,
                    limits: Limits(of: application.api),
                    tls: TLSConfiguration(
                        certificateFile: tls.certificateFile,
                        privateKeyFile: tls.keyFile,
                        clientAuthorityFile: tls.clientCAFile
                    ),
                    name: "tls"
                )
                server.handshakeFailed = { handshakes.note($0) }
                secure = try await listen(server, application.api)
            }
            application.documents.listen(api: "http://\(api)", control: "http://\(control)")
            let listeners = servers
            application.metrics.observe { listeners.map { Metrics.Listener($0.name, $0.counters) } }
            return SandboxServer(
                application: application,
                apiURL: "http://\(api)",
                controlURL: "http://\(control)",
                tlsURL: secure.map { "https://\($0)" },
                loops: loops,
                servers: servers,
                sweeper: sweeper(application)
            )
        } catch {
            for server in servers { await server.stop(graceSeconds: 0) }
            loops.stop()
            throw error
        }
    }

    private static func sweeper(_ application: SandboxApplication) -> Task<Void, Never> {
        Task { @concurrent in
            while true {
                do { try await Task.sleep(for: .seconds(60)) } catch { return }
                await application.dropIdleTenants()
            }
        }
    }

    /// The line that tells scripts where the server listens.
    package var listeningLine: JSON {
        [
            "event": "listening", "api": .string(apiURL), "control": .string(controlURL), "tls": .optional(tlsURL),
        ]
    }

    /// Stops taking requests, lets those in flight finish, commits and closes.
    package func stop() async {
        application.readiness.end()
        sweeper.cancel()
        // Delays and long polls end now and are answered; the listeners let them.
        application.pauses.stop()
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop(graceSeconds: Self.graceSeconds) } }
        }
        await application.close()
        loops.stop()
    }
}

extension Metrics.Listener {
    fileprivate init(_ name: String, _ counters: ServerCounters) {
        self.init(
            name: name,
            connections: counters.connections,
            requestsInFlight: counters.requestsInFlight,
            accepted: counters.accepted,
            refused: counters.refused,
            pauses: counters.pauses,
            handshakeFailures: counters.handshakeFailures
        )
    }
}

extension Limits {
    /// The largest body that one of the operations takes; every other is held to its own limit before its body arrives.
    fileprivate init(of pipeline: Pipeline) {
        self.init()
        bodyBytes = pipeline.endpoints.map(\.route.bodyLimit).max() ?? Route.defaultBodyLimit
    }
}
