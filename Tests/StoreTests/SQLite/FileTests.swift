import Core
import Glibc
import Testing
import Wire

@testable import Store

@Suite("Store file")
struct FileTests {
    @Test func `the file and what is beside it are for the owner only`() async throws {
        let directory = try TestDirectory()
        try await withStore(StoreConfiguration(.file(directory.file("deep/er/store.db")))) { store async throws in
            try await store.write(.default) { writer in try writer.put("a") }
            #expect(try directory.mode("deep") == 0o700)
            #expect(try directory.mode("deep/er") == 0o700)
            for name in ["store.db", "store.db-wal", "store.db.lock"] {
                #expect(try directory.mode("deep/er/" + name) == 0o600, "\(name)")
            }
        }
    }

    @Test func `row 108: a second server is refused until the first has closed`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        try await withStore(configuration) { store async throws in
            let fault = try await refusal(of: configuration)
            #expect(fault.reason == .inUse)
            #expect(fault.message.contains("Another server"))
            #expect(fault.message.contains("store.db.lock"))
            try await store.write(.default) { writer in try writer.put("a") }
        }
        try await withStore(configuration) { store async throws in
            #expect(try await store.ids() == ["a"])
        }
    }

    @Test(arguments: [symlink, link])
    func `another name of the file is not a way around the lock`(
        _ make: @Sendable (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    ) async throws {
        let directory = try TestDirectory()
        try await withStore(StoreConfiguration(.file(directory.file("store.db")))) { store async throws in
            #expect(make(directory.file("store.db"), directory.file("other.db")) == 0)
            let other = StoreConfiguration(.file(directory.file("other.db")))
            #expect(try await refusal(of: other).reason == .inUse)
            try await store.write(.default) { writer in try writer.put("a") }
        }
        try await withStore(StoreConfiguration(.file(directory.file("other.db")))) { store async throws in
            #expect(try await store.ids() == ["a"])
        }
    }

    @Test func `a closed store keeps everything, in one file`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        let owner = VaultOwner(kind: "card", id: "1")
        let key = RecordKey("colour", "red")
        try await withStore(configuration) { store async throws in
            try await store.write(.default) { writer in
                try writer.put("a", 5, keys: [key])
                try writer.setNumber("4000001234567899", of: owner)
            }
        }
        #expect(try directory.names() == ["store.db", "store.db.lock"])
        try await withStore(configuration) { store async throws in
            try await store.read(.default) { reader throws in
                #expect(try reader.value("a") == 5)
                #expect(try reader.ids(key) == ["a"])
                #expect(try reader.owners(ofNumber: "4000001234567899") == [owner])
            }
        }
    }

    @Test(arguments: [StoreConfiguration.Durability.normal, .full])
    func `an answered write is in the files at once`(_ durability: StoreConfiguration.Durability) async throws {
        let directory = try TestDirectory()
        var configuration = StoreConfiguration(.file(directory.file("store.db")))
        configuration.durability = durability
        try await withStore(configuration) { store async throws in
            try await store.write(.default) { writer in try writer.put("a", 9) }
            // What a killed server leaves behind.
            try directory.copy("store.db", to: "copy.db")
            try directory.copy("store.db-wal", to: "copy.db-wal")
        }
        try await withStore(StoreConfiguration(.file(directory.file("copy.db")))) { store async throws in
            #expect(try await store.value("a") == 9)
        }
    }

    @Test func `removed numbers are in no file`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        try await withStore(configuration) { store async throws in
            for round in 0..<20 {
                try await store.write(.default) { writer in
                    // Out of order and replaced, so that pages are split and cells move.
                    for number in 0..<200 {
                        let id = number &* 7919 % 200
                        let owner = VaultOwner(kind: "card", id: "\(round)-\(id)-" + String(repeating: "x", count: id))
                        try writer.setNumber("4000001234567899", of: owner)
                        if number % 3 == 0 { try writer.setNumber("4000001234567899123", of: owner) }
                        if number % 5 == 0 { try writer.setNumber(nil, of: owner) }
                    }
                }
            }
            #expect(try directory.holds("4000001234567899"))
            try await store.write(.default) { writer in try writer.replaceWorld(with: nil) }
            #expect(try !directory.holds("4000001234567899"))
            #expect(directory.bytes("store.db-wal") == [])
        }
    }

    /// Who waited for the reader would wait for an hour.
    @Test(.timeLimit(.minutes(15))) func `an outside reader holds up no write, only the checkpoint`() async throws {
        let directory = try TestDirectory()
        var configuration = StoreConfiguration(.file(directory.file("store.db")))
        configuration.patience = 3_600_000
        try await withStore(configuration) { store async throws in
            try await store.write(.default) { writer in try writer.put("a") }
            let reader = try Database(directory.file("store.db"))
            try reader.execute("BEGIN; SELECT * FROM records")
            for _ in 0..<3 { try await store.write(.default) { writer in try writer.replaceWorld(with: nil) } }
            try reader.execute("COMMIT")
            try await store.write(.default) { writer in try writer.put("b") }
            #expect(directory.bytes("store.db-wal") == [])
        }
    }

    @Test func `a file that is not a database is refused and left alone`() async throws {
        let directory = try TestDirectory()
        let text = Array(
            "This is a letter, and longer than a header of one hundred bytes needs to be. Dear reader ...".utf8
        )
        for bytes in [text + text, Array(text[..<10])] {
            try directory.write(bytes, to: "letter")
            let fault = try await refusal(of: StoreConfiguration(.file(directory.file("letter"))))
            #expect(fault.reason == .damaged)
            #expect(directory.bytes("letter") == bytes)
        }
        #expect(try directory.names() == ["letter", "letter.lock"])
    }

    @Test func `another program's database is refused and left alone`() async throws {
        let directory = try TestDirectory()
        try directory.write([], to: "other.db")
        try Database(directory.file("other.db")).execute("PRAGMA application_id = 1; CREATE TABLE records (a)")
        let bytes = directory.bytes("other.db")
        let fault = try await refusal(of: StoreConfiguration(.file(directory.file("other.db"))))
        #expect(fault.reason == .damaged)
        #expect(directory.bytes("other.db") == bytes)
        #expect(try directory.names() == ["other.db", "other.db.lock"])
    }

    @Test func `row 108: a store that is damaged inside is refused as damaged`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        try await withStore(configuration) { _ in }
        let bytes = try #require(directory.bytes("store.db"))
        try directory.write(bytes[..<100] + [UInt8](repeating: 0xAA, count: bytes.count - 100), to: "store.db")
        #expect(try await refusal(of: configuration).reason == .damaged)
    }

    @Test func `a store that is let go without being closed frees its file`() async throws {
        let directory = try TestDirectory()
        let configuration = StoreConfiguration(.file(directory.file("store.db")))
        var store: SQLiteStore? = try await SQLiteStore.open(configuration)
        try await store?.write(.default) { writer in try writer.put("a") }
        store = nil
        var next: SQLiteStore?
        while next == nil {
            do {
                next = try await SQLiteStore.open(configuration)
            } catch let fault as StoreFault where fault.reason == .inUse {
                await Task.yield()
            }
        }
        #expect(try await next?.ids() == ["a"])
        await next?.close()
    }

    @Test func `a path that cannot be a file is refused`() async throws {
        let directory = try TestDirectory()
        try directory.write([], to: "file")
        let below = try await refusal(of: StoreConfiguration(.file(directory.file("file/store.db"))))
        #expect(below.reason == .notWritable)
        let same = try await refusal(of: StoreConfiguration(.file(directory.path)))
        #expect(same.reason == .notWritable)
    }

    @Test func `row 108: why a file was not opened is said with its path and with what to do`() async throws {
        let directory = try TestDirectory()
        try directory.write(Array("no store".utf8), to: "letter")
        try await withStore(StoreConfiguration(.file(directory.file("new.db")))) { _ in }
        try Database(directory.file("new.db")).execute("PRAGMA user_version = 9")
        try await withStore(StoreConfiguration(.file(directory.file("bent.db")))) { _ in }
        let bytes = try #require(directory.bytes("bent.db"))
        try directory.write(bytes[..<100] + [UInt8](repeating: 0xAA, count: bytes.count - 100), to: "bent.db")
        let refused: [(name: String, reason: StoreFault.Reason, cure: String)] = [
            ("letter", .damaged, "Put back a copy"), ("new.db", .newerSchema, "Start the newer version"),
            ("bent.db", .damaged, "Put back a copy"), ("letter/below.db", .notWritable, "Make room"),
        ]
        for (name, reason, cure) in refused {
            let fault = try await refusal(of: StoreConfiguration(.file(directory.file(name))))
            let text = String(describing: fault)
            #expect(fault.reason == reason, "\(name)")
            #expect(text.contains(directory.path) && text.contains(cure), "\(text)")
            #expect(!text.contains("StoreFault"), "\(text)")
        }
        try await withStore(StoreConfiguration(.file(directory.file("used.db")))) { _ in
            let fault = try await refusal(of: StoreConfiguration(.file(directory.file("used.db"))))
            #expect(String(describing: fault).contains("Stop it"))
        }
        // A disk without room for the first page.
        let full = try await refusal(of: StoreConfiguration(.file(directory.file("full.db")), maximumBytes: 4_096))
        #expect(full.reason == .notWritable)
        #expect(String(describing: full).contains("full.db: SQLite 13"))
    }
}
