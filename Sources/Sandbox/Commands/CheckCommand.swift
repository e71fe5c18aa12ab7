import Core
import Crypto
import Masking
import Traffic
import Wire

/// `check`: reads the configuration as `serve` does, shows where each setting comes from, and loads keys and
/// fixtures. Opens no port and no store.
enum CheckCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "check",
            "validate the configuration, keys and fixtures, and say where each setting comes from; opens no port",
            options: ServeCommand.syntax.options,
            run: run
        )
    }

    /// - Throws: ``UsageFault`` for a setting that does not exist or has a wrong value; for what `serve` finds at its start, what
    ///   it throws.
    private static func run(_ arguments: [String], _ terminal: Terminal) async throws -> Command.ExitCode {
        let read = try ConfigurationReader.readAll(arguments, environment: terminal.environment) { path in
            do {
                return try Files.text(path)
            } catch {
                throw UsageFault(String(describing: error))
            }
        }
        for entry in read.settings {
            terminal.print("\(entry.setting.rawValue) = \(shown(entry.setting, entry.text)) (\(entry.origin))")
        }
        if read.configuration.lacksControlToken {
            terminal.complain(
                "tsp-sandbox: control-host is not a loopback address: serve makes a control-token and prints it once"
            )
        }
        for name in read.configuration.ignoredVariables {
            terminal.complain("tsp-sandbox: \(name) is a service link of Kubernetes, and is ignored")
        }
        for name in terminal.environment.keys.sorted() where isStranger(name) {
            terminal.complain("tsp-sandbox: \(Masking.excerpt(name, 80)) is not a setting, and is ignored")
        }
        try await load(read.configuration, terminal)
        return .success
    }

    /// A world of the fixtures, made and thrown away.
    private static func load(_ configuration: SandboxConfiguration, _ terminal: Terminal) async throws {
        if let tls = configuration.tls { try TLSFiles.check(tls) }
        if case .file(let path) = configuration.store, let reason = Files.obstacle(toMaking: path) {
            throw FileFault(path: path, reason: reason)
        }
        var configuration = configuration
        configuration.store = .memory
        let platform = SandboxApplication.Platform(now: terminal.now, newSeed: { 0 }, log: .none)
        let application = try await SandboxApplication.build(configuration, platform)
        let counts: (issuers: Int, cards: Int)
        do {
            counts = try await application.worlds.read(.default) { view in
                (try view.store.records(Issuer.self).count, try view.store.records(Card.self).count)
            }
        } catch {
            await application.close()
            throw error
        }
        await application.close()
        terminal.print("keys and fixtures can be read: \(counts.issuers) issuers, \(counts.cards) cards")
    }

    /// The value, without what nobody may read over a shoulder or in a build log.
    private static func shown(_ setting: Setting, _ text: String?) -> String {
        guard let text else { return "none" }
        if setting == .controlToken { return "***" }
        // The user information of a URL ends with the last @ before its path.
        guard let scheme = text.firstRange(of: "://"), let at = text[scheme.upperBound...].lastIndex(of: "@") else {
            return text
        }
        return text[..<scheme.upperBound] + "***" + text[at...]
    }

    /// A variable that looks like a setting and is not one, `TSP_SANDBOX_PROT` for example.
    private static func isStranger(_ name: String) -> Bool {
        name.hasPrefix("TSP_SANDBOX_") && !Setting.allCases.contains { $0.environmentVariable == name }
    }
}
