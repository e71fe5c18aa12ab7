import Glibc

/// Waits for what another thread does, at most 30 seconds: so long only on a machine that is busy with other things.
///
/// A task waits without holding its thread. The pool has two of them, and two tests that each held one would wait for a
/// server that has none left.
enum Wait {
    private static let seconds = 30

    /// Whether `isTrue` became true in time.
    @available(*, noasync)
    static func until(_ isTrue: () -> Bool) -> Bool {
        let end = time(nil) + seconds
        while time(nil) < end {
            if isTrue() { return true }
            usleep(1_000)
        }
        return false
    }

    /// Whether `isTrue` became true in time.
    static func until(_ isTrue: () -> Bool) async -> Bool {
        let end = time(nil) + seconds
        while time(nil) < end {
            if isTrue() { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }
}
