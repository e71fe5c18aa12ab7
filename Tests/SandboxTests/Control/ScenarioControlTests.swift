import Networks
import Sandbox
import SandboxTesting
import Testing
import Wire

/// `GET /v1/scenarios`: the list a test author chooses from.
struct ScenarioControlTests {
    private func values(_ sandbox: TestSandbox, _ kind: String) async throws -> [String] {
        let items = try await sandbox.control("GET", "/v1/scenarios")["items"].array ?? []
        return items.filter { $0["kind"] == .string(kind) }.compactMap { $0["value"]?.string }
    }

    @Test func `every item has a name of its kind, a value and words`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.control("GET", "/v1/scenarios")
            #expect(reply.status == 200 && reply.json.object?.keys == ["items"])
            let items = reply["items"].array ?? []
            #expect(items.allSatisfy { $0.object?.keys == ["name", "kind", "value", "description"] })
            #expect(
                items.allSatisfy { item in item.object?.members.allSatisfy { $0.value.string?.isEmpty == false } == true
                }
            )
            let names = items.map { "\($0["kind"]?.string ?? "") \($0["name"]?.string ?? "")" }
            #expect(Set(names).count == names.count)
            let kinds = Set(items.compactMap { $0["kind"]?.string })
            #expect(kinds == ["expiryYear", "fault", "operation", "networkError"])
        }
    }

    @Test func `years, operations and shorthands are those of the server`() async throws {
        try await withSandbox { sandbox in
            #expect(try await values(sandbox, "expiryYear") == (2041...2049).map(String.init))
            let endpoints = Set(sandbox.application.api.endpoints.map(\.route).map(\.name))
            #expect(try await Set(values(sandbox, "operation")) == endpoints)
            #expect(endpoints.contains("tpc.getTokens") && endpoints.contains("wallet.createPass"))
            let faults = try await values(sandbox, "fault")
            #expect(
                faults == [
                    "delay=500", "status=503", "connection=reset", "connection=close", "connection=empty",
                    "connection=truncate", "connection=garbage", "connection=stall", "networkError=systemCancelled",
                    "decision=green", "decision=yellow", "decision=red",
                ]
            )
            let errors = try await values(sandbox, "networkError")
            #expect(errors.count { $0 == "UNAVAILABLE" } == 3)
            // One of each face: TSH's, the SDK's, D1's for a backend, PassKit's, a network's.
            for name in ["WRONG_AUTHENTICATION", "10009", "FIELD_INVALID_VALUE", "userCancelled", "PAN_INELIGIBLE"] {
                #expect(errors.contains(name))
            }
        }
    }
}
