import Core
import Wire

/// `serve`: runs until the stop signal.
enum ServeCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "serve",
            "run the server",
            options: Setting.allCases.map { CommandOption($0.rawValue, $0.help.argument, $0.help.text) },
            notes: """
                Each option is also a variable of the environment, \(Setting.port.flag) for example \(Setting.port.environmentVariable), \
                and a member of the JSON file of \(Setting.config.flag). A flag goes before a variable, and a variable before the file.
                """,
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) async throws -> Command.ExitCode {
        var configuration = try ConfigurationReader.read(arguments, environment: terminal.environment) { path in
            do {
                return try Files.text(path)
            } catch {
                throw UsageFault(String(describing: error))
            }
        }
        if configuration.lacksControlToken {
            var draws = SystemRandomNumberGenerator()
            let token = Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &draws) })
            configuration.controlToken = token
            terminal.complain(JSON.object(JSONObject([("event", "control-token"), ("token", .string(token))])).text)
        }
        let platform = SandboxApplication.Platform(
            now: terminal.now,
            newSeed: { UInt64.random(in: 0...(1 << 53)) },
            log: Log(level: configuration.logLevel, now: terminal.now, write: terminal.writeError)
        )
        let server = try await SandboxServer.start(configuration, platform)
        terminal.print(server.listeningLine.text)
        if !configuration.ignoredVariables.isEmpty {
            let names = JSON.strings(configuration.ignoredVariables)
            platform.log(.info, "service links are not settings and are ignored", [("variables", names)])
        }
        platform.log(
            .info,
            "keys and fixtures",
            [
                ("keys", .string(configuration.keys.description)),
                ("fixtures", .string(configuration.fixtures.description)),
            ]
        )
        let reloading = Task { @concurrent in
            for await _ in terminal.reloadSignals { await server.reload() }
        }
        await terminal.stopSignal()
        reloading.cancel()
        platform.log(.info, "stopping")
        await server.stop()
        return .success
    }
}
