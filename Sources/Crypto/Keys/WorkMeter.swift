import Synchronization

/// Counts what only a holder of a key can do, so that a test can hold two refusals to the same work without a clock.
///
/// Nothing is counted outside ``counting(_:)``.
package final class WorkMeter: Sendable {
    /// Operations with private keys, whatever came of them, and decryptions of content.
    package struct Work: Equatable, Sendable {
        /// Operations with private keys.
        package let privateKey: Int
        /// Decryptions of content.
        package let content: Int

        /// So many operations of each kind.
        package init(privateKey: Int, content: Int) {
            self.privateKey = privateKey
            self.content = content
        }
    }

    @TaskLocal private static var current: WorkMeter?

    private let privateKey = Atomic<Int>(0)
    private let content = Atomic<Int>(0)

    private init() {}

    /// What `body` gives, and the work it did on this thread.
    package static func counting<Value>(_ body: () throws -> Value) rethrows -> (value: Value, work: Work) {
        let meter = WorkMeter()
        let value = try $current.withValue(meter, operation: body)
        let work = Work(
            privateKey: meter.privateKey.load(ordering: .relaxed),
            content: meter.content.load(ordering: .relaxed)
        )
        return (value, work)
    }

    static func notePrivateKey() { current?.privateKey.add(1, ordering: .relaxed) }
    static func noteContent() { current?.content.add(1, ordering: .relaxed) }
}
