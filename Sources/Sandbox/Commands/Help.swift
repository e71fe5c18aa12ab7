/// What `help` and `COMMAND --help` print.
enum Help {
    static var text: String {
        (["usage: tsp-sandbox COMMAND [OPTIONS]"] + Command.all.map { part($0) }).joined(separator: "\n\n")
    }

    static func text(of command: CommandSyntax) -> String {
        "usage: tsp-sandbox \(synopsis(command))\n\n" + part(command)
    }

    /// A command with what can follow it.
    static func synopsis(_ command: CommandSyntax) -> String {
        command.name + (command.words.isEmpty ? "" : " " + command.words.joined(separator: "|"))
            + (command.options.isEmpty ? "" : " [OPTIONS]")
    }

    private static func part(_ command: CommandSyntax) -> String {
        var lines = [row("  " + command.name, command.summary, column: 13)]
        if !command.words.isEmpty { lines.append("    " + command.words.joined(separator: "|")) }
        if let lender = command.lender {
            lines.append("    the options of \(lender.name)")
        } else {
            lines += command.options.map { row("    --\($0.name) \($0.argument ?? "")", $0.text, column: 34) }
        }
        if !command.notes.isEmpty { lines += wrapped(command.notes).map { "    " + $0 } }
        return lines.joined(separator: "\n")
    }

    private static func row(_ head: String, _ text: String, column: Int) -> String {
        head + String(repeating: " ", count: max(1, column - head.count)) + text
    }

    /// Lines of at most 100 characters.
    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            if lines[lines.count - 1].count + word.count >= 100 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}
