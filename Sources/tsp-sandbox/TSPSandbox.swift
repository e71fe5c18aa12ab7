import Glibc
import Sandbox
import Wire

/// Entry point: gives the command what the process has, and leaves with its exit code.
///
/// The main thread only waits for signals. An asynchronous `main` would park it with every signal let through, and
/// SIGTERM would end a server at once. A command that is not a server has nothing to put in order, so a signal just ends it.
@main
enum TSPSandbox {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let waitsForSignals = Command.waitsForSignals(arguments)
        if waitsForSignals { ProcessSignals.prepare() }
        let log = LogThread(descriptor: STDERR_FILENO)
        Task { @concurrent in
            let terminal = Terminal(
                environment: ProcessStreams.environment(),
                readInput: ProcessStreams.readInput,
                writeOutput: { bytes in ProcessStreams.write(bytes, to: STDOUT_FILENO) },
                writeError: log.write,
                now: ProcessStreams.now,
                stopSignal: ProcessSignals.waitForStop,
                reloadSignals: ProcessSignals.reloads.stream
            )
            let status = await Command.run(arguments, terminal)
            log.flush(seconds: 1)
            exit(status.rawValue)
        }
        if waitsForSignals { ProcessSignals.watch() }
        while true { pause() }
    }
}
