import Glibc
import Sandbox
import Wire

/// Entry point: gives the command what the process has, and leaves with its exit code.
///
/// The main thread only waits for signals. An asynchronous `main` would park it with every signal let through, and
/// SIGTERM would end the process at once.
@main
enum TSPSandbox {
    static func main() {
        StopSignal.prepare()
        let log = LogThread(descriptor: STDERR_FILENO)
        let arguments = Array(CommandLine.arguments.dropFirst())
        Task { @concurrent in
            let terminal = Terminal(
                environment: ProcessStreams.environment(),
                readInput: ProcessStreams.readInput,
                writeOutput: { bytes in ProcessStreams.write(bytes, to: STDOUT_FILENO) },
                writeError: log.write,
                now: ProcessStreams.now,
                stopSignal: StopSignal.wait
            )
            let status = await Command.run(arguments, terminal)
            log.flush(seconds: 1)
            exit(status.rawValue)
        }
        StopSignal.watch()
    }
}
