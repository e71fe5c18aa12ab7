import SandboxTesting
import Testing
import Wire

/// The query of a control call: what a call does not read is refused, because it would be as if it were not there.
struct ControlQueryTests {
    struct Call: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let problem: Problem
        var parameter: JSON?
        var testDescription: String { "\(method) \(path)" }

        init(_ method: String, _ path: String, _ code: String, _ parameter: JSON?) {
            self.method = method
            self.path = path
            problem = Problem(400, code)
            self.parameter = parameter
        }
    }

    @Test(arguments: [
        Call("GET", "/v1/tokens?limits=2", "QUERY_PARAMETER_UNKNOWN", "limits"),
        Call("GET", "/v1/tokens?", "", nil),
        Call("GET", "/v1/activation-codes?tokenID=x", "QUERY_PARAMETER_UNKNOWN", "tokenID"),
        Call("GET", "/v1/activation-codes?tokenId=x", "", nil),
        Call("GET", "/v1/activation-codes?tokenId=x&tokenId=y", "QUERY_PARAMETER_REPEATED", "tokenId"),
        Call("GET", "/v1/activation-codes?tokenId=%ZZ", "QUERY_PARAMETER_ENCODING", nil),
        Call("GET", "/v1/callbacks?tokenId=x&state=queued", "QUERY_PARAMETER_UNKNOWN", "state"),
        Call("GET", "/v1/cards/card-visa?issuerId=DEMOBANK01", "", nil),
        Call("GET", "/v1/cards/card-visa?issuer=DEMOBANK01", "QUERY_PARAMETER_UNKNOWN", "issuer"),
        // Without the refusal these would remove more than was meant.
        Call("DELETE", "/v1/journal?face=tpc", "QUERY_PARAMETER_UNKNOWN", "face"),
        Call("DELETE", "/v1/faults?id=one", "QUERY_PARAMETER_UNKNOWN", "id"),
        Call("GET", "/v1/journal?face=tpc&fase=d1", "JOURNAL_FILTER_UNKNOWN", "fase"),
        Call("GET", "/v1/journal?face=%E0%A4", "QUERY_PARAMETER_ENCODING", nil),
        // A probe may add what it likes.
        Call("GET", "/healthz?at=1", "", nil),
        Call("GET", "/metrics?at=1", "", nil),
    ])
    func `a parameter that the call does not read is refused by name`(_ call: Call) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control(call.method, call.path)
            guard call.problem.code.isEmpty else {
                #expect(Problem(reply) == call.problem)
                #expect(reply.json["parameter"] == call.parameter)
                return
            }
            #expect(reply.status == 200)
        }
    }

    @Test func `a card number in a parameter's name is not repeated`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("GET", "/v1/tokens?4111111111111111=1")
            #expect(Problem(reply) == Problem(400, "QUERY_PARAMETER_UNKNOWN"))
            #expect(!reply.text.contains("4111111111111111"))
        }
    }
}
