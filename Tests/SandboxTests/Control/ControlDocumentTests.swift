import Sandbox
import SandboxTesting
import Testing
import Wire

struct ControlDocumentTests {
    @Test func `the document has every call of the control API and no other`() async throws {
        try await withSandbox { sandbox in
            let document = try await sandbox.control("GET", "/v1/openapi.json")
            #expect(document.status == 200)
            guard case .object(let paths) = document["paths"] else {
                Issue.record("no paths")
                return
            }
            var described: [String] = []
            for (path, item) in paths.members {
                for method in ["get", "post", "put", "patch", "delete"] {
                    guard let call = item[method] else { continue }
                    described.append("\(method.uppercased()) \(path) \(call["operationId"]?.string ?? "?")")
                }
            }
            let served = sandbox.application.controlLabels
            #expect(Set(described).subtracting(served).sorted() == [])
            #expect(Set(served).subtracting(described).sorted() == [])
        }
    }
}
