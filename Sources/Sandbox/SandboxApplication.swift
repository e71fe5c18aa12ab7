package import Core
import Crypto
import Networks
package import Traffic
import Web
package import Wire

/// The whole sandbox but for its sockets: what a listener, or a test in the same process, talks to.
package struct SandboxApplication: Sendable {
    /// Answers the faces' requests.
    package let api: Pipeline
    /// Answers the control API's.
    package let control: Pipeline
    package let readiness: Readiness
    /// Requests that wait.
    package let pauses: Pauses
    package let metrics: Metrics
    package let vault: Vault
    let lane: CryptoLane

    /// Every diagnosis code there is, for `Docs/errors.md`.
    package static let diagnosisCodes = DiagnosisCatalogue.all

    /// Every operation of the faces as `METHOD path name fidelity`, to hold documents against.
    package var operationLabels: [String] {
        api.operations.map { operation in
            "\(operation.method.rawValue) \(operation.path) \(operation.name) \(operation.fidelity.rawValue)"
        }
    }

    /// Every call of the control API as `METHOD path name`.
    package var controlLabels: [String] {
        control.operations.map { "\($0.method.rawValue) \($0.path) \($0.name)" }
    }

    /// Lets queued work finish and closes the store.
    package func close() async {
        await vault.store.close()
    }
}
