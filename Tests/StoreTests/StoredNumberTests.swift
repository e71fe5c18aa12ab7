import Core
import Testing
import Wire

@testable import Store

/// What is stored can be read again, and what cannot is told as damage.
@Suite("What the store reads of its own documents")
struct StoredNumberTests {
    /// 2^53 + 1, which no request may send, and which a counter may reach.
    private static let beyond = JSON.number("9007199254740993")

    @Test(arguments: Backend.allCases)
    func `an integer beyond 2^53 that was counted is read again`(_ backend: Backend) async throws {
        try await withStore(backend) { store async throws in
            let snapshot = try await store.write(.default) { writer throws in
                try writer.put("a", Self.beyond)
                let world = try #require(try writer.everything(of: .default))
                // Now the document is in no cache.
                try writer.replaceEverything(with: world)
                return try writer.keepSnapshot("s", at: Instant(milliseconds: 0), world)
            }
            try await store.read(.default) { reader throws in
                #expect(try reader.value("a") == Self.beyond)
                let kept = try reader.snapshot(snapshot.id)
                #expect(kept == (try reader.everything(of: .default)))
            }
        }
    }

    @Test func `a record whose document is not one of its kind is damage`() async throws {
        try await withStore(.memory) { store async throws in
            try await store.write(.default) { writer throws in
                try writer.put(kind: Tenant.kind, id: Tenant.recordID, keys: [], document: ["seed": "none"])
            }
            let fault = await #expect(throws: StoreFault.self) {
                _ = try await store.read(.default) { reader throws in
                    try reader.record(Tenant.self, Tenant.recordID)
                }
            }
            #expect(fault?.reason == .damaged)
            #expect(fault?.message == "A document of kind tenant is none of its kind: tenant, seed.")
        }
    }
}
