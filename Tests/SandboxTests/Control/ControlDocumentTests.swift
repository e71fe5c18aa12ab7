import Sandbox
import SandboxTesting
import Testing
import Wire

struct ControlDocumentTests {
    /// One call as the document describes it.
    struct Call {
        let method: String
        let path: String
        let operation: JSON
        /// Of the path and of the call, references resolved.
        let parameters: [JSON]

        var label: String { "\(method) \(path)" }
        var id: String { operation["operationId"]?.string ?? "?" }

        func names(_ place: String) -> Set<String> {
            Set(parameters.filter { $0["in"]?.string == place }.compactMap { $0["name"]?.string })
        }
    }

    /// The served document, and its calls.
    private func document(_ sandbox: TestSandbox) async throws -> (document: JSON, calls: [Call]) {
        let reply = try await sandbox.control("GET", "/v1/openapi.json")
        #expect(reply.status == 200)
        guard case .object(let paths) = reply["paths"] else {
            Issue.record("no paths")
            return (reply.json, [])
        }
        var calls: [Call] = []
        for (path, item) in paths.members {
            for method in ["get", "post", "put", "patch", "delete"] {
                guard let operation = item[method] else { continue }
                let parameters = (item["parameters"]?.array ?? []) + (operation["parameters"]?.array ?? [])
                calls.append(
                    Call(
                        method: method.uppercased(),
                        path: path,
                        operation: operation,
                        parameters: parameters.map { resolved($0, in: reply.json) }
                    )
                )
            }
        }
        return (reply.json, calls)
    }

    /// What a reference points to; the value itself when it is none.
    private func resolved(_ value: JSON, in document: JSON) -> JSON {
        guard let reference = value["$ref"]?.string else { return value }
        let found = reference.split(separator: "/").dropFirst().reduce(document as JSON?) { $0?[String($1)] }
        if found == nil { Issue.record("\(reference) leads nowhere") }
        return found ?? .null
    }

    @Test func `the document has every call of the control API and no other`() async throws {
        try await withSandbox { sandbox in
            let described = try await document(sandbox).calls.map { "\($0.method) \($0.path) \($0.id)" }
            let served = sandbox.application.controlLabels
            #expect(Set(described).subtracting(served).sorted() == [])
            #expect(Set(served).subtracting(described).sorted() == [])
        }
    }

    @Test func `every call has a summary, its fidelity, a good answer, and refusals as problem+json`() async throws {
        try await withSandbox { sandbox in
            let (document, calls) = try await document(sandbox)
            for call in calls {
                #expect(call.operation["summary"]?.string?.isEmpty == false, "\(call.label)")
                #expect(call.operation["x-fidelity"] == "sandbox", "\(call.label)")
                let responses = call.operation["responses"]?.object?.members ?? []
                #expect(responses.contains { $0.key.hasPrefix("2") }, "\(call.label)")
                #expect(responses.contains { $0.key == "default" }, "\(call.label)")
                // A stopping server answers its readiness probe with 503 as it does with 200.
                for (status, response) in responses where !status.hasPrefix("2") && call.id != "control.ready" {
                    let content = resolved(response, in: document)["content"]?.object?.keys
                    #expect(content == ["application/problem+json"], "\(call.label) \(status)")
                }
                if call.operation["requestBody"] != nil {
                    #expect(call.operation["requestBody"]?["content"]?.object?.keys == ["application/json"])
                    for status in ["400", "413", "415"] {
                        #expect(responses.contains { $0.key == status }, "\(call.label) \(status)")
                    }
                }
            }
        }
    }

    @Test func `every path and query parameter that a call reads is described, and no other`() async throws {
        try await withSandbox { sandbox in
            let read = sandbox.application.controlQueryParameters
            for call in try await document(sandbox).calls {
                let inPath = call.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                    $0.dropFirst().dropLast()
                }
                #expect(call.names("path") == Set(inPath.map(String.init)), "\(call.label)")
                #expect(call.names("query") == Set(read[call.id] ?? []), "\(call.label)")
                // Every call about a world may name it.
                #expect(
                    call.names("header") == (call.path.hasPrefix("/v1/") ? ["X-Sandbox-Tenant"] : []),
                    "\(call.label)"
                )
                for parameter in call.parameters {
                    #expect(parameter["schema"]?["type"]?.string != nil, "\(call.label) \(parameter["name"] ?? .null)")
                    #expect((parameter["required"] == true) == (parameter["in"] == "path"), "\(call.label)")
                }
            }
        }
    }

    @Test(arguments: [nil, "secret"])
    func `the served document says whether the token is needed`(_ token: String?) async throws {
        try await withSandbox(configure: { $0.controlToken = token }) { sandbox in
            let headers = token.map { [("authorization", "Bearer \($0)")] } ?? []
            let reply = try await sandbox.control("GET", "/v1/openapi.json", headers: headers)
            #expect(reply.header("content-type") == "application/json")
            let needed: JSON = ["controlToken": []]
            #expect(reply["security"] == (token == nil ? [[:], needed] : [needed]))
            // The probes never need it.
            for path in ["/healthz", "/readyz"] { #expect(reply["paths"][path]?["get"]?["security"] == []) }
        }
    }
}
