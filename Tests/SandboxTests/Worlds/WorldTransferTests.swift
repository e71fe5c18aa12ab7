import Core
import Networks
import Sandbox
import SandboxTesting
import Testing
import Traffic
import Web
import Wire

/// `GET /v1/export` and `POST /v1/import`.
struct WorldTransferTests {
    private static let other = [("x-sandbox-tenant", "other")]

    /// The document without what says which tenant it is of, and how often that has changed.
    private func bare(_ document: JSON) -> JSON {
        let records = document["records"]?.array?.map { record -> JSON in
            guard record["kind"] == "tenant", let tenant = record["document"] else { return record }
            return record.replacing("document", tenant.replacing("sequence", 0))
        }
        return document.replacing("tenant", "").replacing("records", .array(records ?? []))
    }

    private func export(_ sandbox: TestSandbox, _ headers: [(String, String)] = []) async throws -> JSON {
        let reply = try await sandbox.control("GET", "/v1/export", headers: headers)
        try #require(reply.status == 200 && reply.header("content-type") == "application/json")
        return reply.json
    }

    private func `import`(
        _ sandbox: TestSandbox,
        _ document: JSON,
        _ headers: [(String, String)]
    ) async throws -> TestReply {
        try await sandbox.send(.control, "POST", "/v1/import", document.bytes, headers)
    }

