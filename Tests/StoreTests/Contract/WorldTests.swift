import Core
import Testing
import Wire

/// Whole worlds: stamped, read, replaced, kept as snapshots, and found by a credential.
@Suite("Store contract: worlds")
struct WorldTests {
    private static let card = VaultOwner(kind: "card", id: "a")
    private static let stamp = WorldStamp(version: 7, epoch: 2)

    private func fill(_ store: any Store) async throws {
        try await store.write(.default) { writer throws in
            try writer.put("b", 1, keys: [RecordKey("colour", "red")])
            try writer.put("a", 2, keys: [RecordKey("colour", "red"), RecordKey("size", "small")])
            try writer.setNumber("4111111111111111", of: Self.card)
            try writer.setStamp(Self.stamp)
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a world has the stamp that was set last, until it is removed`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            #expect(try await store.read(.default) { try $0.stamp() } == nil)
            #expect(try await store.read(.default) { try $0.tenants() } == [])
            try await fill(store)
            #expect(try await store.read(.default) { try $0.stamp() } == Self.stamp)
            let next = WorldStamp(version: 1 << 60, epoch: 3)
            await #expect(throws: Refusal()) {
                try await store.write(.default) { writer throws in
                    try writer.setStamp(next)
                    #expect(try writer.stamp() == next)
                    throw Refusal()
                }
            }
            #expect(try await store.read(.default) { try $0.stamp() } == Self.stamp)
            try await store.write(.other) { try $0.setStamp(next) }
            #expect(try await store.read(.other) { try $0.stamp() } == next)
            #expect(try await store.read(.default) { try $0.tenants() } == [.default, .other])
            try await store.write(.default) { try $0.replaceWorld(with: nil) }
            #expect(try await store.read(.default) { try $0.stamp() } == nil)
            #expect(try await store.read(.default) { try $0.world(of: .default) } == nil)
            #expect(try await store.read(.default) { try $0.tenants() } == [.other])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a world that was read is written elsewhere, in one piece and in order`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await fill(store)
            #expect(try await store.read(.other) { try $0.world(of: .other) } == nil)
            try await store.write(.other) { writer throws in
                try writer.put("old")
                try writer.setNumber("4000000000000002", of: VaultOwner(kind: "card", id: "old"))
                let world = try writer.world(of: .default)
                try writer.replaceWorld(with: world)
                #expect(try writer.ids(RecordKey("colour", "red")) == ["b", "a"])
                try writer.setStamp(Self.stamp)
            }
            let (first, second) = try await store.read(.other) { reader throws in
                #expect(try reader.value("old") == nil && reader.value("a") == 2)
                #expect(try reader.ids() == ["b", "a"] && reader.ids(RecordKey("size", "small")) == ["a"])
                #expect(try reader.owners(ofNumber: "4111111111111111") == [Self.card])
                #expect(try reader.owners(ofNumber: "4000000000000002") == [])
                return (try reader.world(of: .default), try reader.world(of: .other))
            }
            #expect(first == second && first?.rows.map(\.id) == ["b", "a"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a replacement that fails changes nothing`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await fill(store)
            let before = try await store.read(.default) { try $0.world(of: .default) }
            for world in [StoredWorld(), nil] {
                await #expect(throws: Refusal.self) {
                    try await store.write(.default) { writer throws in
                        try writer.replaceWorld(with: world)
                        throw Refusal()
                    }
                }
            }
            #expect(try await store.read(.default) { try $0.world(of: .default) } == before)
            #expect(try await store.read(.default) { try $0.stamp() } == Self.stamp)
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a snapshot outlives what is done to the world`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await fill(store)
            let at = Instant(milliseconds: 1_234)
            let (made, before) = try await store.write(.default) { writer throws in
                let world = try #require(try writer.world(of: .default))
                return (try writer.keepSnapshot("one", at: at, world), world)
            }
            try await store.write(.default) { writer throws in
                try writer.replaceWorld(with: nil)
                try writer.put("c")
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.snapshots() == [made] && made.at == at && made.records == 2 && made.bytes > 0)
                #expect(try reader.snapshot("one") == before && reader.snapshot("two") == nil)
                // The snapshot's numbers are nobody's.
                #expect(try reader.owners(ofNumber: "4111111111111111") == [])
            }
            #expect(try await store.read(.other) { try $0.snapshots() } == [])
            #expect(try await store.read(.other) { try $0.snapshot("one") } == nil)
            let removed = try await store.write(.default) {
                [try $0.removeSnapshot("one"), try $0.removeSnapshot("one")]
            }
            #expect(removed == [true, false])
            #expect(try await store.read(.default) { try $0.snapshot("one") } == nil)
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a credential leads to the tenants with a record that has it`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            func put(_ tenant: TenantName, _ kind: String, _ keys: [RecordKey], over: [RecordKey]? = nil) async throws {
                let row = StoredWorld.Row(kind: kind, id: "one", keys: keys, document: JSON.bool(true).bytes)
                try await store.write(tenant) {
                    try $0.put(row, over: over)
                    try $0.setStamp(Self.stamp)
                }
            }
            func holders(_ digest: String) async throws -> [TenantName] {
                try await store.read(.default) { try $0.tenants(holdingCredential: digest) }
            }
            try await put(.other, "issuer", [.credential("a"), .credential("b")])
            try await put(.default, "session", [.credential("b"), RecordKey("name", "c")])
            try await put(.default, "bearer", [.credential("b")])
            #expect(try await holders("a") == [.other])
            #expect(try await holders("b") == [.default, .other])
            #expect(try await holders("c") == [])
            #expect(try await holders("one") == [])
            try await put(.other, "issuer", [], over: [.credential("a"), .credential("b")])
            #expect(try await holders("a") == [])
        }
    }
}
