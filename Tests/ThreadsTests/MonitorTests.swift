import Testing
import Threads

@Suite struct MonitorTests {
    @Test func `a thread that waits is woken by what it waits for, and by nothing else`() throws {
        let monitor = Monitor([Int]())
        let seen = Monitor([Int]())
        let thread = try Thread("waiter") {
            for _ in 0..<3 {
                let next = monitor.wait { values in values.isEmpty ? nil : values.removeFirst() }
                seen.withLock { $0.append(next) }
            }
        }
        // Woken for nothing.
        monitor.signal { _ in }
        for value in 1...3 { monitor.signal { $0.append(value) } }
        thread.join()
        #expect(seen.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a broadcast wakes every thread`() throws {
        let isOpen = Monitor(false)
        let passed = Monitor(0)
        let threads = try (0..<4).map { _ in
            try Thread("waiter") {
                isOpen.wait { $0 ? () : nil }
                passed.withLock { $0 += 1 }
            }
        }
        isOpen.broadcast { $0 = true }
        for thread in threads { thread.join() }
        #expect(passed.withLock { $0 } == 4)
    }

    @Test func `a wait with an end gives up, and takes what is there at once`() {
        let monitor = Monitor<Int?>(nil)
        #expect(monitor.wait(seconds: 0) { $0 } == nil)
        monitor.withLock { $0 = 7 }
        #expect(monitor.wait(seconds: 0) { $0 } == 7)
    }

    @Test func `a wait with an end is woken`() throws {
        let monitor = Monitor<Int?>(nil)
        let thread = try Thread("giver") { monitor.broadcast { $0 = 7 } }
        #expect(monitor.wait(seconds: 60) { $0 } == 7)
        thread.join()
    }
}
