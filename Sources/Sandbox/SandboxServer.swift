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
    /// The control API over TLS.
    package let controlTLSURL: String?
    package let loops: EventLoops
    private let servers: [HTTPServer]
    private let tls: SandboxConfiguration.TLS?
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
            func listen(
                _ name: String,
                _ host: String,
                _ port: UInt16,
                _ responder: Pipeline,
                _ tls: TLSConfiguration? = nil
            ) async throws -> ListeningAddress {
                var server = ServerConfiguration(
                    host: host,
                    port: port,
                    limits: Limits(of: responder),
                    tls: tls,
                    name: name
                )
                if tls != nil { server.handshakeFailed = { handshakes.note($0) } }
                let http = HTTPServer(loops: loops, configuration: server, responder: responder)
                let address = try await http.start()
                servers.append(http)
                return ListeningAddress(scheme: tls == nil ? "http" : "https", bound: address)
            }
            let (host, controlHost) = (configuration.host, configuration.controlHost)
            let api = try await listen("api", host, configuration.port, application.api)
            let control = try await listen("control", controlHost, configuration.controlPort, application.control)
            var (secure, controlSecure): (ListeningAddress?, ListeningAddress?)
            if let tls = configuration.tls {
                var files = TLSConfiguration(certificateFile: tls.certificateFile, privateKeyFile: tls.keyFile)
                if let port = tls.controlPort {
                    controlSecure = try await listen("control-tls", controlHost, port, application.control, files)
                }
                files.clientAuthorityFile = tls.clientCAFile
                if let port = tls.port { secure = try await listen("tls", host, port, application.api, files) }
            }
            application.documents.listen(api: api, control: control)
            let listeners = servers
            application.metrics.observe { listeners.map { Metrics.Listener($0.name, $0.counters) } }
            return SandboxServer(
                application: application,
                apiURL: api.url(),
                controlURL: control.url(),
                tlsURL: secure?.url(),
                controlTLSURL: controlSecure?.url(),
                loops: loops,
                servers: servers,
                tls: configuration.tls,
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
            "controlTls": .optional(controlTLSURL),
        ]
    }

    /// Reads certificates and the file of the control token again, as an operator asks after having renewed them. What cannot
    /// be used is logged, and the server goes on with what it has.
    package func reload() async {
        let log = application.api.log
        func renew(_ what: String, _ file: String, _ read: () async throws -> Void) async {
            do {
                try await read()
                log(.info, "\(what) read again", [("file", .string(file))])
            } catch {
                log(.error, "\(what) not read again", [("detail", .string(String(describing: error)))])
            }
        }
        if let tls {
            await renew("certificate", tls.certificateFile) {
                try TLSFiles.check(tls)
                for server in servers { try await server.renewTLS() }
            }
        }
        if let token = application.controlToken, let file = token.file {
            await renew("control token", file) { try token.renew() }
        }
        if tls == nil, application.controlToken?.file == nil { log(.info, "there is no file to read again") }
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
