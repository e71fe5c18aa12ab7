import Networks
import SandboxTesting
import Testing
import Wire

@testable import Sandbox

/// Each face serves its document on both ports, and the document is true: routes, labels and errors. Members are held
/// against the field tables by `FieldDocumentTests`.
struct FaceDocumentTests {
    static let names = FaceCatalog.all.reduce(into: [String]()) { names, face in
        if !names.contains(face.name) { names.append(face.name) }
    }

    @Test(arguments: names)
    func `a face's document tells what it serves, on both ports`(_ name: String) async throws {
        try await withSandbox { sandbox in
            let file = try JSON.parse(TestFiles.bytes(packageRoot + "/Docs/openapi/\(name).json"))
            let host = [("host", "localhost:9")]
            let api = try await sandbox.send(.api, "GET", "/openapi/\(name).json", nil, host)
            let control = try await sandbox.send(.control, "GET", "/openapi/\(name).json", nil, host)
            #expect((api.status, control.status) == (200, 200))
            #expect(api["servers"] == [["url": "http://localhost:9"]])
            for reply in [api, control] {
                #expect(reply["paths"] == file["paths"] && reply["components"] == file["components"])
            }
            let listed = (api["paths"].object?.members ?? []).flatMap { path, item in
                (item.object?.members ?? []).filter { $0.key != "parameters" }.map { method, operation in
                    let id = operation["operationId"]?.string ?? ""
                    let isVersioned = id.hasSuffix(".v1") || id.hasSuffix(".v2")
                    let operationName = isVersioned ? String(id.dropLast(3)) : id
                    let label = operation["x-fidelity"]?.string ?? "none"
                    return "\(method.uppercased()) \(path) \(operationName) \(label)"
                }
            }
            let entry = sandbox.application.facesDocument["faces"]?.array?.first { $0["name"]?.string == name }
            let served = (entry?["endpoints"]?.array ?? []).map { endpoint in
                ["method", "path", "name", "fidelity"].map { endpoint[$0]?.string ?? "" }.joined(separator: " ")
            }
            #expect(Set(listed) == Set(served) && !served.isEmpty)
            #expect(entry?["document"] == .string("/openapi/\(name).json"))
            let errors = FaceCatalog.all.filter { $0.name == name }.flatMap(\.networkErrors)
            let descriptions = Dictionary(errors.map { ($0.name, JSON.string($0.description)) }) { first, _ in first }
            let told = Dictionary(uniqueKeysWithValues: (api["x-network-errors"].object?.members ?? []).map { $0 })
            #expect(told == descriptions)
        }
    }

    @Test func `every operation is in one document, and every face has a name of its own words`() async throws {
        try await withSandbox { sandbox in
            let listed = sandbox.application.facesDocument["faces"]?.array?.flatMap { face in
                face["endpoints"]?.array?.compactMap { $0["name"]?.string } ?? []
            }
            let served = sandbox.application.api.endpoints.map(\.route.name)
            #expect(Set(served).subtracting(listed ?? []) == ["documents.openAPI"])
        }
    }

    @Test func `a document that there is not names those there are`() async throws {
        try await withSandbox { sandbox in
            for port in [TestPort.api, .control] {
                for path in ["/openapi/nothing.json", "/openapi/tpc", "/openapi/tpc.yaml"] {
                    let reply = try await sandbox.send(port, "GET", path, nil, [])
                    #expect((reply.status, reply.diagnosis) == (404, ["PATH_UNKNOWN"]))
                    #expect(reply["detail"].string?.contains("control, d1, tpc, wallet") == true, "\(reply.text)")
                }
            }
        }
    }

    @Test func `the address is the public one where there is one`() async throws {
        try await withSandbox(configure: { $0.publicURL = "https://user:s3cret@tsp.example/sandbox/" }) { sandbox in
            for (port, path) in [(TestPort.api, "/sandbox/openapi/tpc.json"), (.control, "/openapi/tpc.json")] {
                let reply = try await sandbox.send(port, "GET", path, nil, [("host", "localhost:1")])
                #expect(reply["servers"] == [["url": "https://tsp.example/sandbox"]])
            }
            let own = try await sandbox.send(.control, "GET", "/v1/openapi.json", nil, [("host", "localhost:7")])
            #expect(own["servers"] == [["url": "http://localhost:7"]])
        }
    }
}
