import Glibc
import Testing
import Threads

@Suite struct ThreadTests {
    /// The name of the calling thread, as the system has it.
    private static func name() -> String {
        let descriptor = open("/proc/thread-self/comm", O_RDONLY)
        defer { close(descriptor) }
        var line = [UInt8](repeating: 0, count: 32)
        let count = line.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        // The line's end is not part of it.
        return String(decoding: line.prefix(max(0, count - 1)), as: UTF8.self)
    }

    @Test(arguments: [("store", "store"), ("a name that is too long", "a name that is "), ("", "")])
    func `a thread has its name, cut at 15 bytes`(_ name: String, _ seen: String) throws {
        let box = Monitor("")
        let thread = try Thread(name) { box.withLock { $0 = ThreadTests.name() } }
        thread.join()
        #expect(box.withLock { $0 } == seen)
    }

    @Test func `join waits for the work, once, and may be called again`() throws {
        let gate = Monitor(false)
        let box = Monitor("")
        let thread = try Thread("worker") {
            gate.wait { $0 ? () : nil }
            box.withLock { $0 = "done" }
        }
        gate.signal { $0 = true }
        thread.join()
        #expect(box.withLock { $0 } == "done")
        thread.join()
    }

    @Test func `two may wait for the end`() throws {
        let gate = Monitor(false)
        let ended = Monitor(false)
        let thread = try Thread("worker") {
            gate.wait { $0 ? () : nil }
            ended.withLock { $0 = true }
        }
        let seen = Monitor(0)
        let others = try (0..<2).map { _ in
            try Thread("other") {
                thread.join()
                if ended.withLock({ $0 }) { seen.withLock { $0 += 1 } }
            }
        }
        gate.signal { $0 = true }
        for other in others { other.join() }
        #expect(seen.withLock { $0 } == 2)
    }

    @Test func `a thread may join itself, which waits for nothing`() throws {
        let own = Monitor<Thread?>(nil)
        let isDone = Monitor(false)
        let thread = try Thread("itself") {
            own.wait { $0 }.join()
            isDone.signal { $0 = true }
        }
        own.signal { $0 = thread }
        isDone.wait { $0 ? () : nil }
        own.withLock { $0 = nil }
    }

    @Test func `a thread that nobody keeps runs to its end`() throws {
        let isDone = Monitor(false)
        _ = try Thread("alone") { isDone.signal { $0 = true } }
        isDone.wait { $0 ? () : nil }
    }

    @Test func `a thread gives way alone`() throws {
        let before = Processor.niceness
        let box = Monitor("")
        let thread = try Thread("nice") {
            Processor.niceness = 19
            box.withLock { $0 = "\(Processor.niceness)" }
        }
        thread.join()
        #expect(box.withLock { $0 } == "19")
        #expect(Processor.niceness == before)
        #expect(Processor.count >= 1)
    }
}
