import Core
import SandboxTesting
import Testing
import Wire

/// Field case 4, and point 4 of how the main job is judged: every mistake has a code of its own.
struct ThirtyMistakesTests {
    /// A refusal as a client's error screen could show it.
    private struct Refused: Hashable {
        let code: String
        let status: Int
        let isTraced: Bool
    }

    @Test func `row 4: thirty broken TPC requests give thirty codes, none a 5xx, each with its request id`()
        async throws
    {
        let cases =
            GeneratePassTests.missing + GeneratePassTests.malformed + GeneratePassTests.unauthenticated
            + GeneratePassTests.wrongCard
        let distinct = Dictionary(grouping: cases.filter { $0.network == .visa }) { $0.codes[0] }.compactMap(
            \.value.first
        )
        try #require(distinct.count >= 30)
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try sandbox.passRequest(begun.session, begun.card, .visa)
            var refused: Set<Refused> = []
            for (index, example) in distinct.enumerated() {
                var body = good
                try example.change(&body, TestIssuer(sandbox))
                let id = "broken-\(index)"
                let reply = try await sandbox.api(
                    "POST",
                    "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest",
                    body: body.text,
                    headers: [("x-request-id", id)]
                )
                refused.insert(
                    Refused(
                        code: reply.diagnosis.first ?? "",
                        status: reply.status,
                        isTraced: reply.header("x-request-id") == id
                    )
                )
            }
            #expect(Set(refused.map(\.code)).count == distinct.count)
            #expect(refused.allSatisfy { (400..<500).contains($0.status) && $0.isTraced })
        }
    }

    @Test func `row 4: thirty broken pass requests give thirty codes, with the request id in header and body`()
        async throws
    {
        let cases = PassIssuanceTests.form + PassIssuanceTests.constructions + PassIssuanceTests.contents
        let distinct = Dictionary(grouping: cases) { $0.codes[0] }.compactMap(\.value.first)
        try #require(distinct.count >= 30)
        try await withSandbox { sandbox in
            let begun = try await Provisioning.begin(sandbox)
            let good = try await begun.triple()
            var refused: Set<Refused> = []
            // Refused terms end the session, so they come last.
            let ordered =
                distinct.filter { $0.codes != ["TERMS_REFUSED"] } + distinct.filter { $0.codes == ["TERMS_REFUSED"] }
            for (index, example) in ordered.enumerated() {
                let id = "broken-\(index)"
                let reply = try await sandbox.api(
                    "POST",
                    begun.passPath,
                    body: try example.change(good, begun).text,
                    headers: [("x-request-id", id)]
                )
                let isTraced = reply.header("x-request-id") == id && reply.text("requestId") == id
                refused.insert(Refused(code: reply.text("reason"), status: reply.status, isTraced: isTraced))
            }
            #expect(Set(refused.map(\.code)).count == distinct.count)
            #expect(refused.allSatisfy { (400..<500).contains($0.status) && $0.isTraced })
        }
    }
}
