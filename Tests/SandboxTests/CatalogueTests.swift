import Sandbox
import Testing
import Wire

/// The diagnosis codes as one list, and `Docs/errors.md`, which is made from it.
struct CatalogueTests {
    @Test func `every code has a name of its own in upper snake case`() {
        let names = SandboxApplication.diagnosisCodes.map(\.name)
        let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(repeated == [])
        let odd = names.filter { name in
            let parts = name.split(separator: "_", omittingEmptySubsequences: false)
            let isWord = parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
            }
            return !isWord || parts.first?.first?.isNumber == true
        }
        #expect(odd == [])
        #expect(names.count > 300)
    }

    @Test func `every cause and cure is a sentence`() {
        let unfinished = SandboxApplication.diagnosisCodes.filter { code in
            !code.cause.hasSuffix(".") || !code.cure.hasSuffix(".") || code.cause.contains("\n")
        }
        #expect(unfinished.map(\.name) == [])
    }

    @Test func `Docs/errors.md lists the codes as they are`() throws {
        try Golden.check("Docs/errors.md", ErrorDocument.text)
    }
}
