import Synchronization

/// Sleeps of a sandbox under test: their lengths are noted, and none takes any time, or all take as long as they may.
package final class TestSleeps: Sendable {
    private let lengths = Mutex<[Int64]>([])
    private let areEndless: Bool

    /// - Parameter areEndless: true for sleeps that end only when something ends them.
    package init(areEndless: Bool = false) { self.areEndless = areEndless }

    /// In milliseconds, in the order they began.
    package var noted: [Int64] { lengths.withLock { $0 } }

    package func sleep(_ milliseconds: Int64) async throws {
        lengths.withLock { $0.append(milliseconds) }
        if areEndless { try await Task.sleep(for: .seconds(3_600)) }
    }
}
