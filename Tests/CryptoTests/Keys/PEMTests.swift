import Testing

@testable import Crypto

@Suite("PEM")
struct PEMTests {
    @Test func `a text has blocks up to 64 KiB`() throws {
        let block = PEM(label: "A", bytes: [1, 2, 3]).text
        let padding = String(repeating: "x", count: PEM.longest - block.utf8.count)
        #expect(try PEM.blocks(in: block + padding).map(\.bytes) == [[1, 2, 3]])
        #expect(try PEM.blocks(in: block + padding + "x").isEmpty)
    }
}
