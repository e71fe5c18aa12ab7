import Core
package import Wire

/// The server's log: JSON lines, never a body, a number or a key.
package struct Log: Sendable {
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case debug
        case info
        case warning
        case error

        package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        private var order: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    private let level: Level
    private let now: @Sendable () -> Instant
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes one line with its newline, whole.
    package init(
        level: Level,
        now: @escaping @Sendable () -> Instant,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.level = level
        self.now = now
        self.write = write
    }

    package static let none = Log(level: .error, now: { Instant(milliseconds: 0) }, write: { _ in })

    /// True when a line of that level would be written; saves making it.
    package func isOn(_ level: Level) -> Bool { level >= self.level }

    package func callAsFunction(_ level: Level, _ message: String, _ fields: [(String, JSON)] = []) {
        guard isOn(level) else { return }
        let head: [(String, JSON)] = [
            ("at", .string(RFC3339.format(now()))), ("level", .string(level.rawValue)), ("message", .string(message)),
        ]
        write(JSON.object(JSONObject(head + fields)).bytes + [0x0A])
    }
}
