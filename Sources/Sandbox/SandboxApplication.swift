package import Core
import Crypto
package import Networks
package import Traffic
import Web
package import Wire

/// The whole sandbox but for its sockets: what a listener, or a test in the same process, talks to.
package struct SandboxApplication: Sendable {
    /// What the API port serves.
    package let faces: [any Face]
    let documents: Documents
    /// Nil when the control API wants none.
    let controlToken: ControlToken?
    /// Answers the faces' requests.
    package let api: Pipeline
    /// Answers the control API's.
    package let control: Pipeline
    package let readiness: Readiness
    /// Requests that wait.
    package let pauses: Pauses
    package let metrics: Metrics
    /// Drops tenants that nobody uses, when it is asked to.
    package let idleTenants: IdleTenants
    package let worlds: Worlds
    let lane: CryptoLane

    /// Every diagnosis code there is, for `Docs/errors.md`.
    package static let diagnosisCodes = DiagnosisCatalogue.all

    /// Every operation of the faces as `METHOD path name fidelity`, to hold documents against.
    package var operationLabels: [String] {
        api.endpoints.map(\.route).map { route in
            "\(route.method.rawValue) \(route.path) \(route.name) \(route.fidelity.rawValue)"
        }
    }

    /// Every call of the control API as `METHOD path name`.
    package var controlLabels: [String] {
        control.endpoints.map(\.route).map { "\($0.method.rawValue) \($0.path) \($0.name)" }
    }

    /// Drops the tenants that nobody uses now; a store that fails is tried again the next time.
    func dropIdleTenants() async {
        let log = api.log
        do {
            for name in try await idleTenants.sweep(at: worlds.environment.systemNow()) {
                metrics.countTenantDropped()
                log(.info, "idle tenant dropped", [("tenant", .string(name.text))])
            }
        } catch {
            log(.warning, "idle tenants could not be dropped", [("detail", .string(String(describing: error)))])
        }
    }

    /// The query parameters that each call of the control API reads, by the call's name.
    package var controlQueryParameters: [String: [String]] {
        Dictionary(control.endpoints.map(\.route).map { ($0.name, $0.queryParameters) }) { first, _ in first }
    }

    /// Lets queued work finish and closes the store.
    package func close() async {
        await worlds.store.close()
    }
}
