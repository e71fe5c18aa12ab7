package import Core
import Synchronization

/// Requests that wait: delays and long polls. A waiting request holds no thread, and everything that ends it early is
/// known here: its client left, its tenant was reset, the server stops.
package final class Pauses: Sendable {
    /// Sleeps in real time; a test may give one of its own.
    package typealias Sleep = @Sendable (_ milliseconds: Int64) async throws -> Void

    /// Why a pause ended.
    package enum Ending: Sendable, Equatable {
        /// Its time is over.
        case elapsed
        /// Somebody called ``Pauses/Pause/wake()``.
        case woken
        /// The client left.
        case clientLeft
        /// The tenant was reset or removed.
        case tenantEnded
        /// The server stops.
        case stopping
    }

    private struct State {
        var isStopping = false
        var open: [TenantName: [UInt64: Pause]] = [:]
        var lastID: UInt64 = 0
    }

    private let sleep: Sleep
    private let state = Mutex(State())

    package init(sleep: @escaping Sleep = { try await Task.sleep(for: .milliseconds($0)) }) { self.sleep = sleep }

    /// How many requests of a tenant wait now.
    package func count(of tenant: TenantName) -> Int { state.withLock { $0.open[tenant]?.count ?? 0 } }

    /// Requests that may wait at a time. A listener takes 256, and those that wait must leave room for the others.
    package static let limit = 224

    /// A new pause, unless too many requests wait.
    package func openBounded(in tenant: TenantName) -> Pause? {
        let count = state.withLock { $0.open.values.reduce(0) { $0 + $1.count } }
        return count < Self.limit ? open(in: tenant) : nil
    }

    /// A new pause; it counts from here on, and ends at once when the server stops.
    package func open(in tenant: TenantName) -> Pause {
        state.withLock { state in
            state.lastID += 1
            let pause = Pause(id: state.lastID)
            state.open[tenant, default: [:]][pause.id] = pause
            if state.isStopping { pause.end(.stopping) }
            return pause
        }
    }

    /// Waits until the time is over or something ends the pause, and closes it.
    package func wait(_ pause: Pause, in tenant: TenantName, milliseconds: Int64) async -> Ending {
        let timer = Task { [sleep] in
            do { try await sleep(milliseconds) } catch { return }
            pause.end(.elapsed)
        }
        let ending = await withTaskCancellationHandler {
            await pause.ended()
        } onCancel: {
            pause.end(.clientLeft)
        }
        timer.cancel()
        close(pause, in: tenant)
        return ending
    }

    /// Waits that long in one call.
    @discardableResult
    package func pause(in tenant: TenantName, milliseconds: Int64) async -> Ending {
        await wait(open(in: tenant), in: tenant, milliseconds: milliseconds)
    }

    /// Ends what waits in a tenant.
    package func end(_ tenant: TenantName) {
        let pauses = state.withLock { Array(($0.open[tenant] ?? [:]).values) }
        for pause in pauses { pause.end(.tenantEnded) }
    }

    /// Ends everything that waits, and everything that is yet to begin.
    package func stop() {
        let pauses = state.withLock { state in
            state.isStopping = true
            return state.open.values.flatMap(\.values)
        }
        for pause in pauses { pause.end(.stopping) }
    }

    private func close(_ pause: Pause, in tenant: TenantName) {
        state.withLock { state in
            state.open[tenant]?[pause.id] = nil
            if state.open[tenant]?.isEmpty == true { state.open[tenant] = nil }
        }
    }

    /// One waiting request.
    package final class Pause: Sendable {
        fileprivate let id: UInt64
        private let state = Mutex((ending: Ending?.none, waiter: CheckedContinuation<Ending, Never>?.none))

        fileprivate init(id: UInt64) { self.id = id }

        /// What was waited for has happened.
        package func wake() { end(.woken) }

        /// Of several reasons the first counts.
        fileprivate func end(_ ending: Ending) {
            let waiter = state.withLock { state -> CheckedContinuation<Ending, Never>? in
                guard state.ending == nil else { return nil }
                state.ending = ending
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: ending)
        }

        fileprivate func ended() async -> Ending {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state -> Ending? in
                    if state.ending == nil { state.waiter = continuation }
                    return state.ending
                }
                if let ending { continuation.resume(returning: ending) }
            }
        }
    }
}
