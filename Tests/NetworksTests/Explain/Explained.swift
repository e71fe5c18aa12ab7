import Core
import SandboxTesting
import Testing
import Wire

/// A check as a client sees it, in the journal or in an explanation.
struct Told: Hashable, CustomTestStringConvertible {
    let name: String
    let passed: Bool
    let code: String
    let evidence: String
    let hint: String

    init(_ json: JSON) {
        name = json["name"]?.string ?? "no name"
        passed = json["passed"]?.bool ?? false
        code = json["code"]?.string ?? ""
        evidence = json["evidence"]?.string ?? ""
        hint = json["hint"]?.string ?? ""
    }

    var testDescription: String { "\(passed ? "ok" : "FAILED") \(name) \(code) (\(evidence))" }
}

extension [Told] {
    /// Checks whose names begin with one of these.
    func about(_ prefixes: String...) -> [Told] { about(prefixes) }

    func about(_ prefixes: [String]) -> [Told] {
        filter { told in prefixes.contains { told.name.hasPrefix($0) } }
    }

    /// Codes of the failed checks.
    var codes: [String] { filter { !$0.passed }.map(\.code) }
}

extension TestSandbox {
    /// The checks of an explanation.
    func explain(
        _ kind: String,
        _ value: JSON,
        _ context: JSON = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [Told] {
        let body: JSON = ["kind": .string(kind), "value": value, "context": context]
        let reply = try await control("POST", "/v1/explain", body)
        try #require(reply.status == 200, "\(reply.summary)", sourceLocation: sourceLocation)
        let checks = reply["checks"].array ?? []
        // Evidence and hint are always there.
        #expect(checks.allSatisfy { $0["evidence"]?.string != nil && $0["hint"]?.string != nil })
        return checks.map(Told.init)
    }

    /// The checks of the newest request in the journal.
    func judged() async throws -> [Told] {
        (try await journal().first?["checks"]?.array ?? []).map(Told.init)
    }

    /// Explains and makes sure that nothing became of it.
    func explainIdly(
        _ kind: String,
        _ value: JSON,
        _ context: JSON = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [Told] {
        let before = try await records()
        let told = try await explain(kind, value, context, sourceLocation: sourceLocation)
        #expect(try await records() == before, sourceLocation: sourceLocation)
        return told
    }
}
