import Threads

/// Writes to a descriptor on a thread of its own, so that a pipe that nobody reads blocks nothing else.
///
/// What waits is bounded: beyond that lines are dropped, whole, and counted; the count is written when there is room.
final class LogThread: Sendable {
    private struct State: Sendable {
        var waiting: [UInt8] = []
        var isWriting = false
        var dropped = 0
    }

    private let descriptor: Int32
    private let capacity: Int
    private let monitor = Monitor(State())

    /// Starts the thread, which lives as long as the process.
    ///
    /// - Parameter capacity: How many bytes may wait.
    init(descriptor: Int32, capacity: Int = 1 << 20) {
        self.descriptor = descriptor
        self.capacity = capacity
        // When it cannot be started nothing will be written; the server can do without its log.
        _ = try? Thread("log") { self.run() }
    }

    /// Takes one line, or drops it. Never waits for the descriptor.
    @Sendable
    func write(_ line: [UInt8]) {
        monitor.broadcast { state in
            if state.waiting.count + line.count <= capacity { state.waiting += line } else { state.dropped += 1 }
        }
    }

    /// Waits until everything is written, at most `seconds`.
    func flush(seconds: Int) {
        monitor.wait(seconds: seconds) { state in state.isWriting || !state.waiting.isEmpty ? nil : () }
    }

    /// The thread: writes what waits, without the lock.
    private func run() -> Never {
        while true {
            ProcessStreams.write(take(), to: descriptor)
            monitor.broadcast { state in state.isWriting = false }
        }
    }

    /// Waits for something to write.
    private func take() -> [UInt8] {
        monitor.wait { state in
            if state.waiting.isEmpty { return nil }
            state.isWriting = true
            var bytes: [UInt8] = []
            swap(&bytes, &state.waiting)
            if state.dropped > 0 {
                let line = "{\"level\":\"warning\",\"message\":\"log lines were dropped\",\"count\":\(state.dropped)}\n"
                bytes += Array(line.utf8)
                state.dropped = 0
            }
            return bytes
        }
    }
}
