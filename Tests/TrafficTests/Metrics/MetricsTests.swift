import Core
import Testing
import Traffic
import Wire

@Suite struct MetricsTests {
    private static let surroundings = Metrics.Surroundings(
        version: "1.0",
        tenants: 3,
        journal: JournalTotals(),
        residentBytes: 4_096
    )

    private static func lines(_ metrics: Metrics, _ prefix: String) -> [String] {
        metrics.text(surroundings).split(separator: "\n").filter { $0.hasPrefix(prefix) }.map(String.init)
    }

    @Test func `requests are counted by face, operation and status`() {
        let metrics = Metrics(faces: ["tpc"], startedAt: Instant(milliseconds: 1_500))
        for _ in 0..<3 { metrics.requestBegan() }
        metrics.requestEnded(face: "tpc", operation: "tpc.getTokens", status: 200, microseconds: 700)
        metrics.requestEnded(face: "tpc", operation: nil, status: 404, microseconds: 10)
        metrics.requestBegan()
        metrics.requestEnded(face: "made up", operation: nil, status: 404, microseconds: 20_000_000)
        #expect(
            Self.lines(metrics, "tsp_sandbox_requests_total{") == [
                #"tsp_sandbox_requests_total{face="none",operation="none",status="404"} 1"#,
                #"tsp_sandbox_requests_total{face="tpc",operation="none",status="404"} 1"#,
                #"tsp_sandbox_requests_total{face="tpc",operation="tpc.getTokens",status="200"} 1"#,
            ]
        )
        #expect(Self.lines(metrics, "tsp_sandbox_requests_in_flight ") == ["tsp_sandbox_requests_in_flight 1"])
        let name = "tsp_sandbox_request_duration_seconds"
        #expect(
            Self.lines(metrics, name + #"_bucket{face="tpc",le="0.0005"}"#) == [
                name + #"_bucket{face="tpc",le="0.0005"} 1"#
            ]
        )
        #expect(
            Self.lines(metrics, name + #"_bucket{face="tpc",le="0.001"}"#) == [
                name + #"_bucket{face="tpc",le="0.001"} 2"#
            ]
        )
        #expect(
            Self.lines(metrics, name + #"_bucket{face="none",le="10"}"#) == [name + #"_bucket{face="none",le="10"} 0"#]
        )
        #expect(Self.lines(metrics, name + #"_sum{face="tpc"}"#) == [name + #"_sum{face="tpc"} 0.00071"#])
        #expect(Self.lines(metrics, "process_start_time_seconds ") == ["process_start_time_seconds 1.5"])
    }

    @Test func `labels that a caller could choose are bounded`() {
        let metrics = Metrics(faces: ["tpc"], startedAt: Instant(seconds: 0))
        for effect in FaultEffect.Kind.allCases + [.delay] { metrics.countFault(effect) }
        let lines = Self.lines(metrics, "tsp_sandbox_faults_applied_total{")
        #expect(lines.count == 9)
        #expect(lines.contains(#"tsp_sandbox_faults_applied_total{effect="delay"} 2"#))
        #expect(lines.contains(#"tsp_sandbox_faults_applied_total{effect="callback"} 1"#))
    }

    @Test func `limits, control calls, tenants and listeners are counted`() {
        let metrics = Metrics(faces: [], startedAt: Instant(seconds: 0))
        metrics.countRefusal(by: .longPolls)
        metrics.countControl(.changed)
        metrics.countTenantCreated()
        metrics.countTenantDropped()
        metrics.observe {
            [Metrics.Listener(name: "api", connections: 1, requestsInFlight: 2, accepted: 3, refused: 4, pauses: 5)]
        }
        let text = metrics.text(Self.surroundings)
        for line in [
            #"tsp_sandbox_limit_refusals_total{limit="longPolls"} 1"#,
            #"tsp_sandbox_control_calls_total{outcome="changed"} 1"#, "tsp_sandbox_tenants_created_total 1",
            "tsp_sandbox_tenants_dropped_total 1", #"tsp_sandbox_connections{listener="api"} 1"#,
            #"tsp_sandbox_listener_requests_in_flight{listener="api"} 2"#,
            #"tsp_sandbox_connections_accepted_total{listener="api"} 3"#,
            #"tsp_sandbox_framing_refusals_total{listener="api"} 4"#,
            #"tsp_sandbox_accept_pauses_total{listener="api"} 5"#, "tsp_sandbox_tenants 3",
            #"tsp_sandbox_build_info{version="1.0"} 1"#, "process_resident_memory_bytes 4096",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `help and labels are escaped`() {
        var text = MetricsText()
        text.family("a", .gauge, "one\\two\nthree", [(labels: [(name: "l", value: "q\"b\\n\n")], value: "1")])
        #expect(text.text == "# HELP a one\\\\two\\nthree\n# TYPE a gauge\na{l=\"q\\\"b\\\\n\\n\"} 1\n")
    }

    @Test func `a duration equal to a bound is within it, and buckets add up`() {
        var histogram = Histogram(bounds: [10, 20])
        for duration in [Int64(0), 10, 11, 20, 21, -5] { histogram.record(microseconds: duration) }
        #expect(histogram.cumulative == [3, 5])
        #expect(histogram.count == 6 && histogram.sum == 62)
    }
}
