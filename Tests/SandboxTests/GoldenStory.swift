import Core
import SandboxTesting
import Testing
import Web
import Wire

/// One step of a story whose messages are kept as golden pairs in `fixtures/<face>/`.
struct GoldenStory: Sendable {
    /// The folder of the pair, by the request's path.
    let folder: @Sendable (_ path: String) -> String
    /// Members that are new each time: OpenSSL makes their keys and IVs, or the test its ids.
    let fresh: Set<String>

    /// Sends a request and holds both messages against their files.
    func step(
        _ sandbox: TestSandbox,
        _ name: String,
        _ method: String,
        _ path: String,
        _ body: JSON = .null,
        bearer: String? = nil
    ) async throws -> TestReply {
        let headers = bearer.map { [("Authorization", "Bearer \($0)")] } ?? []
        let reply = try await sandbox.send(.api, method, path, body.isNull ? nil : body.bytes, headers)
        var request: JSON = ["method": .string(method), "path": .string(path)]
        if !body.isNull { request = request.adding("body", scrubbed(body)) }
        var response: JSON = ["status": .number(reply.status)]
        if !reply.diagnosis.isEmpty { response = response.adding("diagnosis", .strings(reply.diagnosis)) }
        if !reply.text.isEmpty { response = response.adding("body", scrubbed(reply.json)) }
        try Golden.check("fixtures/\(folder(path))/\(name).request.json", GoldenStory.pretty(request) + "\n")
        try Golden.check("fixtures/\(folder(path))/\(name).response.json", GoldenStory.pretty(response) + "\n")
        return reply
    }

    private func scrubbed(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSONObject(object.members.map { ($0.key, fresh.contains($0.key) ? "<fresh>" : scrubbed($0.value)) })
            )
        case .array(let items): .array(items.map(scrubbed))
        default: json
        }
    }

    private static func pretty(_ json: JSON, indent: String = "") -> String {
        let inner = indent + "  "
        switch json {
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { inner + JSON.string($0.key).text + ": " + pretty($0.value, indent: inner) }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + pretty($0, indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        default: return json.text
        }
    }
}
