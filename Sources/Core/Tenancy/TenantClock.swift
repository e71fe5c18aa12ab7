package import Wire

/// A tenant's clock: the system's, moved by an offset, or standing still.
///
/// It stays within ``earliest`` and ``latest``, whatever is asked of it: years of four digits, as RFC 3339 has them.
package struct TenantClock: Sendable, Equatable {
    /// Whether time goes on.
    package enum Mode: Sendable, Equatable {
        case system(offsetMilliseconds: Int64)
        case frozen(Instant)
    }

    /// 1970-01-01T00:00:00Z.
    package static let earliest = Instant(milliseconds: 0)
    /// 9999-12-31T23:59:59.999Z.
    package static let latest = Instant(milliseconds: 253_402_300_799_999)
    /// The longest step of one ``advanced(milliseconds:system:)``: ten years of 365.25 days.
    package static let longestAdvanceMilliseconds: Int64 = 315_576_000_000

    /// Whether time goes on.
    package var mode: Mode

    /// Made of its members.
    package init(mode: Mode = .system(offsetMilliseconds: 0)) { self.mode = mode }

    /// A clock that runs with the system's and shows `instant` when that one shows `system`.
    package static func running(from instant: Instant, system: Instant) -> TenantClock {
        TenantClock(mode: .system(offsetMilliseconds: instant.milliseconds - system.milliseconds))
    }

    /// Whether a clock may show this time.
    package static func isInBounds(_ instant: Instant) -> Bool { (earliest...latest).contains(instant) }

    /// The tenant's time when the system's clock says `system`.
    package func now(system: Instant) -> Instant {
        switch mode {
        case .system(let offset):
            // A running clock may reach the end by itself; there it stands.
            let (sum, overflow) = system.milliseconds.addingReportingOverflow(offset)
            let time = overflow ? (offset < 0 ? Int64.min : Int64.max) : sum
            return min(max(Instant(milliseconds: time), TenantClock.earliest), TenantClock.latest)
        case .frozen(let instant): return instant
        }
    }

    /// The clock moved forward, in either mode; nil when the step is negative, too long, or leads past ``latest``.
    package func advanced(milliseconds: Int64, system: Instant) -> TenantClock? {
        guard (0...TenantClock.longestAdvanceMilliseconds).contains(milliseconds) else { return nil }
        let time = now(system: system).adding(milliseconds: milliseconds)
        guard TenantClock.isInBounds(time) else { return nil }
        switch mode {
        case .system: return .running(from: time, system: system)
        case .frozen: return TenantClock(mode: .frozen(time))
        }
    }
}
