internal import Synchronization
internal import Threads

/// The loops of one process, and what their servers share: each loop has its own connections and timers, and what bounds
/// them counts over all.
///
/// Stop the servers first, then the loops. `stop` or releasing the last reference ends the threads.
package final class EventLoops: Sendable {
    /// Never empty.
    let all: [EventLoop]
    /// Connections that all servers may have open together; each may have its own share besides.
    let sharedConnections: Int

    /// How many connections one server may have whatever the others hold, at most so many.
    func ownConnections(_ wanted: Int) -> Int { DescriptorLimit.ownConnections(wanted) }

    /// One loop for each core, at most four: more of them only take turns with the store and the crypto lane.
    package static var defaultCount: Int { min(4, Processor.count) }

    /// Starts the threads, and lets the process have as many descriptors as it may.
    ///
    /// - Parameters:
    ///   - count: How many loops there are, at least one.
    ///   - sharedConnections: As many as the descriptors suffice for when nil.
    package init(count: Int = defaultCount, sharedConnections: Int? = nil) throws(TransportFault) {
        DescriptorLimit.raise()
        self.sharedConnections = sharedConnections ?? DescriptorLimit.sharedConnections
        var loops: [EventLoop] = []
        for _ in 0..<max(1, count) { loops.append(try EventLoop()) }
        all = loops
    }

    /// How many loops there are.
    package var count: Int { all.count }

    /// The loop that listens; also one for a client.
    package var first: EventLoop { all[0] }

    /// Ends the threads and waits for them; may be called twice, never from a loop thread.
    package func stop() {
        for loop in all { loop.stop() }
    }

    /// Open connections of all servers.
    var openConnections: Int { all.reduce(0) { $0 + $1.openConnections.load(ordering: .relaxed) } }

    /// The number of the loop with the fewest connections.
    var leastBusy: Int {
        let counts = all.map { $0.openConnections.load(ordering: .relaxed) }
        return counts.indices.min { counts[$0] < counts[$1] } ?? 0
    }

    #if DEBUG
    /// The steps that held one of the loops for long.
    package var longSteps: [LongStep] { all.flatMap(\.longSteps) }
    #endif
}
