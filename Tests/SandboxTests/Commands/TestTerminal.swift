import Sandbox
import SandboxTesting
import Synchronization
import Wire

/// Runs commands without a process: streams in memory, a clock that stands still.
final class TestTerminal: Sendable {
    private let output = Mutex<[UInt8]>([])
    private let errors = Mutex<[UInt8]>([])

    /// What one command did.
    struct Outcome {
        let exit: Command.ExitCode
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    static func run(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:],
        now: Instant = Instant(seconds: 1_893_456_000)
    ) async -> Outcome {
        await run(arguments, input: Array(input.utf8), environment: environment, now: now)
    }

    static func run(
        _ arguments: [String],
        input: [UInt8],
        environment: [String: String] = [:],
        now: Instant = Instant(seconds: 1_893_456_000)
    ) async -> Outcome {
        let streams = TestTerminal()
        let terminal = Terminal(
            environment: environment,
            readInput: { input },
            writeOutput: { bytes in streams.output.withLock { $0 += bytes } },
            writeError: { bytes in streams.errors.withLock { $0 += bytes } },
            now: { now },
            stopSignal: {}
        )
        let exit = await Command.run(arguments, terminal)
        return Outcome(
            exit: exit,
            output: String(decoding: streams.output.withLock { $0 }, as: UTF8.self),
            errors: String(decoding: streams.errors.withLock { $0 }, as: UTF8.self)
        )
    }

    /// Options that lead to the package's own fixtures and keys.
    static let folders = ["--fixtures", packageRoot + "/fixtures", "--keys", packageRoot + "/keys"]
}
