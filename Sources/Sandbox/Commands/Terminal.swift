package import Wire

/// What a command sees of the process: streams, environment, clock and the stop signal.
package struct Terminal: Sendable {
    package var environment: [String: String]
    package var readInput: @Sendable () -> [UInt8]
    package var writeOutput: @Sendable ([UInt8]) -> Void
    package var writeError: @Sendable ([UInt8]) -> Void
    package var now: @Sendable () -> Instant
    /// Returns when the process is asked to stop.
    package var stopSignal: @Sendable () async -> Void
    /// Gives an element each time the process is asked to read its files again.
    package var reloadSignals: AsyncStream<Void>

    package init(
        environment: [String: String],
        readInput: @escaping @Sendable () -> [UInt8],
        writeOutput: @escaping @Sendable ([UInt8]) -> Void,
        writeError: @escaping @Sendable ([UInt8]) -> Void,
        now: @escaping @Sendable () -> Instant,
        stopSignal: @escaping @Sendable () async -> Void,
        reloadSignals: AsyncStream<Void> = AsyncStream { $0.finish() }
    ) {
        self.environment = environment
        self.readInput = readInput
        self.writeOutput = writeOutput
        self.writeError = writeError
        self.now = now
        self.stopSignal = stopSignal
        self.reloadSignals = reloadSignals
    }

    func print(_ line: String) { writeOutput(Array(line.utf8) + [0x0A]) }
    func complain(_ line: String) { writeError(Array(line.utf8) + [0x0A]) }
}
