import Core
import Testing
import Wire

@Suite("Store contract: documents")
struct DocumentTests {
    @Test(arguments: Conformer.allCases)
    func `a record without keys that is there already is replaced`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            for _ in 0..<2 {
                try await store.write(.default) { writer in
                    try writer.put("a", 1)
                    try writer.put("b", 1)
                    try writer.put("a", 2)
                }
            }
            let value = try await store.value("a")
            #expect(value == 2)
            #expect(try await store.ids() == ["a", "b"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a document is given back as it was put`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let text: JSON = ["z": 1, "a": "é\u{0}\"\\/", "n": nil, "d": .number("1.50"), "l": [true, []], "": ""]
            let row = StoredWorld.Row(kind: "thing", id: "", keys: [], document: text.bytes)
            try await store.write(.default) { writer in try writer.put(row, over: nil) }
            try await store.read(.default) { reader throws in
                #expect(try reader.document(kind: "thing", id: "") == row.document)
                #expect(
                    try reader.documents(kind: "thing", key: nil) == [StoredDocument(id: "", bytes: row.document)]
                )
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `what was never put is not found`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { writer in try writer.put("a") }
            try await store.read(.default) { reader throws in
                #expect(try reader.document(kind: "thing", id: "b") == nil)
                #expect(try reader.document(kind: "other", id: "a") == nil)
                #expect(try reader.documents(kind: "other", key: nil) == [])
                #expect(try reader.ids(RecordKey("colour", "red")) == [])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a replaced record keeps its place`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let key = RecordKey("colour", "red")
            try await store.write(.default) { writer in
                for id in ["c", "a", "b"] { try writer.put(id, keys: [key]) }
            }
            try await store.write(.default) { writer in try writer.put("a", 2, keys: [key], over: [key]) }
            try await store.read(.default) { reader throws in
                #expect(try reader.ids() == ["c", "a", "b"])
                #expect(try reader.ids(key) == ["c", "a", "b"])
                #expect(try reader.value("a") == 2)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a put replaces the keys`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let red = RecordKey("colour", "red")
            let blue = RecordKey("colour", "blue")
            let small = RecordKey("size", "small")
            try await store.write(.default) { writer in try writer.put("a", keys: [red, small, red]) }
            try await store.write(.default) { writer in
                try writer.put("a", keys: [small, blue], over: [red, small, red])
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.ids(red) == [])
                #expect(try reader.ids(blue) == ["a"])
                #expect(try reader.ids(small) == ["a"])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a removed record is found no more, by id or by key`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let key = RecordKey("colour", "red")
            try await store.write(.default) { writer in
                for id in ["a", "b", "c"] { try writer.put(id, keys: [key]) }
            }
            try await store.write(.default) { writer in
                try writer.remove(kind: "thing", id: "b")
                try writer.remove(kind: "thing", id: "never put")
            }
            try await store.write(.default) { writer in
                try writer.remove(kind: "thing", id: "c")
                try writer.put("c", keys: [key])
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.value("b") == nil)
                #expect(try reader.ids() == ["a", "c"])
                #expect(try reader.ids(key) == ["a", "c"])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `documents come in parts, in order of creation`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { writer in for id in ["d", "c", "b"] { try writer.put(id) } }
            try await store.write(.other) { writer in try writer.put("x") }
            try await store.write(.default) { writer in
                try writer.remove(kind: "thing", id: "c")
                try writer.put("a")
                try writer.put("b", 2, over: [])
                #expect(try writer.documents(kind: "thing", after: "b", limit: 9).map(\.id) == ["a"])
            }
            try await store.read(.default) { reader throws in
                func part(_ after: String?, _ limit: Int) throws -> [String] {
                    try reader.documents(kind: "thing", after: after, limit: limit).map(\.id)
                }
                #expect(try part(nil, 2) == ["d", "b"])
                #expect(try part("b", 2) == ["a"])
                #expect(try part("d", 1) == ["b"])
                #expect(try part("a", 1) == [])
                #expect(try part("c", 9) == [])
                #expect(try part("x", 9) == [])
                #expect(try reader.documents(kind: "other", after: nil, limit: 9) == [])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `the size of a world is that of its documents in bytes`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let row = StoredWorld.Row(kind: "thing", id: "a", keys: [], document: JSON("é").bytes)
            try await store.write(.default) { writer in
                try writer.put(row, over: nil)
                #expect(try writer.size(of: .default) == 4)
                #expect(try writer.size(of: .other) == 0)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `tenants do not see each other`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            let key = RecordKey("colour", "red")
            let owner = VaultOwner(kind: "card", id: "1")
            for (tenant, value) in [(TenantName.other, JSON("other")), (.default, "default")] {
                try await store.write(tenant) { writer in
                    try writer.put("a", value, keys: [key])
                    try writer.setNumber("4000001234567899", of: owner)
                }
            }
            try await store.write(.other) { writer in try writer.replaceWorld(with: nil) }
            try await store.read(.other) { reader throws in
                #expect(try reader.ids() == [])
                #expect(try reader.ids(key) == [])
                #expect(try reader.number(of: owner) == nil)
                #expect(try reader.owners(ofNumber: "4000001234567899") == [])
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.value("a") == "default")
                #expect(try reader.ids(key) == ["a"])
                #expect(try reader.owners(ofNumber: "4000001234567899") == [owner])
            }
        }
    }
}
