import Core
import Testing

@Suite("Store contract: vault")
struct VaultTests {
    private let first = VaultOwner(kind: "card", id: "1")
    private let second = VaultOwner(kind: "token", id: "1")

    @Test(arguments: Conformer.allCases)
    func `a number is found by its owner, and its owners by the number`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { [first, second] writer in
                try writer.setNumber("4000001234567899", of: second)
                try writer.setNumber("4000001234567899", of: first)
            }
            try await store.read(.default) { [first, second] reader throws in
                #expect(try reader.number(of: first) == "4000001234567899")
                #expect(try reader.owners(ofNumber: "4000001234567899") == [second, first])
                #expect(try reader.owners(ofNumber: "4000001234567898") == [])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a number set again replaces the one before`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { [first] writer in
                try writer.setNumber("4000001234567899", of: first)
                try writer.setNumber("5555341244441115", of: first)
            }
            try await store.read(.default) { [first] reader throws in
                #expect(try reader.number(of: first) == "5555341244441115")
                #expect(try reader.owners(ofNumber: "4000001234567899") == [])
                #expect(try reader.owners(ofNumber: "5555341244441115") == [first])
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func `a removed number is gone`(_ conformer: Conformer) async throws {
        try await withStore(conformer) { store async throws in
            try await store.write(.default) { [first, second] writer in
                try writer.setNumber("4000001234567899", of: first)
                try writer.setNumber("4000001234567899", of: second)
                try writer.setNumber(nil, of: first)
            }
            try await store.read(.default) { [first, second] reader throws in
                #expect(try reader.number(of: first) == nil)
                #expect(try reader.owners(ofNumber: "4000001234567899") == [second])
            }
        }
    }
}
