import Masking

/// A command as the command line takes it, and as help, completion and manual page tell of it: one list, so that none of them
/// can know another program than the one that runs.
struct CommandSyntax: Sendable {
    let name: String
    /// A clause without a capital and a full stop.
    let summary: String
    /// What its first argument may be; empty when it takes none.
    let words: [String]
    let options: [CommandOption]
    /// Sentences about what no option says.
    let notes: String
    let run: @Sendable ([String], Terminal) async throws -> Command.ExitCode

    /// - Parameter run: does the work, and throws when it fails.
    init(
        _ name: String,
        _ summary: String,
        words: [String] = [],
        options: [CommandOption] = [],
        notes: String = "",
        run: @escaping @Sendable ([String], Terminal) async throws -> Command.ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.words = words
        self.options = options
        self.notes = notes
        self.run = run
    }

    /// The command that the options belong to, where they are those of another one, so that nobody reads them twice.
    var lender: CommandSyntax? {
        let first = Command.all.first { $0.options.map(\.name) == options.map(\.name) }
        return options.isEmpty || first?.name == name ? nil : first
    }

    /// The options of `arguments`.
    ///
    /// - Throws: ``UsageFault`` for what the command does not take.
    func read(_ arguments: [String]) throws(UsageFault) -> ArgumentReader.Options {
        let read = try ArgumentReader(arguments).options(of: self)
        var options = read.options
        var rest = read.rest
        if !words.isEmpty {
            let known = words.joined(separator: ", ")
            guard let word = rest.first else { throw UsageFault("\(name) what? \(known)") }
            guard words.contains(word) else {
                throw UsageFault("\(name): there is no \(Masking.excerpt(word, 40)); known: \(known)")
            }
            options.word = rest.removeFirst()
        }
        if let first = rest.first { throw UsageFault("unexpected argument \(first)") }
        return options
    }
}

/// One option of a command.
struct CommandOption: Sendable {
    /// Without `--`.
    let name: String
    /// What its value is called: `FILE`, `DIR` and `PATH` are files and folders, lower-case words are taken as they are, and `|`
    /// stands between several. Nil for a switch, which has no value.
    let argument: String?
    /// A clause without a capital and a full stop; the default stands in brackets at its end.
    let text: String
    /// Whether it may be given more than once.
    let isRepeatable: Bool

    init(_ name: String, _ argument: String?, _ text: String, isRepeatable: Bool = false) {
        self.name = name
        self.argument = argument
        self.text = text
        self.isRepeatable = isRepeatable
    }

    static let keys = CommandOption("keys", "DIR", "folder of the sandbox's keys (built in)")
    static let fixtures = CommandOption("fixtures", "DIR", "folder of the base fixtures (built in)")

    private var parts: [Substring] { argument?.split(separator: "|") ?? [] }

    /// The values that are taken as they are written.
    var choices: [String] { parts.filter { $0.first?.isUppercase == false }.map(String.init) }
    /// Whether a file can be its value.
    var takesFile: Bool { parts.contains("FILE") || parts.contains("PATH") }
    /// Whether only a folder can be its value.
    var takesFolder: Bool { parts.contains("DIR") }
}
