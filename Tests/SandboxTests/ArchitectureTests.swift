import FoundationEssentials
import SandboxTesting
import Testing

/// What the compiler does not see: where things stand, and what no source may hold (DESIGN, section 4).
struct ArchitectureTests {
    private struct Source {
        let path: String
        let text: String

        var lineCount: Int { text.utf8.count { $0 == 0x0A } }
    }

    private static func sources(_ folder: String) throws -> [Source] {
        let root = packageRoot + "/" + folder
        return try FileManager.default.subpathsOfDirectory(atPath: root).sorted().filter { $0.hasSuffix(".swift") }
            .map { Source(path: "\(folder)/\($0)", text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
    }

    /// A face's folder under `Sources/Networks`.
    private static func faces() throws -> [String] {
        let folders = Set(
            try sources("Sources/Networks").map { $0.path.split(separator: "/") }.filter { $0.count > 3 }.map {
                String($0[2])
            }
        )
        return folders.subtracting(["Shared"]).sorted()
    }

    private static func words(of text: String) -> Set<Substring> {
        Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }

    /// Types that other files can name.
    private static func types(in text: String) -> Set<Substring> {
        var types: Set<Substring> = []
        for line in text.split(separator: "\n") where line.first?.isWhitespace == false && !line.hasPrefix("private") {
            let words = line.split(separator: " ")
            guard
                let index = words.firstIndex(where: { ["struct", "enum", "class", "protocol", "actor"].contains($0) }),
                index + 1 < words.count, !line.hasPrefix("//")
            else { continue }
            types.insert(words[index + 1].prefix { $0.isLetter || $0.isNumber })
        }
        return types
    }

    @Test func `each face has its network, its line in the catalogue, its tests and its fixtures`() throws {
        let faces = try Self.faces()
        #expect(faces.contains("TPC") && faces.contains("Wallet"))
        let catalogue = try String(
            contentsOfFile: packageRoot + "/Sources/Networks/FaceCatalog.swift",
            encoding: .utf8
        )
        let listed = Self.words(of: catalogue).filter { $0.hasSuffix("Face") && $0 != "Face" }
        #expect(Set(faces.map { $0 + "Face" }) == Set(listed.map(String.init)))
        var missing: [String] = []
        for face in faces {
            let wanted = [
                "Sources/Networks/\(face)/\(face)Face.swift", "Sources/Networks/\(face)/\(face)Errors.swift",
                "Tests/NetworksTests/\(face)", "fixtures/\(face.lowercased())",
            ]
            missing += wanted.filter { !FileManager.default.fileExists(atPath: packageRoot + "/" + $0) }
        }
        #expect(missing == [])
    }

    @Test func `no face uses a type of its sibling`() throws {
        let faces = try Self.faces()
        let sources = try Self.sources("Sources/Networks")
        func files(_ face: String) -> [Source] { sources.filter { $0.path.hasPrefix("Sources/Networks/\(face)/") } }
        var used: [String] = []
        for face in faces {
            let own = files(face).reduce(into: Set<Substring>()) { $0.formUnion(Self.types(in: $1.text)) }
            #expect(own.contains(Substring(face + "Face")))
            for sibling in faces where sibling != face {
                let others = files(sibling)
                let theirs = others.reduce(into: Set<Substring>()) { $0.formUnion(Self.types(in: $1.text)) }
                for file in others {
                    let foreign = Self.words(of: file.text).intersection(own.subtracting(theirs))
                    used += foreign.map { "\(file.path) uses \($0)" }
                }
            }
        }
        #expect(used == [])
    }

    @Test func `a face changes its world in one way`() throws {
        let own = try Self.sources("Sources/Networks").filter { $0.text.contains("worlds.write") }
        #expect(own.map(\.path) == [])
    }

    @Test func `files stay short enough to read`() throws {
        let long =
            try Self.sources("Sources").filter { $0.lineCount > 500 }
            + Self.sources("Tests").filter { $0.lineCount > 600 }
        #expect(long.map(\.path) == [])
    }

    /// Where the process has no way on: OpenSSL lacks a basic algorithm, or memory.
    private static let hopeless: Set<String> = [
        "Sources/Crypto/Primitives/Algorithms.swift", "Sources/Crypto/Primitives/Hash.swift",
    ]

    @Test func `sources hold none of the words that are forbidden`() throws {
        // The words are put together here, so that this file could be searched too.
        let forbidden = ["fatal" + "Error(", "try" + "! ", "as" + "! ", "TO" + "DO", "FIX" + "ME"]
        let imports = ["import Foun" + "dation", "import XC" + "Test"]
        var found: [String] = []
        for source in try Self.sources("Sources") {
            let isHopeless = Self.hopeless.contains(source.path)
            let words = isHopeless ? Array(forbidden.dropFirst()) : forbidden
            found += words.filter { source.text.contains($0) }.map { "\(source.path): \($0)" }
            for line in source.text.split(separator: "\n") where imports.contains(where: { line.hasSuffix($0) }) {
                found.append("\(source.path): \(line)")
            }
        }
        #expect(found == [])
    }
}
