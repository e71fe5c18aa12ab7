import Glibc
import Sandbox
import Wire

/// Entry point: gives the command what the process has, and leaves with its exit code.
@main
enum TSPSandbox {
    static func main() async {
        StopSignal.prepare()
        let terminal = Terminal(
            environment: ProcessStreams.environment(),
            readInput: ProcessStreams.readInput,
            writeOutput: { bytes in ProcessStreams.write(bytes, to: STDOUT_FILENO) },
            writeError: { bytes in ProcessStreams.write(bytes, to: STDERR_FILENO) },
            now: ProcessStreams.now,
            stopSignal: StopSignal.wait
        )
        let code = await Command.run(Array(CommandLine.arguments.dropFirst()), terminal)
        exit(code.rawValue)
    }
}
