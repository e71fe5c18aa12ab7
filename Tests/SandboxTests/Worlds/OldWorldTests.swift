import CSQLite
import Core
import FoundationEssentials
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// Worlds that an older version wrote: a store of schema 3 that holds a snapshot, as SQL, and an export of version 1. Beside
/// them is what that version answered about them.
struct OldWorldTests {
    private static let folder = packageRoot + "/Tests/Worlds/schema-3"

    private static func json(_ name: String) throws -> JSON { try JSON.parse(fileBytes("\(folder)/\(name)")) }

    /// A store's file as the older version left it.
    private static func makeStore(at path: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let sql = String(decoding: try fileBytes(folder + "/store.sql"), as: UTF8.self)
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    /// The calls whose answers are not what they were.
    /// The answer without members that answers of that time did not have.
    private static func withoutNews(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !["pairedDevices", "hintHeader"].contains($0.key) }.map {
                        ($0.key, withoutNews($0.value))
                    }
                )
            )
        case .array(let items): .array(items.map(withoutNews))
        default: json
        }
    }

    private static func changed(_ sandbox: TestSandbox, _ calls: JSON?) async throws -> [String] {
        var changed: [String] = []
        for call in try #require(calls?.array) {
            let path = call["path"]?.string ?? ""
            let headers = call["headers"]?.object?.members.map { ($0.key, $0.value.string ?? "") } ?? []
            let body = call["body"].flatMap { $0.isNull ? nil : $0.bytes }
            let port = call["port"] == "api" ? TestPort.api : .control
            let reply = try await sandbox.send(port, call["method"]?.string ?? "", path, body, headers)
            if .number(reply.status) != call["status"] || Self.withoutNews(reply.json) != call["answer"] {
                changed.append("\(path): \(reply.text), was \(call["answer"]?.text ?? "")")
            }
        }
        return changed
    }

    @Test func `a store of an older schema opens, with its tokens, passes, sessions and snapshots as they were`()
        async throws
    {
        let answers = try Self.json("answers.json")
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            try Self.makeStore(at: path)
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                #expect(FileManager.default.fileExists(atPath: path + ".before-passes-and-history"))
                #expect(try await Self.changed(sandbox, answers["now"]) == [])
                #expect(try await Self.changed(sandbox, answers["other"]) == [])
                try await goOn(sandbox, answers)

                let id = answers["snapshot"]?.string ?? ""
                #expect(try await sandbox.control("POST", "/v1/snapshots/\(id)/restore").status < 300)
                #expect(try await Self.changed(sandbox, answers["atSnapshot"]) == [])
                let locked = (answers["lockedPass"]?.string ?? "") + "/activation-code"
                let sms = try await sandbox.api("POST", locked, ["method": "SMS"])
                #expect([.number(sms.status), sms["reason"]] == [422, "ACTIVATION_METHOD_LOCKED"])
                #expect(try await sandbox.api("POST", locked, ["method": "EMAIL"]).status == 202)
            }
            // What was migrated once is opened as any other.
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                let changed = try await Self.changed(sandbox, answers["other"])
                #expect(changed == [])
            }
        }
    }

    @Test func `an export of an older version is imported as it was`() async throws {
        let answers = try Self.json("answers.json")
        let document = try Self.json("export.json")
        try await withSandbox { sandbox in
            let reply = try await sandbox.send(.control, "POST", "/v1/import", document.bytes, [])
            #expect(reply.status == 204, "\(reply.summary)")
            #expect(try await Self.changed(sandbox, answers["now"]) == [])
            let again = try await sandbox.control("GET", "/v1/export")
            #expect(again["version"] == 3)
            #expect(try await sandbox.send(.control, "POST", "/v1/import", again.json.bytes, []).status == 204)
            #expect(try await Self.changed(sandbox, answers["now"]) == [])
            try await goOn(sandbox, answers)
        }
    }

    /// The open session still leads to a pass, and what was planned happens.
    private func goOn(_ sandbox: TestSandbox, _ answers: JSON) async throws {
        let now = try #require(RFC3339.parse(try await sandbox.control("GET", "/v1/clock").text("now")))
        sandbox.clock.advance(seconds: now.seconds - sandbox.clock.millisecondsSince1970 / 1_000)
        let session = TestReply(.json(answers["session"] ?? .null))
        let request = try sandbox.passRequest(session, .visa, .visa)
        let triple = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
        let path = "/wallet/apple/provisioning-sessions/\(session.text("sessionId"))/pass"
        let made = try await sandbox.api("POST", path, triple.json)
        #expect([.number(made.status), made["decision"]] == [201, "green"], "\(made.summary)")
        #expect(try await sandbox.updateTokenState(made.text("tokenId"), .visa, "Suspend").status == 200)

        _ = try await sandbox.control("POST", "/v1/clock/advance", ["seconds": 2_592_000])
        let tokens = try await sandbox.control("GET", "/v1/tokens")["items"].array ?? []
        let histories = tokens.map { token in
            token["history"]?.array?.compactMap { $0["event"]?.string }.joined(separator: " ") ?? ""
        }
        #expect(histories.contains("create suspend resume delete"))
        #expect(histories.filter { $0 == "create expire" }.count == 2)
        #expect(!tokens.contains { $0["state"] == "inactive" })
    }
}
