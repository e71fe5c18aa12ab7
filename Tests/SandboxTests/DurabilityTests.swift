import CSQLite
import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// What was answered survives the end of the process, and card numbers stand in the vault only.
struct DurabilityTests {
    /// The world as the control API and the wallet show it.
    private func world(_ sandbox: TestSandbox, _ phone: String) async throws -> [String] {
        var texts: [String] = []
        for path in ["cards", "tokens", "issuers", "tenants", "activation-codes", "payload-certificates"] {
            texts.append(try await sandbox.control("GET", "/v1/\(path)").text)
        }
        texts.append(try await sandbox.api("GET", "/wallet/apple/devices").text)
        texts.append(try await sandbox.passes(phone).text)
        return texts
    }

    /// A second server on the files as they are now.
    private func reopened(_ path: String, _ copy: String, _ body: (TestSandbox) async throws -> Void) async throws {
        try copyStore(path, to: copy)
        try await withSandbox(configure: { $0.store = .file(copy) }, body)
    }

    @Test func `a server that was killed between two calls has the state it answered`() async throws {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                let phone = try await sandbox.device()
                let watch = try await sandbox.device("watch", pairedWith: phone)
                let session = try await sandbox.session(phone, .visa, .visa)
                let request = try sandbox.passRequest(session, .visa, .visa)
                let code = try TestIssuer(sandbox).code(sub: "test-visa", changes: [("jti", "once")])
                let generate = "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest"
                let body = request.replacing("authorizationCode", .string(code))
                let triple = try await sandbox.api("POST", generate, body)
                let pass = "/wallet/apple/provisioning-sessions/\(session.text("sessionId"))/pass"

                // Killed after the data was handed out: the code is spent, the session is still good.
                try await reopened(path, folder + "/1.db") { second in
                    let replayed = try await second.api("POST", generate, body)
                    #expect([String(replayed.status), replayed.diagnosis.first] == ["401", "JWT_JTI_REPLAYED"])
                    #expect(try await second.api("POST", pass, triple.json).status == 201)
                }
                let made = try await sandbox.api("POST", pass, triple.json)
                let yellow = try await sandbox.manualEntry(watch, .visa, .visa)
                let serial = yellow["pass"]["serialNumber"]?.string ?? ""
                let waiting = "/wallet/apple/devices/\(watch)/passes/\(serial)"
                _ = try await sandbox.api("POST", waiting + "/activation-code", ["method": "SMS"])
                _ = try await sandbox.api("POST", waiting + "/activate", ["activationCode": "wrong"])
                _ = try await sandbox.updateTokenState(made.text("tokenId"), .visa, "Suspend")
                _ = try await sandbox.control("POST", "/v1/payload-keys/rotate")
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "lenient"])
                let before = try await world(sandbox, phone)
                try await reopened(path, folder + "/2.db") { second in
                    #expect(try await world(second, phone) == before)
                    let used = try await second.api("POST", pass, triple.json)
                    #expect([used["tokenId"], used["reason"]] == [made["tokenId"], "SESSION_USED"])
                    // The draws go on where they stood: a new id is not one that was given out.
                    #expect(try await ![phone, watch].contains(second.device()))
                    #expect(try await second.updateTokenState(made.text("tokenId"), .visa, "Resume").status == 200)
                }
            }
        }
    }

    @Test func `a server that was closed opens again with its tenants`() async throws {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            func run(_ body: (TestSandbox) async throws -> [String]) async throws -> [String] {
                try await withSandbox(configure: { $0.store = .file(path) }, body)
            }
            let first = try await run { sandbox in
                let phone = try await sandbox.device()
                _ = try await sandbox.api("POST", "/t/other/wallet/apple/devices", ["kind": "phone"])
                return [phone, try await sandbox.control("GET", "/v1/tenants").text]
            }
            let second = try await run { sandbox in
                let devices = try await sandbox.api("GET", "/wallet/apple/devices")["items"].array
                let id = devices?.first?["deviceId"]?.string ?? ""
                return [id, try await sandbox.control("GET", "/v1/tenants").text]
            }
            #expect(first == second)
        }
    }

    @Test func `a server that was opened again repeats no request id, and two new ones give the same`() async throws {
        try await withFolder { folder in
            func run(_ path: String) async throws -> [String] {
                try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                    var ids: [String] = []
                    for path in ["/wallet/apple/devices", "/t/other/wallet/apple/devices", "/t/-/wallet/apple/devices"]
                    {
                        for _ in 0..<2 { ids.append(try await sandbox.api("GET", path).header("x-request-id") ?? "") }
                    }
                    return ids
                }
            }
            let (path, twin) = (folder + "/sandbox.db", folder + "/twin.db")
            let runs = [try await run(path), try await run(path), try await run(path)]
            // Two tenants of one seed draw the same.
            #expect(Set(runs.joined()).count == 3 * 4)
            for ids in runs { #expect(try await run(twin) == ids) }
        }
    }

    @Test func `without the vault's rows the file holds no card number`() async throws {
        try await withFolder { folder in
            let (path, copy) = (folder + "/sandbox.db", folder + "/copy.db")
            try await withSandbox(configure: { $0.store = .file(path) }) { sandbox in
                let phone = try await sandbox.device()
                let watch = try await sandbox.device("watch", pairedWith: phone)
                for network in PaymentNetwork.allCases {
                    _ = try await sandbox.provision(phone, .of(network), network)
                    let made = try await sandbox.manualEntry(watch, .of(network), network)
                    #expect(made.status == 201)
                }
            }
            try copyStore(path, to: copy)
            let numbers = PaymentNetwork.allCases.map { TestCard.of($0).pan }
            func found() throws -> [String] {
                let bytes = try fileBytes(copy)
                let text = String(decoding: bytes.map { (0x30...0x39).contains($0) ? $0 : 0x20 }, as: UTF8.self)
                return numbers.filter { text.contains($0) }
            }
            #expect(try found() == numbers)
            try execute("DELETE FROM vault; VACUUM;", in: copy)
            #expect(try found() == [])
        }
    }

    private func execute(_ sql: String, in file: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(file, &database) == SQLITE_OK)
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }
}
