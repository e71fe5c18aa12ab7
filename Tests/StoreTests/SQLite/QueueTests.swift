import Core
import Testing

@testable import Store

@Suite("Store queue")
struct QueueTests {
    @Test func `a long queue of writes is taken in groups, with the reads between`() throws {
        let queue = JobQueue()
        let write = WriteJob(
            tenant: .default,
            perform: { _ in PerformedWrite(hasThrown: false) { _ in } },
            refuse: { _ in }
        )
        for _ in 0..<(JobQueue.groupLimit + 1) { #expect(queue.submit(write)) }
        #expect(queue.submit(ReadJob { _ in {} }))
        let first = try #require(queue.take())
        #expect(first.reads.count == 1)
        #expect(first.writes.count == JobQueue.groupLimit)
        #expect(queue.submit(ReadJob { _ in {} }))
        let second = try #require(queue.take())
        #expect(second.reads.count == 1)
        #expect(second.writes.count == 1)
    }
}
