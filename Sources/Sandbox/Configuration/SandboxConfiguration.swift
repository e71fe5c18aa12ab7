package import Core
import Traffic
import Transport
import Web

/// How a server is started (CONTRACT, section 7).
package struct SandboxConfiguration: Sendable, Equatable {
    package enum StoreLocation: Sendable, Equatable {
        case memory
        case file(String)
    }

    package enum TenantMode: String, Sendable, CaseIterable {
        /// A tenant is made when it is first named.
        case auto
        case explicit
    }

    package enum Switch: String, Sendable, CaseIterable {
        case on
        case off
    }

    /// The files of the TLS ports, and the ports, of which there is at least one.
    package struct TLS: Sendable, Equatable {
        /// Of the API.
        package var port: UInt16?
        package var controlPort: UInt16?
        package var certificateFile: String
        package var keyFile: String
        package var clientCAFile: String?
    }

    package var host = "127.0.0.1"
    package var port: UInt16 = 8_080
    package var controlHost = "127.0.0.1"
    package var controlPort: UInt16 = 8_081
    package var controlToken: String?
    /// The file that holds the token instead.
    package var controlTokenFile: String?
    /// Host names of the control API besides loopback addresses, for clients without a token.
    package var controlAllowedHosts = ControlGate.usualHosts
    package var tls: TLS?
    package var publicURL: String?
    package var store = StoreLocation.file(".tsp-sandbox/sandbox.db")
    package var seed: UInt64?
    /// Nil for the fixtures that are part of the program.
    package var fixturesFolder: String?
    /// Nil for the keys that are part of the program.
    package var keysFolder: String?
    /// Threads that serve connections, each with its own.
    package var loops = EventLoops.defaultCount
    package var tenants = TenantMode.auto
    /// Real seconds after which a tenant that nobody uses is dropped; 0 for never, nil for what suits the store.
    package var tenantIdleSeconds: Int64?
    /// Most tenants there are; no setting, but tests have smaller ones.
    package var tenantLimit = TenantDirectory.defaultLimit
    /// Most bytes of the documents of a world that is exported; no setting either.
    package var exportBytes = WorldDocument.largest
    package var panPolicy = PANPolicy.Mode.testOnly
    /// Whether a request may order a fault for itself (`X-Sandbox-Fault`).
    package var requestFaults = Switch.on
    package var logLevel = Log.Level.info
    /// Whether each request is a line of the log at level info.
    package var requestLog = Switch.off
    /// Variables of the environment that look like settings and are a service's address.
    package var ignoredVariables: [String] = []

    package init() {}

    /// What is in a file was put there to stay: a week, and what is in memory an hour.
    package var idleSeconds: Int64 { tenantIdleSeconds ?? (store == .memory ? 3_600 : 7 * 86_400) }

    package var keys: FileSource { .keys(keysFolder) }
    package var fixtures: FileSource { .fixtures(fixturesFolder) }

    /// True when the control API is reachable from other machines, and so needs a token.
    package var controlIsExposed: Bool {
        if controlHost == "localhost" || controlHost == "::1" { return false }
        // Four numbers: a name that begins so may lead anywhere.
        let parts = controlHost.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count != 4 || parts[0] != "127" || !parts.allSatisfy { UInt8($0) != nil }
    }
}

extension SandboxConfiguration {
    /// Who may use the control API.
    func controlGate(needsToken: Bool) -> ControlGate {
        let own =
            [controlHost]
            + [publicURL.flatMap(PublicURL.init).map { ControlGate.name(of: $0.authority) }].compactMap(\.self)
        return ControlGate(needsToken: needsToken, hosts: controlAllowedHosts + own)
    }

    /// The control API can be reached from other machines, and nobody chose a token for it.
    var lacksControlToken: Bool { controlIsExposed && controlToken == nil && controlTokenFile == nil }

    /// A setting as it would be written to get this configuration; nil for one that is absent.
    func text(of setting: Setting) -> String? {
        switch setting {
        case .host: host
        case .port: String(port)
        case .controlHost: controlHost
        case .controlPort: String(controlPort)
        case .controlToken: controlToken
        case .controlTokenFile: controlTokenFile
        case .controlTLSPort: tls?.controlPort.map { String($0) }
        case .controlAllowHost: controlAllowedHosts.joined(separator: ",")
        case .tlsPort: tls?.port.map { String($0) }
        case .tlsCert: tls?.certificateFile
        case .tlsKey: tls?.keyFile
        case .clientCA: tls?.clientCAFile
        case .publicURL: publicURL
        case .store:
            switch store {
            case .memory: "memory"
            case .file(let path): path
            }
        case .seed: seed.map(String.init)
        case .fixtures: fixturesFolder
        case .keys: keysFolder
        case .loops: String(loops)
        case .tenants: tenants.rawValue
        case .tenantIdle: String(idleSeconds)
        case .panPolicy: panPolicy.rawValue
        case .requestFaults: requestFaults.rawValue
        case .config: nil
        case .logLevel: logLevel.rawValue
        case .requestLog: requestLog.rawValue
        }
    }
}
