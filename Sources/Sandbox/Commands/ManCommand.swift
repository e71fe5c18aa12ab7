/// `man`: the manual page, made of the list of commands.
enum ManCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "man",
            "print the manual page",
            notes: "To read it: tsp-sandbox man | man -l -",
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) throws -> Command.ExitCode {
        _ = try syntax.read(arguments)
        terminal.print(page)
        return .success
    }

    private static var page: String {
        """
        .TH TSP\\-SANDBOX 1 "" "tsp\\-sandbox \(Version.current)" "User Commands"
        .SH NAME
        tsp\\-sandbox \\- payment\\-network sandbox for push provisioning, for test data only
        .SH SYNOPSIS
        \(Command.all.map { ".B tsp\\-sandbox\n\(escaped(Help.synopsis($0)))" }.joined(separator: "\n.br\n"))
        .SH DESCRIPTION
        One server that plays the payment networks, the hub in front of them and the wallet behind them. An issuer team points its
        app adapter and its backend at it, and sees why whenever something is refused. It takes published test numbers only, has no
        real keys, and is never a production service.
        .SH COMMANDS
        \(Command.all.map(section).joined(separator: "\n"))
        .SH FILES
        .TP
        .I \(escaped(SandboxConfiguration().text(of: .store) ?? ""))
        The store of a server that was given no other, in the folder where it is started.
        .SH SIGNALS
        .TP
        SIGTERM, SIGINT
        A server stops taking requests, answers those in flight, commits and ends with exit code 0. A second one, more than 100 ms
        later, ends it at once with exit code 1.
        .TP
        SIGHUP
        A server reads the files of certificates and of the control token again.
        .SH EXIT STATUS
        .TP
        \(Command.ExitCode.success.rawValue)
        Done.
        .TP
        \(Command.ExitCode.usage.rawValue)
        The command line cannot be understood, or names something that does not exist.
        .TP
        \(Command.ExitCode.failure.rawValue)
        Everything else, unusable input among it.
        """
    }

    private static func section(_ command: CommandSyntax) -> String {
        var lines = [".SS \(escaped(Help.synopsis(command)))", sentence(command.summary)]
        if !command.notes.isEmpty { lines += [".PP", escaped(command.notes)] }
        if let lender = command.lender {
            return (lines + ["It takes the options of", ".BR \(lender.name) ."]).joined(separator: "\n")
        }
        for option in command.options {
            let argument = option.argument.map { " \\fI\(escaped($0))\\fR" } ?? ""
            lines += [".TP", "\\fB\\-\\-\(escaped(option.name))\\fR\(argument)", sentence(option.text)]
        }
        return lines.joined(separator: "\n")
    }

    private static func sentence(_ clause: String) -> String {
        escaped(clause.prefix(1).uppercased() + clause.dropFirst() + ".")
    }

    /// For roff: a hyphen that can be copied, and no line that is an order.
    private static func escaped(_ text: String) -> String {
        let line = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
