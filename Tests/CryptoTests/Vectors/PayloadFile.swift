import Glibc
import Wire

@testable import Crypto

/// The payloads in `fixtures/cms`, and the keys in `keys/tsh` that they are encrypted to.
enum PayloadFile {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    /// The bytes of one payload.
    static func payload(_ name: String) throws -> [UInt8] {
        try Hex.decode(text("fixtures/cms/\(name).hex").filter { $0 != "\n" })
    }

    /// Names without their ending.
    static let names: [String] = {
        guard let folder = opendir("\(root)/fixtures/cms") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".hex") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }()

    /// `TSH-PAYLOAD-2048` or `TSH-PAYLOAD-4096`.
    static func recipient(_ bits: Int) throws -> PayloadRecipient {
        PayloadRecipient(
            keyId: "TSH-PAYLOAD-\(bits)",
            certificate: try Certificate(pem: text("keys/tsh/payload-\(bits).cert.pem")),
            privateKey: try PrivateKey(pem: text("keys/tsh/payload-\(bits).key.pem"))
        )
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen("\(root)/\(path)", "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
