import Synchronization
import Wire

extension Metrics {
    /// What is counted elsewhere and read when somebody asks.
    package struct Surroundings: Sendable {
        package var version: String
        /// Nil when the store does not answer.
        package var tenants: Int?
        package var journal: JournalTotals
        /// Memory of the process; nil where the system does not say.
        package var residentBytes: Int?

        package init(version: String, tenants: Int?, journal: JournalTotals, residentBytes: Int?) {
            self.version = version
            self.tenants = tenants
            self.journal = journal
            self.residentBytes = residentBytes
        }
    }

    /// Everything, in the Prometheus text format.
    package func text(_ surroundings: Surroundings) -> String {
        var text = MetricsText()
        requests(&text)
        tenantsAndJournal(&text, surroundings)
        refusals(&text)
        storeCalls(&text)
        connections(&text)
        process(&text, surroundings)
        return text.text
    }

    private func requests(_ text: inout MetricsText) {
        let readings = faces.sorted { $0.key < $1.key }.map { (face: $0.key, state: $0.value.reading) }
        var samples: [(labels: MetricsText.Labels, value: String)] = []
        for (face, state) in readings {
            let ordered = state.requests.sorted {
                ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
            }
            for (key, count) in ordered {
                let labels: MetricsText.Labels = [
                    (name: "face", value: face), (name: "operation", value: key.operation),
                    (name: "status", value: String(key.status)),
                ]
                samples.append((labels: labels, value: String(count)))
            }
        }
        text.family("tsp_sandbox_requests_total", .counter, "Requests that were answered.", samples)
        text.histograms(
            "tsp_sandbox_request_duration_seconds",
            "Time from the whole request to its answer, journal aside.",
            readings.map { (labels: [(name: "face", value: $0.face)], value: $0.state.durations) }
        )
        text.value(
            "tsp_sandbox_requests_in_flight",
            .gauge,
            "Requests being answered, this one included.",
            inFlight.load(ordering: .relaxed)
        )
    }

    private func tenantsAndJournal(_ text: inout MetricsText, _ surroundings: Surroundings) {
        let counts = reading
        let journal = surroundings.journal
        if let tenants = surroundings.tenants { text.value("tsp_sandbox_tenants", .gauge, "Tenants.", tenants) }
        text.value("tsp_sandbox_tenants_created_total", .counter, "Tenants made.", counts.tenantsCreated)
        text.value("tsp_sandbox_tenants_dropped_total", .counter, "Tenants removed.", counts.tenantsDropped)
        text.value("tsp_sandbox_journal_entries", .gauge, "Journal entries kept, all tenants.", journal.entries)
        text.value("tsp_sandbox_journal_bytes", .gauge, "Their estimated bytes.", journal.bytes)
        text.value("tsp_sandbox_journal_appended_total", .counter, "Journal entries written.", journal.appended)
        text.value("tsp_sandbox_journal_dropped_total", .counter, "Entries pushed out by a bound.", journal.dropped)
        text.value("tsp_sandbox_long_polls_open", .gauge, "Long polls on journals.", journal.watches)
    }

    private func refusals(_ text: inout MetricsText) {
        let counts = reading
        text.family(
            "tsp_sandbox_limit_refusals_total",
            .counter,
            "Requests refused because of a limit.",
            Limit.allCases.map { limit in
                (labels: [(name: "limit", value: limit.rawValue)], value: String(counts.refusals[limit] ?? 0))
            }
        )
        text.family(
            "tsp_sandbox_faults_applied_total",
            .counter,
            "Faults that took effect.",
            FaultEffect.Kind.allCases.map { effect in
                (labels: [(name: "effect", value: effect.rawValue)], value: String(counts.faults[effect] ?? 0))
            }
        )
        text.family(
            "tsp_sandbox_control_calls_total",
            .counter,
            "Calls of the control API, by what became of them.",
            ControlOutcome.allCases.map { outcome in
                (labels: [(name: "outcome", value: outcome.rawValue)], value: String(counts.control[outcome] ?? 0))
            }
        )
    }

    private func storeCalls(_ text: inout MetricsText) {
        text.histograms(
            "tsp_sandbox_store_duration_seconds",
            "Time of a store call, its wait for the store's thread and for the commit included.",
            StoreMetrics.Access.allCases.map { access in
                (labels: [(name: "access", value: access.rawValue)], value: store.reading(access))
            }
        )
    }

    private func connections(_ text: inout MetricsText) {
        let listeners = listeners
        func family(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: KeyPath<Listener, Int>) {
            text.family(
                "tsp_sandbox_" + name,
                kind,
                help,
                listeners.map {
                    (labels: [(name: "listener", value: $0.name)], value: String($0[keyPath: value]))
                }
            )
        }
        family("connections", .gauge, "Open connections.", \.connections)
        family("connections_accepted_total", .counter, "Connections accepted.", \.accepted)
        family("listener_requests_in_flight", .gauge, "Requests being answered.", \.requestsInFlight)
        family("framing_refusals_total", .counter, "Requests refused before they were one.", \.refused)
        family("accept_pauses_total", .counter, "How often accepting paused at the connection limit.", \.pauses)
        family("handshake_failures_total", .counter, "TLS handshakes that failed.", \.handshakeFailures)
    }

    private func process(_ text: inout MetricsText, _ surroundings: Surroundings) {
        text.family(
            "tsp_sandbox_build_info",
            .gauge,
            "Always 1; the version is the label.",
            [(labels: [(name: "version", value: surroundings.version)], value: "1")]
        )
        text.family(
            "process_start_time_seconds",
            .gauge,
            "When the server started, in seconds since 1970.",
            [(labels: [], value: MetricsText.seconds(startedAt.milliseconds * 1_000))]
        )
        if let bytes = surroundings.residentBytes {
            text.value("process_resident_memory_bytes", .gauge, "Resident memory.", bytes)
        }
    }
}