    @Test func `a world that no import takes is not exported`() async throws {
        let size = try await withSandbox { sandbox in
            try await sandbox.application.worlds.everything(of: .default).rows.reduce(0) { $0 + $1.document.count }
        }
        for (limit, status) in [(size - 1, 409), (size, 200)] {
            try await withSandbox(configure: { $0.exportBytes = limit }) { sandbox in
                let reply = try await sandbox.control("GET", "/v1/export")
                #expect(reply.status == status)
                if status == 409 { #expect(reply["code"] == "WORLD_TOO_LARGE") }
            }
        }
    }

    @Test func `a world that is exported and imported elsewhere is the same world`() async throws {
        try await withSandbox { sandbox in
            try await sandbox.live()
            let document = try await export(sandbox)
            #expect(
                [document["format"], document["version"], document["tenant"]] == ["tsp-sandbox-world", 3, "default"]
            )
            let isSame = try await export(sandbox) == document
            #expect(isSame)
            let kinds = Set(document["records"]?.array?.compactMap { $0["kind"]?.string } ?? [])
            #expect(
                kinds
                    == Set(
                        RecordKinds(and: FaceCatalog.all.flatMap(\.recordKinds) + [FaultRule.self]).all.filter {
                            !$0.isResident
                        }.map { $0.kind }
                    )
            )
            let owners = Set(document["numbers"]?.array?.compactMap { $0["ownerKind"]?.string } ?? [])
            #expect(owners == ["card", "token", "retired"])
            // What is there before goes.
            _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other", "seed": 99])
            let gone = try await sandbox.send(
                .api,
                "POST",
                "/wallet/apple/devices",
                #"{"kind":"phone"}"#.bytes,
                Self.other
            )
            let reply = try await `import`(sandbox, document, Self.other)
            #expect(reply.status == 204 && reply.text.isEmpty, "\(reply.summary)")
            let isWhole = bare(try await export(sandbox, Self.other)) == bare(document)
            #expect(isWhole)
            for path in ["/v1/tokens", "/v1/cards", "/v1/issuers", "/v1/activation-codes", "/v1/callbacks"] {
                let (first, second) = (
                    try await sandbox.control("GET", path), try await sandbox.control("GET", path, headers: Self.other)
                )
                #expect(first.text == second.text, "\(path)")
            }
            let devices = try await sandbox.api("GET", "/wallet/apple/devices", headers: Self.other)["items"]
            #expect(devices == (try await sandbox.api("GET", "/wallet/apple/devices"))["items"])
            #expect(devices.array?.contains { $0["deviceId"] == gone["deviceId"] } == false)
            let tenant = try await sandbox.control("GET", "/v1/tenants/other")
            #expect([tenant["strictness"], tenant["seed"]] == ["lenient", 77])
            // It goes on as the other does: the same next draw.
            let next = try await sandbox.device()
            let made = try await sandbox.send(
                .api,
                "POST",
                "/wallet/apple/devices",
                #"{"kind":"phone"}"#.bytes,
                Self.other
            )
            #expect(made["deviceId"] == .string(next))
        }
    }

    @Test func `what memory has of a world is of the imported one`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", nil)])
            let status = "/d1/client/v1/extension-status?deviceId=\(phone)&application=\(TestSandbox.walletExtension)"
            let before = try await export(sandbox)
            #expect(try await sandbox.api("GET", status)["passEntriesAvailable"] == true)
            _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
            _ = try await sandbox.configure(phone, [])
            for _ in 0..<2 {
                let type = [("content-type", "text/plain")]
                let body = #"{"kind":"phone"}"#
                #expect(try await sandbox.api("POST", "/wallet/apple/devices", body: body, headers: type).status == 415)
                #expect(try await `import`(sandbox, before, []).status == 204)
                #expect(try await sandbox.api("POST", "/wallet/apple/devices", body: body, headers: type).status == 201)
                #expect(try await sandbox.api("GET", status)["passEntriesAvailable"] == true)
                _ = try await sandbox.control("PATCH", "/v1/tenants/default", ["strictness": "strict"])
            }
        }
    }

    @Test func `an import ends what waits and keeps the journal`() async throws {
        try await withSandbox { sandbox in
            _ = try await sandbox.device()
            let document = try await export(sandbox)
            let pauses = sandbox.application.pauses
            let pause = pauses.open(in: .default)
            #expect(try await `import`(sandbox, document, []).status == 204)
            #expect(await pauses.wait(pause, in: .default, milliseconds: 600_000) == .tenantEnded)
            #expect(try await sandbox.control("GET", "/v1/journal")["items"].array?.count == 1)
            // Request ids go on: none is given out twice.
            let ids = try await [
                sandbox.api("GET", "/wallet/apple/devices"), sandbox.api("GET", "/wallet/apple/devices"),
            ]
            let journal = try await sandbox.control("GET", "/v1/journal")["items"].array ?? []
            #expect(Set(journal.compactMap { $0["requestId"]?.string }).count == ids.count + 1)
        }
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let problem: Problem
        let change: @Sendable (JSON) -> JSON

        init(_ description: String, _ problem: Problem, _ change: @escaping @Sendable (JSON) -> JSON) {
            testDescription = description
            self.problem = problem
            self.change = change
        }
    }

    /// The document with the first record of a kind changed.
    private static func changing(_ kind: String, _ member: String, _ value: JSON) -> @Sendable (JSON) -> JSON {
        { document in
            edit(document, "records") { items in
                guard let index = items.firstIndex(where: { $0["kind"] == .string(kind) }) else { return }
                items[index] = items[index].replacing(
                    "document",
                    (items[index]["document"] ?? .null).replacing(member, value)
                )
            }
        }
    }

    private static func edit(_ document: JSON, _ list: String, _ body: (inout [JSON]) -> Void) -> JSON {
        var items = document[list]?.array ?? []
        body(&items)
        return document.replacing(list, .array(items))
    }

    /// The places are those of the world that ``bad`` makes: the tenant first, then the issuers.
    static let wrongs: [Wrong] = [
        Wrong("no object", Problem(400, "WORLD_FORMAT", "/format")) { _ in [] },
        Wrong("another format", Problem(400, "WORLD_FORMAT", "/format")) { $0.replacing("format", "world") },
        Wrong("another version", Problem(400, "WORLD_VERSION", "/version")) {
            $0.replacing("version", .number(WorldDocument.version + 1))
        },
        Wrong("a version before the first", Problem(400, "WORLD_VERSION", "/version")) { $0.replacing("version", 0) },
        Wrong("no records", Problem(400, "WORLD_FORMAT", "/records")) { $0.replacing("records", .null) },
        Wrong("no numbers", Problem(400, "WORLD_FORMAT", "/numbers")) { $0.replacing("numbers", .null) },
        Wrong("a record that is none", Problem(400, "WORLD_FORMAT", "/records/0/kind")) { document in
            edit(document, "records") { $0.insert(1, at: 0) }
        },
        Wrong("an unknown kind", Problem(400, "WORLD_KIND_UNKNOWN", "/records/0/kind")) { document in
            edit(document, "records") { $0.insert(["kind": "thing", "id": "a", "document": [:]], at: 0) }
        },
        Wrong(
            "a document its kind cannot read",
            Problem(400, "WORLD_RECORD_INVALID", "/records/1/document/issuerId"),
            changing("issuer", "issuerId", 1)
        ),
        Wrong("an id that is another", Problem(400, "WORLD_RECORD_ID", "/records/1/id")) { document in
            edit(document, "records") { $0[1] = $0[1].replacing("id", "OTHERBANK1") }
        },
        Wrong("a record twice", Problem(400, "WORLD_DUPLICATE", "/records/2")) { document in
            edit(document, "records") { $0.insert($0[1], at: 2) }
        },
        Wrong("no tenant", Problem(400, "WORLD_TENANT_MISSING", "/records")) { document in
            edit(document, "records") { items in items.removeAll { $0["kind"] == "tenant" } }
        },
        Wrong(
            "a seed beyond 2^53",
            Problem(400, "WORLD_RECORD_INVALID", "/records/0/document/seed"),
            changing("tenant", "seed", "18446744073709551615")
        ),
        Wrong(
            "a delay that no setting takes",
            Problem(400, "WORLD_RECORD_INVALID", "/records/0/document/walletPropagationMs"),
            changing("tenant", "walletPropagationMs", -1)
        ),
        Wrong(
            "a counter that is behind",
            Problem(400, "WORLD_RECORD_INVALID", "/records/5/document/lastUse"),
            changing("tenant", "sequence", 0)
        ),
        Wrong(
            "a planned event that nobody knows of",
            Problem(400, "WORLD_DUE_TIME", "/records/0/document/nextDueAt"),
            changing("tenant", "nextDueAt", .null)
        ),
        Wrong(
            "a planned event at another time",
            Problem(400, "WORLD_DUE_TIME", "/records/0/document/nextDueAt"),
            changing("tenant", "nextDueAt", 5)
        ),
        Wrong("no number", Problem(400, "WORLD_NUMBER_MISSING", "/records/5")) { document in
            edit(document, "numbers") { $0.remove(at: 0) }
        },
        Wrong("a number that is none", Problem(400, "WORLD_NUMBER_INVALID", "/numbers/0/number")) { document in
            edit(document, "numbers") { $0[0] = $0[0].replacing("number", "4111 1111") }
        },
        Wrong("a number of nobody", Problem(400, "WORLD_NUMBER_OWNER", "/numbers/0/ownerId")) { document in
            edit(document, "numbers") { $0[0] = $0[0].replacing("ownerId", "DEMOBANK01/nobody") }
        },
        Wrong("a number of no such owner", Problem(400, "WORLD_NUMBER_OWNER", "/numbers/0/ownerKind")) { document in
            edit(document, "numbers") { $0[0] = $0[0].replacing("ownerKind", "device") }
        },
        Wrong("a retired number of nobody", Problem(400, "WORLD_NUMBER_OWNER", "/numbers/0/ownerId")) { document in
            edit(document, "numbers") { items in
                items.insert(["ownerKind": "retired", "ownerId": "x/1", "number": "4111111111111111"], at: 0)
            }
        },
        Wrong("two numbers of one", Problem(400, "WORLD_DUPLICATE", "/numbers/1")) { document in
            edit(document, "numbers") { $0.insert($0[0], at: 1) }
        },
        Wrong("another card's number", Problem(400, "WORLD_NUMBER_INVALID", "/numbers/0/number")) { document in
            edit(document, "numbers") { $0[0] = $0[0].replacing("number", $0[5]["number"] ?? .null) }
        },
        Wrong("a number that is not a test number", Problem(400, "PAN_NOT_TEST", "/numbers/0/number")) { document in
            edit(document, "numbers") { $0[0] = $0[0].replacing("number", "4929000000000007") }
        },
        Wrong("a card number as a token's", Problem(400, "WORLD_NUMBER_INVALID", "/numbers/5/number")) { document in
            edit(document, "numbers") { items in
                let suffix = items.last?["number"]?.string?.suffix(4) ?? ""
                let index = items.count - 1
                items[index] = items[index].replacing("number", .string("411111111111" + suffix))
                items.swapAt(index, 5)
            }
        },
    ]

    @Test(arguments: wrongs)
    func `a bad import is refused and changes nothing`(_ wrong: Wrong) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.provision(phone, .visa, .visa)
            _ = try await sandbox.manualEntry(try await sandbox.device("watch", pairedWith: phone), .visa, .visa)
            let document = try await export(sandbox)
            let bad = wrong.change(document)
            let isChanged = bad != document
            try #require(isChanged)
            let reply = try await `import`(sandbox, bad, [])
            let found = Problem(reply)
            // Which record is the first card depends on the fixtures.
            let pointer = wrong.problem.pointer.map { wanted -> String in
                guard wanted.hasPrefix("/records/5"), let index = firstCard(document) else { return wanted }
                return "/records/\(index)" + wanted.dropFirst("/records/5".count)
            }
            #expect(found == Problem(wrong.problem.status, wrong.problem.code, pointer), "\(reply.summary)")
            let isSame = try await export(sandbox) == document
            #expect(isSame)
            #expect(Leaks(numbers: ["4929000000000007", "4111111111111111"]).found(in: reply.text) == [])
        }
    }

    private func firstCard(_ document: JSON) -> Int? {
        document["records"]?.array?.firstIndex { $0["kind"] == "card" }
    }

    @Test(arguments: [("", "JSON_EMPTY"), ("{", "JSON_TRUNCATED"), ("{\"a\":1,\"a\":1}", "JSON_DUPLICATE_KEY")])
    func `an import that is not JSON is refused`(_ body: String, _ code: String) async throws {
        try await withSandbox { sandbox in
            let reply = try await sandbox.send(.control, "POST", "/v1/import", Array(body.utf8), [])
            #expect(Problem(reply).status == 400 && Problem(reply).code == code)
        }
    }

    @Test func `a member that no kind knows does not come back`() async throws {
        try await withSandbox { sandbox in
            let document = try await export(sandbox)
            let more = Self.changing("issuer", "surplus", "4111111111111111")(document)
            #expect(try await `import`(sandbox, more, []).status == 204)
            let isSame = bare(try await export(sandbox)) == bare(document)
            #expect(isSame)
        }
    }

    @Test func `requests and imports side by side see whole worlds`() async throws {
        try await withSandbox { sandbox in
            let small = try await export(sandbox)
            for _ in 0..<3 { _ = try await sandbox.device() }
            let large = try await export(sandbox)
            try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        for _ in 0..<5 {
                            if number < 2 {
                                let document = number == 0 ? small : large
                                #expect(try await `import`(sandbox, document, []).status == 204)
                            } else {
                                let reply = try await sandbox.api("GET", "/wallet/apple/devices")
                                #expect([0, 3].contains(reply["items"].array?.count), "\(reply.summary)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `an import may be larger than other bodies, and has a limit too`() async throws {
        try await withSandbox { sandbox in
            let document = try await export(sandbox)
            let card = document["records"]?.array?.first { $0["kind"] == "device" } ?? .null
            #expect(card.isNull)
            let padding = JSON.string(String(repeating: "a", count: 1 << 21))
            let large = Self.changing("issuer", "padding", padding)(document)
            #expect(try await `import`(sandbox, large, []).status == 204)
            let issuer = try await sandbox.send(.control, "POST", "/v1/issuers", large.bytes, [])
            #expect(Problem(issuer) == Problem(413, "BODY_TOO_LARGE"))
            let face = try await sandbox.send(.api, "POST", "/wallet/apple/devices", large.bytes, [])
            #expect(face.status == 413 && face.diagnosis == ["BODY_TOO_LARGE"])
        }
    }

    @Test(arguments: [
        ("/v1/import", 64 << 20, false), ("/v1/import", 64 << 20 + 1, true), ("/v1/cards", 1 << 20, false),
        ("/v1/cards", 1 << 20 + 1, true),
    ])
    func `a body is refused by its announced length, before it arrives`(
        _ path: String,
        _ length: Int,
        _ isRefused: Bool
    ) async throws {
        try await withSandbox { sandbox in
            let headers = HTTPHeaders([(.contentLength, String(length)), (.contentType, "application/json")])
            let head = HTTPRequest(method: .post, target: path, headers: headers)
            let refusal = await sandbox.application.control.refusal(of: head)
            #expect(refusal?.status == (isRefused ? 413 : nil))
            #expect((refusal?.headers[.sandboxDiagnosis] == "BODY_TOO_LARGE") == isRefused)
        }
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
