/// The command line (CONTRACT, section 7).
package enum Command {
    /// Exit codes: 0 done, 1 failure, 2 usage.
    package enum ExitCode: Int32, Sendable {
        case success = 0
        case failure = 1
        case usage = 2
    }

    /// Whether the command that the arguments name runs until a signal, and ends in order then; any other just ends.
    package static func waitsForSignals(_ arguments: [String]) -> Bool { arguments.first == "serve" }

    /// Runs the command that the arguments name.
    ///
    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String], _ terminal: Terminal) async -> ExitCode {
        let rest = Array(arguments.dropFirst())
        do {
            guard let name = arguments.first else { throw UsageFault("a command is missing") }
            guard let command = all.first(where: { $0.name == aliases[name, default: name] }) else {
                let near = Nearest.words(to: name, among: all.map(\.name))[0]
                throw UsageFault("there is no command \(name); near it is \(near)")
            }
            guard !asksForHelp(rest) else {
                terminal.print(Help.text(of: command))
                return .success
            }
            return try await command.run(rest, terminal)
        } catch let fault as UsageFault {
            // One line, so that it is seen; the whole usage is a call away.
            terminal.complain("tsp-sandbox: \(fault.message) (see tsp-sandbox help)")
            return .usage
        } catch let fault as InputFault {
            terminal.complain("tsp-sandbox: \(fault.message)")
            return .failure
        } catch {
            terminal.complain("tsp-sandbox: \(error)")
            return .failure
        }
    }

    /// Whether help is asked for, and not the value of an option that is given as one.
    private static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.indices.contains { index in
            ["--help", "-h"].contains(arguments[index]) && (index == 0 || !arguments[index - 1].hasPrefix("-"))
        }
    }

    /// Every command there is.
    static var all: [CommandSyntax] {
        [
            ServeCommand.syntax, SealCommand.syntax, SignCommand.syntax, ExplainCommand.syntax, CheckCommand.syntax,
            KeysCommand.syntax, FacesCommand.syntax, HealthCommand.syntax, CompletionCommand.syntax, ManCommand.syntax,
            version, help,
        ]
    }

    /// What other programs have taught users to write.
    private static let aliases = ["--version": "version", "--help": "help", "-h": "help"]

    private static var version: CommandSyntax {
        CommandSyntax("version", "print the version", run: printVersion)
    }

    private static var help: CommandSyntax {
        CommandSyntax(
            "help",
            "print this text; COMMAND --help prints the part of one command",
            run: printHelp
        )
    }

    private static func printVersion(_ arguments: [String], _ terminal: Terminal) throws -> ExitCode {
        _ = try version.read(arguments)
        terminal.print("tsp-sandbox \(Version.current), for test data only")
        return .success
    }

    private static func printHelp(_ arguments: [String], _ terminal: Terminal) throws -> ExitCode {
        _ = try help.read(arguments)
        terminal.print(Help.text)
        return .success
    }
}
