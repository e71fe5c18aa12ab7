import Core
import Networks
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

/// `GET /metrics` as a whole request, and the rules of its format.
struct MetricsControlTests {
    /// The value of a sample by its text before the value.
    private static func value(_ text: String, _ sample: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }?.split(separator: " ").last.map(String.init)
    }

    @Test func `what happened is counted`() async throws {
        try await withSandbox { sandbox in
            let before = try await sandbox.control("GET", "/metrics")
            #expect(before.status == 200)
            #expect(before.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body: "{}")
            _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/made-up-by-a-caller", body: "{}")
            _ = try await sandbox.api("GET", "/nowhere")
            let other = [("x-sandbox-tenant", "other")]
            _ = try await sandbox.api("POST", "/wallet/apple/devices", body: "{\"kind\":\"phone\"}", headers: other)
            _ = try await sandbox.control("DELETE", "/v1/journal")
            _ = try await sandbox.control("GET", "/v1/issuers/NOBODY0001")
            let text = try await sandbox.control("GET", "/metrics").text
            for (sample, value) in [
                (#"tsp_sandbox_requests_total{face="tpc",operation="tpc.getTokens",status="400"}"#, "1"),
                (#"tsp_sandbox_requests_total{face="tpc",operation="none",status="404"}"#, "1"),
                (#"tsp_sandbox_requests_total{face="none",operation="none",status="404"}"#, "1"),
                (#"tsp_sandbox_requests_total{face="wallet",operation="wallet.createDevice",status="201"}"#, "1"),
                (#"tsp_sandbox_requests_total{face="control",operation="control.metrics",status="200"}"#, "1"),
                (#"tsp_sandbox_control_calls_total{outcome="changed"}"#, "1"),
                (#"tsp_sandbox_control_calls_total{outcome="read"}"#, "1"),
                (#"tsp_sandbox_control_calls_total{outcome="refused"}"#, "1"),
                ("tsp_sandbox_requests_in_flight", "1"), ("tsp_sandbox_tenants", "2"),
                ("tsp_sandbox_tenants_created_total", "1"), ("tsp_sandbox_journal_appended_total", "4"),
                ("tsp_sandbox_journal_entries", "1"),
                (#"tsp_sandbox_build_info{version="\#(Version.current)"}"#, "1"),
                ("process_start_time_seconds", "1893456000"),
            ] {
                #expect(Self.value(text, sample) == value, "\(sample)")
            }
            #expect(!text.contains("made-up"))
            let writes = Self.value(text, #"tsp_sandbox_store_duration_seconds_count{access="write"}"#)
            #expect(Int(writes ?? "") ?? 0 > 0)
            #expect(Int(Self.value(text, "process_resident_memory_bytes") ?? "") ?? 0 > 1 << 20)
        }
    }

    @Test func `a refusal by a limit is counted`() async throws {
        try await withSandbox { sandbox in
            for reason in [BrokenRequest.Reason.bodyTooLarge, .overloaded, .overloaded] {
                let broken = BrokenRequest(reason: reason, detail: "", head: nil, peer: "test")
                _ = await sandbox.application.api.respond(to: broken)
            }
            let text = try await sandbox.control("GET", "/metrics").text
            #expect(Self.value(text, #"tsp_sandbox_limit_refusals_total{limit="bodyBytes"}"#) == "1")
            #expect(Self.value(text, #"tsp_sandbox_limit_refusals_total{limit="requestsInFlight"}"#) == "2")
            #expect(Self.value(text, "tsp_sandbox_requests_in_flight") == "1")
        }
    }

    @Test func `the text keeps the rules of its format`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/getTokens", body: "{}")
            let text = try await sandbox.control("GET", "/metrics").text
            #expect(text.hasSuffix("\n"))
            var kinds: [String: String] = [:]
            var helped: Set<String> = []
            var family = ""
            var buckets: [Int] = []
            var samples: Set<String> = []
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 3).map(String.init)
                if line.hasPrefix("# HELP ") {
                    #expect(helped.insert(words[2]).inserted, "\(line)")
                    family = words[2]
                } else if line.hasPrefix("# TYPE ") {
                    #expect(kinds.updateValue(words[3], forKey: words[2]) == nil && words[2] == family, "\(line)")
                } else {
                    let name = String(line.prefix { $0 != "{" && $0 != " " })
                    let kind = try #require(kinds[family])
                    let value = try #require(line.split(separator: " ").last.map(String.init))
                    #expect(samples.insert(String(line.dropLast(value.count))).inserted, "\(line)")
                    let suffixes = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                    #expect(suffixes.contains { family + $0 == name }, "\(line)")
                    #expect(Double(value) ?? -1 >= 0, "\(line)")
                    #expect((kind == "counter") == name.hasSuffix("_total"), "\(line)")
                    if name.hasSuffix("_bucket") {
                        let count = try #require(Int(value))
                        #expect(count >= buckets.last ?? 0, "\(line)")
                        buckets.append(count)
                        if !line.contains(#"le="+Inf""#) { #expect(line.contains(#"le=""#), "\(line)") }
                    } else if name.hasSuffix("_count"), kind == "histogram" {
                        #expect(buckets.last == Int(value), "\(line)")
                        buckets = []
                    }
                }
            }
            #expect(helped == Set(kinds.keys) && helped.count > 20)
        }
    }
}
