/// `completion`: what a shell needs to complete this program's command lines, made of the list of commands.
enum CompletionCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "completion",
            "print the completion of a shell",
            words: ["bash", "zsh"],
            notes: "For one session: source <(tsp-sandbox completion bash)",
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) throws -> Command.ExitCode {
        terminal.print(try syntax.read(arguments).word == "bash" ? bash : zsh)
        return .success
    }

    private static var names: String { Command.all.map(\.name).joined(separator: " ") }

    /// bash splits `--name=value` at the equals sign, into three words.
    private static var bash: String {
        """
        # bash completion for tsp-sandbox \(Version.current); made by `tsp-sandbox completion bash`
        _tsp_sandbox() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= paths=
            COMPREPLY=()
            [[ $current != = ]] || current=
            [[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD-2]}
            if ((COMP_CWORD == 1)); then
                words="\(names)"
            else
                case ${COMP_WORDS[1]} in
        \(Command.all.map(bashCase).joined(separator: "\n"))
                esac
            fi
            if [[ -n $paths ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen "$paths" -W "$words" -- "$current")
            else
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            fi
        }
        complete -F _tsp_sandbox tsp-sandbox
        """
    }

    private static func bashCase(_ command: CommandSyntax) -> String {
        let options = command.options.map { "--" + $0.name } + ["--help"]
        let values = command.options.filter { $0.argument != nil }.map { option in
            let paths = option.takesFolder ? "-d" : option.takesFile ? "-f" : ""
            return "    --\(option.name)) words=\"\(option.choices.joined(separator: " "))\" paths=\(paths) ;;"
        }
        let opening = ["\(command.name))", "    words=\"\((command.words + options).joined(separator: " "))\""]
        let choosing = values.isEmpty ? [] : ["    case $previous in"] + values + ["    esac"]
        return (opening + choosing + ["    ;;"]).map { "        " + $0 }.joined(separator: "\n")
    }

    private static var zsh: String {
        """
        #compdef tsp-sandbox
        # zsh completion for tsp-sandbox \(Version.current); made by `tsp-sandbox completion zsh`
        local -a commands=(
        \(Command.all.map { "    \(quoted($0.name + ":" + escaped($0.summary, ":")))" }.joined(separator: "\n"))
        )
        if ((CURRENT == 2)); then
            _describe command commands
            return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
        \(Command.all.map(zshCase).joined(separator: "\n"))
        esac
        """
    }

    private static func zshCase(_ command: CommandSyntax) -> String {
        var specifications = command.words.isEmpty ? [] : ["1:what:(\(command.words.joined(separator: " ")))"]
        specifications += command.options.map { option in
            let head = (option.isRepeatable ? "*" : "") + "--\(option.name)"
            let text = "[\(escaped(option.text, "[]:"))]"
            guard let argument = option.argument else { return head + text }
            let choices = option.choices.joined(separator: " ")
            let action =
                switch (option.takesFolder, option.takesFile) {
                case (true, _): "_files -/"
                case (_, true): choices.isEmpty ? "_files" : "{compadd \(choices); _files}"
                default: choices.isEmpty ? "" : "(\(choices))"
                }
            return "\(head)=\(text):\(escaped(argument, ":")):\(action)"
        }
        specifications.append("--help[print the part of this command]")
        return "\(command.name)) _arguments \(specifications.map(quoted).joined(separator: " ")) ;;"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func escaped(_ text: String, _ characters: String) -> String {
        text.map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
