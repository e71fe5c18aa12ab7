package import Wire

/// A tenant's clock: the system's, moved by an offset, or standing still.
package struct TenantClock: Sendable, Equatable {
    package enum Mode: Sendable, Equatable {
        case system(offsetMilliseconds: Int64)
        case frozen(Instant)
    }

    package var mode: Mode

    package init(mode: Mode = .system(offsetMilliseconds: 0)) { self.mode = mode }

    /// The tenant's time when the system's clock says `system`.
    package func now(system: Instant) -> Instant {
        switch mode {
        case .system(let offset): system.adding(milliseconds: offset)
        case .frozen(let instant): instant
        }
    }
}
