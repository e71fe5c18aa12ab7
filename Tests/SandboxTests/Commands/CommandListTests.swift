import SandboxTesting
import Testing

@testable import Sandbox

/// One list of commands and options: what is parsed is what help, completion and manual page tell.
struct CommandListTests {
    private static func printed(_ arguments: [String]) async -> String {
        let outcome = await TestTerminal.run(arguments)
        #expect(outcome.exit == .success && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    @Test(arguments: Command.all.map(\.name))
    func `every command explains itself, and does nothing else`(_ name: String) async {
        for arguments in [["--help"], ["-h"], ["--keys", "/nowhere", "--help"], ["tav", "--help"]] {
            #expect(await Self.printed([name] + arguments).hasPrefix("usage: tsp-sandbox \(name)"))
        }
    }

    @Test func `no other word does`() async {
        for arguments in [["server", "--help"], ["help", "more"], ["version", "more"], ["man", "--x", "y"]] {
            let outcome = await TestTerminal.run(arguments)
            #expect(outcome.exit == .usage && outcome.output.isEmpty, "\(arguments)")
        }
        for flag in ["--help", "-h"] { #expect(await Self.printed([flag]) == Self.printed(["help"])) }
        #expect(await Self.printed(["--version"]) == Self.printed(["version"]))
    }

    @Test func `help, manual page and completions know every command, word, option and value`() async {
        let help = await Self.printed(["help"])
        // As it is read: without the marks of roff.
        let man = await Self.printed(["man"]).split(separator: "\\-", omittingEmptySubsequences: false)
            .joined(separator: "-")
        let bash = await Self.printed(["completion", "bash"])
        let zsh = await Self.printed(["completion", "zsh"])
        for command in Command.all {
            #expect(help.contains("\n  \(command.name) "))
            #expect(man.contains("\n.SS \(command.name)"))
            #expect(bash.contains("        \(command.name))\n"))
            #expect(zsh.contains("\n\(command.name)) _arguments "))
            for word in command.words {
                for text in [help, man, bash, zsh] { #expect(text.contains(word), "\(command.name) \(word)") }
            }
            for option in command.options {
                #expect(help.contains("\n    --\(option.name) "), "\(command.name) \(option.name)")
                #expect(man.contains("\\fB--\(option.name)\\fR"), "\(command.name) \(option.name)")
                #expect(bash.contains("--\(option.name) "), "\(command.name) \(option.name)")
                #expect(zsh.contains("--\(option.name)\(option.argument == nil ? "[" : "=[")"))
                for choice in option.choices {
                    for text in [help, man, bash, zsh] { #expect(text.contains(choice), "\(option.name) \(choice)") }
                }
            }
        }
        #expect(help.contains("    the options of serve\n"))
    }

    @Test func `a value that is offered is taken`() throws {
        let command = ServeCommand.syntax
        var offered = 0
        for option in command.options {
            for choice in option.choices {
                offered += 1
                _ = try ConfigurationReader.read(["--" + option.name, choice], environment: [:]) { _ in "" }
            }
        }
        #expect(offered == 13)
    }

    @Test(arguments: Command.all.map(\.name))
    func `every option is taken, once or again, and nothing that is like one`(_ name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let words = command.words.prefix(1)
        for option in command.options {
            let argument = ["--" + option.name] + (option.argument == nil ? [] : ["x"])
            _ = try command.read(words + argument)
            if option.argument != nil, !option.isRepeatable {
                #expect(throws: UsageFault("--\(option.name) is given twice")) {
                    try command.read(words + argument + argument)
                }
            }
        }
        #expect(throws: UsageFault.self) { try command.read(words + ["--no-such-option", "x"]) }
        #expect(throws: UsageFault("unexpected argument more")) { try command.read(words + ["more"]) }
    }
}
