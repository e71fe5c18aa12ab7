import Synchronization
package import Wire

/// What the server counts of itself. Every label comes from a list of the server's own.
package final class Metrics: Sendable {
    /// What stands for a face or operation that is not known.
    static let unknown = "none"

    /// A limit that refused something.
    package enum Limit: String, Sendable, CaseIterable {
        case requestsInFlight, longPolls, tenants, bodyBytes, headerBytes, targetBytes, time
    }

    /// What became of a call of the control API.
    package enum ControlOutcome: String, Sendable, CaseIterable {
        /// It changed something, or could have.
        case changed
        case read
        /// Refused for the control token.
        case unauthorized
        /// Refused for another reason.
        case refused
    }

    /// A listener's counters.
    package struct Listener: Sendable {
        package var name: String
        package var connections: Int
        package var requestsInFlight: Int
        package var accepted: Int
        package var refused: Int
        package var pauses: Int
        package var handshakeFailures: Int

        package init(
            name: String,
            connections: Int,
            requestsInFlight: Int,
            accepted: Int,
            refused: Int,
            pauses: Int,
            handshakeFailures: Int = 0
        ) {
            self.name = name
            self.connections = connections
            self.requestsInFlight = requestsInFlight
            self.accepted = accepted
            self.refused = refused
            self.pauses = pauses
            self.handshakeFailures = handshakeFailures
        }
    }

    struct Counts: Sendable {
        var faults: [FaultEffect.Kind: Int] = [:]
        var refusals: [Limit: Int] = [:]
        var control: [ControlOutcome: Int] = [:]
        var tenantsCreated = 0
        var tenantsDropped = 0
    }

    package let startedAt: Instant
    let faces: [String: FaceMetrics]
    /// Requests of paths that belong to no face.
    private let rest: FaceMetrics
    let inFlight = Atomic<Int>(0)
    private let counts = Mutex(Counts())
    let store: StoreMetrics
    private let listenerReading = Mutex<@Sendable () -> [Listener]>({ [] })

    /// - Parameters:
    ///   - faces: names of the faces that may be counted.
    ///   - store: what the store's calls are counted in.
    ///   - startedAt: when the process began, in system time.
    package init(faces: [String], store: StoreMetrics = StoreMetrics(), startedAt: Instant) {
        let rest = FaceMetrics()
        var metrics: [String: FaceMetrics] = [Metrics.unknown: rest]
        for face in faces { metrics[face] = FaceMetrics() }
        self.faces = metrics
        self.rest = rest
        self.store = store
        self.startedAt = startedAt
    }

    package func requestBegan() { inFlight.add(1, ordering: .relaxed) }

    /// - Parameter operation: nil when the request was for none.
    package func requestEnded(face: String, operation: String?, status: Int, microseconds: Int64) {
        inFlight.subtract(1, ordering: .relaxed)
        (faces[face] ?? rest).count(operation ?? Metrics.unknown, status, microseconds: microseconds)
    }

    /// A fault took effect.
    package func countFault(_ effect: FaultEffect.Kind) { counts.withLock { $0.faults[effect, default: 0] += 1 } }

    package func countRefusal(by limit: Limit) { counts.withLock { $0.refusals[limit, default: 0] += 1 } }

    package func countControl(_ outcome: ControlOutcome) { counts.withLock { $0.control[outcome, default: 0] += 1 } }

    package func countTenantCreated() { counts.withLock { $0.tenantsCreated += 1 } }

    package func countTenantDropped() { counts.withLock { $0.tenantsDropped += 1 } }

    /// Where the listeners' counters are read when somebody asks.
    package func observe(listeners: @escaping @Sendable () -> [Listener]) {
        listenerReading.withLock { $0 = listeners }
    }

    var reading: Counts { counts.withLock { $0 } }

    var listeners: [Listener] { listenerReading.withLock { $0 }() }
}
