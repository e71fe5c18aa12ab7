import Glibc
import Synchronization
import Testing
import Threads

@testable import Crypto

/// What a job throws.
private struct JobFailed: Error {}

/// Counts from several threads.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}

struct CryptoLaneTests {
    @Test func `results and errors come back`() async throws {
        let lane = CryptoLane(width: 2)
        #expect(await lane.run { () throws(Never) in 6 * 7 } == 42)
        await #expect(throws: JobFailed.self) {
            try await lane.run { () throws(JobFailed) -> Int in throw JobFailed() }
        }
        lane.shutdown()
    }

    @Test func `work runs on the lane's threads, not on the caller's`() async {
        let lane = CryptoLane(width: 1)
        let first = await lane.run { () throws(Never) in pthread_self() }
        let second = await lane.run { () throws(Never) in pthread_self() }
        #expect(first == second)
        lane.shutdown()
    }

    @Test func `the lane's threads give way, and only they`() async {
        let lane = CryptoLane(width: 1)
        // The tests themselves may run under `nice`, and then not everything is left to give.
        let process = getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid()))
        let inside = await lane.run { () throws(Never) in Processor.niceness }
        #expect(inside == min(process + CryptoLane.giving, CryptoLane.mostGiving))
        #expect(getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())) == process)
        lane.shutdown()
    }

    @Test func `the width is between one and eight`() {
        for (wanted, width) in [(0, 1), (3, 3), (99, 8)] {
            let lane = CryptoLane(width: wanted)
            #expect(lane.width == width)
            lane.shutdown()
        }
        #expect(Processor.count >= 1)
    }

    @Test func `shutdown finishes what is queued, may be repeated, and later work still ends`() async {
        let lane = CryptoLane(width: 2)
        let done = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { await lane.run { () throws(Never) in done.add() } }
            }
        }
        lane.shutdown()
        lane.shutdown()
        #expect(done.value == 100)
        #expect(await lane.run { () throws(Never) in 1 } == 1)
    }
}
