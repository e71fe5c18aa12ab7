import Core
import Web
import Wire

/// Puts a configuration together: flag before environment before file before default.
package struct ConfigurationReader {
    /// A hundred years, in seconds: more than that is a slip.
    private static let longestIdle: Int64 = 3_155_760_000
    /// More loops than that only take turns.
    private static let mostLoops = 64

    private var values: [Setting: (text: String, origin: String)] = [:]

    /// - Parameters:
    ///   - arguments: what follows `serve`.
    ///   - readFile: gives a file's text; the configuration file is the only one read here.
    /// - Throws: ``UsageFault``.
    package static func read(
        _ arguments: [String],
        environment: [String: String],
        readFile: (String) throws -> String
    ) throws -> SandboxConfiguration {
        try readAll(arguments, environment: environment, readFile: readFile).configuration
    }

    /// The same, with every setting and where it comes from.
    static func readAll(
        _ arguments: [String],
        environment: [String: String],
        readFile: (String) throws -> String
    ) throws -> (configuration: SandboxConfiguration, settings: [Origin]) {
        var reader = ConfigurationReader()
        var ignored: [String] = []
        let flags = try ServeCommand.syntax.read(arguments)
        for setting in Setting.allCases {
            if let text = flags.value(setting.rawValue) {
                reader.values[setting] = (text, setting.flag)
            } else if let text = environment[setting.environmentVariable], !text.isEmpty {
                // An empty one is how a build's matrix says that there is none.
                if isServiceLink(setting, text, environment) {
                    ignored.append(setting.environmentVariable)
                } else {
                    reader.values[setting] = (text, setting.environmentVariable)
                }
            }
        }
        if let file = reader.values[.config] { try reader.merge(file: file.text, text: readFile(file.text)) }
        var configuration = try reader.configuration()
        configuration.ignoredVariables = ignored
        return (configuration, Setting.allCases.map { reader.origin($0, in: configuration) })
    }

    /// Kubernetes puts the address of each service into the environment of the others: of one that is called like this program
    /// as `…_PORT=tcp://10.0.0.11:8080`, with `…_SERVICE_HOST` beside it.
    private static func isServiceLink(_ setting: Setting, _ text: String, _ environment: [String: String]) -> Bool {
        let name = setting.environmentVariable
        guard name.hasSuffix("_PORT"), text.contains("://") else { return false }
        return environment[name.dropLast(4) + "SERVICE_HOST"] != nil
    }

    /// A setting's value, and the flag, variable or file that gave it; `default` when none did.
    struct Origin: Sendable {
        let setting: Setting
        /// Nil when there is none.
        let text: String?
        let origin: String
    }

    private func origin(_ setting: Setting, in configuration: SandboxConfiguration) -> Origin {
        if let value = values[setting] { return Origin(setting: setting, text: value.text, origin: value.origin) }
        return Origin(setting: setting, text: configuration.text(of: setting), origin: "default")
    }

    private mutating func merge(file path: String, text: String) throws {
        let json: JSON
        do {
            json = try JSON.parse(text)
        } catch {
            throw UsageFault("\(path): \(error.reason.rawValue) at byte \(error.offset)")
        }
        guard case .object(let object) = json else { throw UsageFault("\(path): one JSON object is wanted") }
        for member in object.members {
            guard let setting = Setting(rawValue: member.key), setting != .config else {
                throw UsageFault("\(path): there is no setting \(member.key)")
            }
            guard values[setting] == nil else { continue }
            guard let text = member.value.string ?? member.value.integer.map(String.init) else {
                throw UsageFault("\(path): \(member.key) must be a string or a number")
            }
            values[setting] = (text, path)
        }
    }

    private func configuration() throws -> SandboxConfiguration {
        var configuration = SandboxConfiguration()
        if let text = text(.host) { configuration.host = text }
        if let port = try port(.port) { configuration.port = port }
        if let text = text(.controlHost) { configuration.controlHost = text }
        if let port = try port(.controlPort) { configuration.controlPort = port }
        configuration.controlToken = text(.controlToken)
        if configuration.controlToken == "" { throw wrong(.controlToken, "a token of at least one character") }
        configuration.controlTokenFile = text(.controlTokenFile)
        if let given = values[.controlToken], let file = values[.controlTokenFile] {
            throw UsageFault("\(given.origin) and \(file.origin) exclude each other")
        }
        if let text = text(.controlAllowHost) {
            let names = text.split(separator: ",").map { $0.filter { $0 != " " } }
            guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else {
                throw wrong(.controlAllowHost, "host names with commas between, such as sandbox.test,*.test")
            }
            configuration.controlAllowedHosts = names
        }
        configuration.tls = try tls()
        if let text = text(.publicURL) {
            guard PublicURL(text) != nil else {
                throw wrong(.publicURL, "an address like https://sandbox.example.com, without query and fragment")
            }
            configuration.publicURL = text
        }
        if let text = text(.store) { configuration.store = try store(text) }
        if let text = text(.seed) {
            guard let seed = UInt64(text), seed <= 1 << 53 else { throw wrong(.seed, "a whole number up to 2^53") }
            configuration.seed = seed
        }
        if let text = text(.fixtures) { configuration.fixturesFolder = text }
        if let text = text(.keys) { configuration.keysFolder = text }
        if let text = text(.loops) {
            guard let count = Int(text), (1...ConfigurationReader.mostLoops).contains(count) else {
                throw wrong(.loops, "a number from 1 to \(ConfigurationReader.mostLoops)")
            }
            configuration.loops = count
        }
        if let word = try word(.tenants, SandboxConfiguration.TenantMode.self) { configuration.tenants = word }
        if let text = text(.tenantIdle) {
            guard let seconds = Int64(text), (0...ConfigurationReader.longestIdle).contains(seconds) else {
                throw wrong(.tenantIdle, "a number of seconds from 0 to \(ConfigurationReader.longestIdle)")
            }
            configuration.tenantIdleSeconds = seconds
        }
        if let word = try word(.panPolicy, PANPolicy.Mode.self) { configuration.panPolicy = word }
        if let word = try word(.logLevel, Log.Level.self) { configuration.logLevel = word }
        if let word = try word(.requestFaults, SandboxConfiguration.Switch.self) { configuration.requestFaults = word }
        if let word = try word(.requestLog, SandboxConfiguration.Switch.self) { configuration.requestLog = word }
        return configuration
    }

    private func text(_ setting: Setting) -> String? { values[setting]?.text }

    private func port(_ setting: Setting) throws -> UInt16? {
        guard let text = text(setting) else { return nil }
        guard let port = UInt16(text) else { throw wrong(setting, "a port from 0 to 65535") }
        return port
    }

    private func word<Word: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting,
        _ type: Word.Type
    ) throws -> Word? {
        guard let text = text(setting) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw wrong(setting, Word.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return word
    }

    private func store(_ text: String) throws -> SandboxConfiguration.StoreLocation {
        if text.isEmpty { throw wrong(.store, "memory or a path, and not an empty text") }
        // What other tools call it, too: a file of such a name is never meant.
        if ["memory", ":memory:"].contains(text.lowercased()) { return .memory }
        if text.lowercased().hasPrefix("file:") {
            throw wrong(.store, "memory or a path, and not an address of SQLite")
        }
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            throw wrong(.store, "memory or a path; PostgreSQL is not built in yet")
        }
        return .file(text)
    }

    private func tls() throws -> SandboxConfiguration.TLS? {
        let (port, controlPort) = (try port(.tlsPort), try port(.controlTLSPort))
        if port == nil, text(.clientCA) != nil {
            throw UsageFault("\(Setting.clientCA.flag) goes with \(Setting.tlsPort.flag)")
        }
        guard port != nil || controlPort != nil else {
            for setting in [Setting.tlsCert, .tlsKey] where text(setting) != nil {
                let ports = "\(Setting.tlsPort.flag) or \(Setting.controlTLSPort.flag)"
                throw UsageFault("\(setting.flag) goes with \(ports)")
            }
            return nil
        }
        guard let certificate = text(.tlsCert), let key = text(.tlsKey) else {
            let asking = (port == nil ? Setting.controlTLSPort : .tlsPort).flag
            throw UsageFault("\(asking) needs \(Setting.tlsCert.flag) and \(Setting.tlsKey.flag)")
        }
        return SandboxConfiguration.TLS(
            port: port,
            controlPort: controlPort,
            certificateFile: certificate,
            keyFile: key,
            clientCAFile: text(.clientCA)
        )
    }

    private func wrong(_ setting: Setting, _ wanted: String) -> UsageFault {
        UsageFault("\(values[setting]?.origin ?? setting.flag): wanted \(wanted)")
    }
}
