import SandboxTesting
import Testing
import Wire

/// The document that the process serves is the one in `Docs/`, and tells of every operation with its label.
struct OpenAPITests {
    @Test func `the document lists the operations of both faces, and no other`() async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.api("GET", "/d1/openapi.json")
            #expect(reply.status == 200)
            #expect(reply.text == (try TestFiles.text(packageRoot + "/Docs/openapi/d1.json")))
            var listed: Set<String> = []
            for (path, item) in reply["paths"].object?.members ?? [] {
                for (method, operation) in item.object?.members ?? [] where method != "parameters" {
                    let id = operation["operationId"]?.string ?? ""
                    let name = id.hasSuffix(".v1") || id.hasSuffix(".v2") ? String(id.dropLast(3)) : id
                    let label = operation["x-fidelity"]?.string ?? "none"
                    listed.insert("\(method.uppercased()) \(path) \(name) \(label)")
                }
            }
            let served = sandbox.operationLabels.filter { $0.split(separator: " ")[2].hasPrefix("d1.") }
            #expect(listed == Set(served))
        }
    }
}
