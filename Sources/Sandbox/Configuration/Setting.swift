import Core

/// One setting: its flag, which also names its environment variable and its key in the configuration file.
enum Setting: String, CaseIterable {
    case host
    case port
    case controlHost = "control-host"
    case controlPort = "control-port"
    case controlToken = "control-token"
    case controlTokenFile = "control-token-file"
    case controlTLSPort = "control-tls-port"
    case controlAllowHost = "control-allow-host"
    case tlsPort = "tls-port"
    case tlsCert = "tls-cert"
    case tlsKey = "tls-key"
    case clientCA = "client-ca"
    case publicURL = "public-url"
    case store
    case seed
    case fixtures
    case keys
    case loops
    case tenants
    case tenantIdle = "tenant-idle"
    case panPolicy = "pan-policy"
    case requestFaults = "request-faults"
    case config
    case logLevel = "log-level"
    case requestLog = "request-log"

    var flag: String { "--" + rawValue }

    /// For example `TSP_SANDBOX_CONTROL_PORT`.
    var environmentVariable: String {
        "TSP_SANDBOX_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// What help, completion and manual page say of it (``CommandOption``).
    var help: (argument: String, text: String) {
        switch self {
        case .host: ("ADDRESS", "address of the API (127.0.0.1)")
        case .port: ("N", "port of the API, 0 for a free one (8080)")
        case .controlHost: ("ADDRESS", "address of the control API (127.0.0.1)")
        case .controlPort: ("N", "port of the control API (8081)")
        case .controlToken: ("TOKEN", "bearer token of the control API")
        case .controlTokenFile: ("FILE", "file that holds that token, read again on SIGHUP")
        case .controlTLSPort: ("N", "also serve the control API over TLS on this port")
        case .controlAllowHost:
            ("NAME,...", "host names of the control API besides loopback (localhost, *.localhost, ...)")
        case .tlsPort: ("N", "also serve the API over TLS on this port")
        case .tlsCert: ("FILE", "PEM certificate of the TLS ports, read again on SIGHUP")
        case .tlsKey: ("FILE", "PEM key of the TLS ports, without a passphrase")
        case .clientCA: ("FILE", "PEM authority of client certificates of the API")
        case .publicURL: ("URL", "how clients reach the API through a proxy")
        case .store: ("memory|PATH", "where state is kept (.tsp-sandbox/sandbox.db)")
        case .seed: ("N", "seed of every draw (random)")
        case .fixtures: ("DIR", "folder of the base fixtures (built in)")
        case .keys: ("DIR", "folder of the sandbox's keys (built in)")
        case .loops: ("N", "threads that serve connections (one for each core, at most 4)")
        case .tenants: ("auto|explicit", "make tenants when first named (auto)")
        case .tenantIdle:
            ("SECONDS", "drop a tenant that nobody used for so long, 0 for never (memory 3600, file 7 days)")
        case .panPolicy: ("test-only|any", "which card numbers are taken (test-only)")
        case .requestFaults: ("on|off", "whether the header X-Sandbox-Fault is obeyed (on)")
        case .config: ("FILE", "JSON file with these settings")
        case .logLevel: ("error|warning|info|debug", "what is logged, and all that is worse (info)")
        case .requestLog: ("on|off", "log every request at info: method, path, status, duration, peer (off)")
        }
    }
}
