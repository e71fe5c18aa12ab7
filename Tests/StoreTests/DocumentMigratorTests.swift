import Testing

@testable import Store

/// A migration of documents over a store's records and snapshots.
@Suite struct DocumentMigratorTests {
    private static let token = """
        {"tokenId":"t","network":"visa","deviceId":"d","serialNumber":"s","state":"active",
        "history":[{"at":5,"event":"create","to":"active"}]}
        """

    /// A store of the schema before the migration, with tokens of which only one can be read.
    private static func old() throws -> Database {
        let database = try Database(":memory:")
        try Migrator(database: database, migrations: Array(Migration.all.prefix(3))).migrate(path: nil)
        try database.execute(
            """
            INSERT INTO records VALUES (1, 'a', 'token', 't', '\(token)'), (2, 'a', 'token', 'cut', '{"tokenId":'),
                (3, 'b', 'card', 'c', '{}'), (4, 'b', 'token', 'other', '{"network":"visa"}');
            INSERT INTO record_keys VALUES ('a', 'token', 'device', 'd', 1), ('a', 'token', 'serial', 's', 1),
                ('a', 'token', 'serial', 'x', 2);
            INSERT INTO snapshots VALUES (1, 'a', 'one', 0, 2, 9, '[["token","t",["serial","s"],\(token)],["card","c",[],{}]]'),
                (2, 'a', 'two', 0, 1, 9, 'no list');
            """
        )
        return database
    }

    @Test func `what can be read is replaced in its place, the rest stays as it is`() throws {
        let database = try Self.old()
        try Migrator(database: database, migrations: Array(Migration.all.prefix(4))).migrate(path: nil)
        func line(_ columns: String, _ table: String) throws -> String {
            try database.text("SELECT group_concat(\(columns), ', ') FROM (SELECT * FROM \(table))")
        }
        #expect(
            try line("tenant || ' ' || kind || ' ' || id", "records ORDER BY ordinal")
                == "a token t, a token cut, b card c, b token other, a pass t, a tokenChange t/1"
        )
        #expect(
            try line("document", "records WHERE id IN ('cut', 'other') ORDER BY ordinal")
                == #"{"tokenId":, {"network":"visa"}"#
        )
        #expect(
            try line("kind || ' ' || name || ' ' || value", "record_keys ORDER BY ordinal, name")
                == "token device d, token serial x, pass serial s"
        )
        #expect(try line("document ->> 'activeSince'", "records WHERE id = 't' AND kind = 'token'") == "5")
    }

    @Test func `snapshots go along, and say how much they hold`() throws {
        let database = try Self.old()
        try Migrator(database: database, migrations: Array(Migration.all.prefix(4))).migrate(path: nil)
        #expect(try database.integer("SELECT records FROM snapshots WHERE id = 'one'") == 4)
        #expect(try database.integer("SELECT bytes - length(content) FROM snapshots WHERE id = 'one'") == 0)
        #expect(try database.text("SELECT content ->> '$[1][2]' FROM snapshots WHERE id = 'one'") == #"["serial","s"]"#)
        #expect(try database.text("SELECT content FROM snapshots WHERE id = 'two'") == "no list")
        #expect(try database.integer("SELECT bytes FROM snapshots WHERE id = 'two'") == 9)
    }
}
