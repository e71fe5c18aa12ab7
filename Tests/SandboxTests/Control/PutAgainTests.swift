import Core
import Crypto
import Sandbox
import SandboxTesting
import Testing
import Wire

/// An issuer that is read and put again: what nobody changed is as it was, private halves included.
struct PutAgainTests {
    private static let path = "/v1/issuers/DEMOBANK01"

    /// Key pairs for all tests; making them takes a while.
    private static let pairs = Result { try (0..<2).map { _ in try PrivateKey.generateRSA(bits: 2_048) } }

    private func keys(_ sandbox: TestSandbox) async throws -> NetworkKeys? {
        try await sandbox.application.worlds.read(.default) {
            try $0.store.record(Issuer.self, "DEMOBANK01")?.networkKeys
        }
    }

    private func tav(_ entries: [JSON]) -> JSON { ["networkKeys": ["mastercard": ["tav": .array(entries)]]] }

    @Test func `what GET answered can be put, and the same keys sign and check`() async throws {
        try await withSandbox { sandbox in
            let before = try await keys(sandbox)
            let issuer = try await sandbox.control("GET", Self.path)
            let put = try await sandbox.control("PUT", Self.path, issuer.json)
            #expect(put.status == 200 && put.json == issuer.json, "\(put.summary)")
            #expect(try await keys(sandbox) == before)
            #expect(before?.tavSigner != nil)
            for network in PaymentNetwork.allCases {
                let made = try await sandbox.provision(try await sandbox.device(), .of(network), network)
                #expect([String(made.status), made.text("decision")] == ["201", "green"], "\(network)")
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Makes the entries that are put over a held key without an alias.
        let entries: @Sendable (_ held: PrivateKey, _ other: PrivateKey) throws -> [JSON]
        /// Alias, and whether there is a private half, of each key afterwards.
        let wanted: [String]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "the public key alone",
            entries: { held, _ in [entry(held.publicKey.pem)] },
            wanted: ["- public"]
        ),
        Row(
            testDescription: "another alias",
            entries: { held, _ in [heldEntry(held.publicKey.pem, "a1")] },
            wanted: ["a1 pair"]
        ),
        Row(
            testDescription: "the same key in other lines",
            entries: { held, _ in [heldEntry(held.publicKey.pem.replacing("\n", with: "\r\n"))] },
            wanted: ["- pair"]
        ),
        Row(
            testDescription: "a key more, in front",
            entries: { [entry($1.publicKey.pem), heldEntry($0.publicKey.pem)] },
            wanted: ["- public", "- pair"]
        ),
        Row(
            testDescription: "another key",
            entries: { _, other in [entry(other.publicKey.pem)] },
            wanted: ["- public"]
        ),
        Row(testDescription: "another pair", entries: { _, other in [entry(try other.pem)] }, wanted: ["- pair"]),
        Row(testDescription: "none", entries: { _, _ in [] }, wanted: []),
    ]

    private static func entry(_ pem: String, _ alias: String? = nil) -> JSON {
        let entry: JSON = ["pem": .string(pem)]
        return alias.map { entry.adding("keyAlias", .string($0)) } ?? entry
    }

    /// As GET shows a key whose private half is held.
    private static func heldEntry(_ pem: String, _ alias: String? = nil) -> JSON {
        entry(pem, alias).adding("signs", true)
    }

    @Test func `a private half that nobody holds is refused`() async throws {
        try await withSandbox { sandbox in
            let pairs = try Self.pairs.get()
            let put = try await sandbox.control("PUT", Self.path, tav([Self.heldEntry(pairs[1].publicKey.pem)]))
            #expect(put.status == 400, "\(put.summary)")
            #expect(put["pointer"] == "/networkKeys/mastercard/tav/0/signs")
        }
    }

    /// CONTRACT 1: who registers only a public key signs by itself, and TPC signs with the TSH's key.
    @Test func `the fixtures' own public key alone makes TPC sign with the TSH's key`() async throws {
        try await withSandbox { sandbox in
            let shown = try await sandbox.control("GET", Self.path)
            let entry = try #require(shown["networkKeys"]["mastercard"]?["tav"]?.array?.first)
            #expect(entry["signs"] == true)
            let alone = tav([Self.entry(entry["pem"]?.string ?? "")])["networkKeys"] ?? .null
            let put = try await sandbox.control("PUT", Self.path, shown.json.replacing("networkKeys", alone))
            #expect(put.status == 200 && !put.text.contains("\"signs\""))
            #expect(try await keys(sandbox)?.tavSigner == nil)
            let made = try await sandbox.provision(try await sandbox.device(), .mastercard, .mastercard)
            #expect([String(made.status), made.text("decision")] == ["201", "green"], "\(made.summary)")
        }
    }

    @Test(arguments: rows)
    func `what is said of a held private half decides whether the key keeps it`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            let pairs = try Self.pairs.get()
            let first = tav([Self.entry(try pairs[0].pem)])
            #expect(try await sandbox.control("PUT", Self.path, first).status == 200)
            let entries = try row.entries(pairs[0], pairs[1])
            let put = try await sandbox.control("PUT", Self.path, tav(entries))
            #expect(put.status == 200, "\(put.summary)")
            let found = try await keys(sandbox)?.mastercard.map { key in
                "\(key.alias ?? "-") \(key.privatePEM == nil ? "public" : "pair")"
            }
            #expect(found == row.wanted)
            // The halves are of one pair.
            for key in try await keys(sandbox)?.mastercard ?? [] {
                guard let pem = key.privatePEM else { continue }
                #expect(try PrivateKey(pem: pem).publicKey == PublicKey(pem: key.publicPEM))
            }
        }
    }

    @Test func `a text with a private key beside the public one does not come back`() async throws {
        try await withSandbox { sandbox in
            let pair = try Self.pairs.get()[0]
            let text = pair.publicKey.pem + (try pair.pem)
            let document: JSON = ["keys": [["use": "authorizationCode", "pem": .string(text)]]]
            let put = try await sandbox.control("PUT", Self.path, document)
            #expect(put.status == 200 && !put.text.contains("PRIVATE"), "\(put.status)")
            #expect(put["keys"] == [["use": "authorizationCode", "pem": .string(pair.publicKey.pem)]])
        }
    }
}
