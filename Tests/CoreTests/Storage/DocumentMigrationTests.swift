import Core
import Testing
import Wire

@Suite struct DocumentMigrationTests {
    private static let old: JSON = [
        "tokenId": "t", "network": "visa", "issuerId": "i", "cardReference": "r", "deviceId": "d", "serialNumber": "s",
        "suffix": "1234", "expiry": "1232", "createdAt": 1, "sessionNonce": "AQ==",
        "metadata": ["issuerId": "i", "network": "visa", "contactName": "c"], "state": "active", "suspenders": [],
        "history": [
            ["at": 1, "event": "create", "by": "network", "reason": nil, "from": nil, "to": "inactive"],
            ["at": 5, "event": "activate", "by": "issuer", "reason": "why", "from": "inactive", "to": "active"],
        ],
        "lockedMethods": ["SMS"],
    ]
    private static let keys = ["device", "card", "issuer", "serial"].map { RecordKey($0, $0 == "serial" ? "s" : $0) }

    private static func migrated(_ document: JSON, kind: String = "token") -> [DocumentMigration.Entry]? {
        DocumentMigration.passesAndHistory.replacing(
            DocumentMigration.Entry(kind: kind, id: "t", keys: keys, document: document)
        )
    }

    @Test func `a token leaves its pass and its history to records of their own`() throws {
        let entries = try #require(Self.migrated(Self.old))
        #expect(entries.map { "\($0.kind) \($0.id)" } == ["token t", "pass t", "tokenChange t/1", "tokenChange t/2"])
        #expect(entries.map { $0.keys.map(\.name) } == [["device", "card", "issuer"], ["serial"], [], []])
        let token = try Token(document: entries[0].document)
        let pass = try Pass(document: entries[1].document)
        let changes = try entries[2...].map { try TokenChange(document: $0.document) }
        #expect(token.holder == .device("d") && token.tokenRequestorID == "40010030273" && token.changes == 2)
        #expect(
            token.activeSince == Instant(milliseconds: 5) && token.document == entries[0].document.sorted(like: token)
        )
        #expect([pass.serialNumber, pass.metadata.contactName] == ["s", "c"] && pass.sessionNonce == [1])
        #expect(changes.map(\.recordID) == ["t/1", "t/2"] && changes.map(\.reason) == [nil, "why"])
        #expect(zip(entries, [token.keys, pass.keys]).allSatisfy { Set($0.keys.map(\.name)) == Set($1.map(\.name)) })
    }

    @Test(arguments: [
        ("suspended", JSON.null), ("inactive", nil), ("deleted", nil), ("active", 5),
    ])
    func `only an active token is active since`(_ state: String, _ since: JSON) {
        let token = Self.migrated(Self.old.adding("state", .string(state)))?.first
        #expect(token?.document["activeSince"] == since)
    }

    @Test func `what it does not understand, or is another kind, stays as it is`() {
        let strange: [JSON] = [
            nil, [], [:], Self.old.adding("network", "other"), Self.old.adding("tokenId", 1),
            Self.old.adding("history", [:]),
        ]
        #expect(strange.allSatisfy { Self.migrated($0) == nil })
        #expect(Self.migrated(Self.old, kind: "card") == nil)
    }
}

extension JSON {
    /// The members in the order in which the record writes them.
    fileprivate func sorted(like record: some Record) -> JSON {
        .object(JSONObject(record.document.object?.keys.map { ($0, self[$0] ?? .null) } ?? []))
    }
}
