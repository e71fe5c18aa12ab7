/// A command line that cannot be understood: exit code 2.
package struct UsageFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// What a command was given to work on cannot be used: exit code 1.
package struct InputFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// Reads `--name value` and `--name=value`.
struct ArgumentReader {
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The options of a command, and the arguments that are not options, in order.
    ///
    /// - Throws: ``UsageFault`` for an unknown option, one without a value, or one given twice that may be given once.
    func options(of command: CommandSyntax) throws(UsageFault) -> (options: Options, rest: [String]) {
        var options = Options()
        var rest: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            guard argument.hasPrefix("--") else {
                rest.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = command.options.first(where: { $0.name == name }) else {
                let near = Nearest.words(to: name, among: command.options.map(\.name), most: 1).first
                throw UsageFault("there is no option --\(name)" + (near.map { "; near it is --\($0)" } ?? ""))
            }
            guard option.argument != nil else {
                guard parts.count == 1 else { throw UsageFault("--\(name) takes no value") }
                options.switches.insert(name)
                continue
            }
            let value: String
            if parts.count == 2 {
                value = String(parts[1])
            } else {
                guard index < arguments.count else { throw UsageFault("--\(name) needs a value") }
                value = arguments[index]
                index += 1
            }
            guard option.isRepeatable || options.values[name] == nil else {
                throw UsageFault("--\(name) is given twice")
            }
            options.values[name, default: []].append(value)
        }
        return (options, rest)
    }

    struct Options {
        fileprivate(set) var values: [String: [String]] = [:]
        fileprivate var switches: Set<String> = []
        /// The first argument, of a command that has words; empty of any other.
        var word = ""

        func value(_ name: String) -> String? { values[name]?.last }
        func isOn(_ name: String) -> Bool { switches.contains(name) }
        func all(_ name: String) -> [String] { values[name] ?? [] }

        func required(_ name: String) throws(UsageFault) -> String {
            guard let value = value(name) else { throw UsageFault("--\(name) is missing") }
            return value
        }
    }
}
