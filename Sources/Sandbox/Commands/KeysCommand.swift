import Core
import Crypto
import Networks
import Resources
import Wire

/// `keys`: makes every key of a folder anew, in the places and forms that `keys/README.md` lists, or writes those that are
/// part of the program into a folder.
enum KeysCommand {
    /// The certificates outlive any test: 30 years.
    private static let lifeSeconds: Int64 = 30 * 365 * 86_400

    static var syntax: CommandSyntax {
        CommandSyntax(
            "keys",
            "make the keys of a folder anew, or write the built-in ones into one",
            options: [
                CommandOption("keys", "DIR", "make the keys of this folder anew, all but tls/"),
                CommandOption("export", "DIR", "write the built-in keys into this folder"),
            ],
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        if let folder = options.value("export") {
            guard options.value("keys") == nil else {
                throw UsageFault("--export writes the built-in keys: leave --keys out")
            }
            try export(to: folder, terminal)
            return .success
        }
        guard let folder = options.value("keys") else {
            throw UsageFault(
                "which keys? --keys DIR makes those of a folder anew, --export DIR writes the built-in ones"
            )
        }
        let maker = KeyFolder(folder: folder, notBefore: Instant(seconds: terminal.now().seconds), life: lifeSeconds)
        for file in try maker.makeAll() { terminal.print(file) }
        return .success
    }

    /// Writes the keys that are part of the program.
    private static func export(to folder: String, _ terminal: Terminal) throws {
        let prefix = "keys/"
        for (name, bytes) in Resources.files.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            let path = folder + "/" + name.dropFirst(prefix.count)
            try Files.write(String(decoding: bytes, as: UTF8.self), to: path)
            terminal.print(path)
        }
    }
}

/// Makes the files of a key folder.
private struct KeyFolder {
    let folder: String
    let notBefore: Instant
    let life: Int64

    private var notAfter: Instant { notBefore.adding(seconds: life) }

    /// - Returns: the files that were written.
    func makeAll() throws -> [String] {
        var files: [String] = []
        for (keyID, name) in KeyringLoader.payloadKeys {
            let key = try PrivateKey.generateRSA(bits: keyID.hasSuffix("4096") ? 4_096 : 2_048)
            let certificate = try CertificateBuilder.payload(
                keyId: keyID,
                serialNumber: try serialNumber(),
                notBefore: notBefore,
                notAfter: notAfter
            ).selfSigned(by: key)
            files += [try write(name + ".key.pem", key.pem), try write(name + ".cert.pem", certificate.pem)]
        }
        files += try pair("tsh/tav", .generateRSA(bits: 2_048))
        for issuer in ["DEMOBANK01", "DEMOBANK02"] {
            var made: Set<String> = []
            for use in FaceCatalog.all.flatMap(\.tokenUses) where made.insert(use.signing.file).inserted {
                let isRSA = use.algorithms.allSatisfy { $0.keyKind == .rsa }
                files += try pair(
                    "issuers/\(issuer)/\(use.signing.file)",
                    isRSA ? .generateRSA(bits: 2_048) : .generateP256()
                )
            }
            files += try pair("issuers/\(issuer)/tav", .generateRSA(bits: 2_048))
        }
        for key in FaceCatalog.all.flatMap(\.keys) {
            switch key.kind {
            case .p256: files += try pair(key.path, .generateP256())
            case .rsa2048: files += try pair(key.path, .generateRSA(bits: 2_048))
            }
        }
        return files + (try apple())
    }

    private func apple() throws -> [String] {
        let rootKey = try PrivateKey.generateP256()
        let root = try authority("tsp-sandbox Test Apple Root CA - G3", pathLength: nil).selfSigned(by: rootKey)
        let subKey = try PrivateKey.generateP256()
        let subCA = try authority("tsp-sandbox Test Apple Worldwide Developer Relations CA - G2", pathLength: 0)
            .issued(to: subKey.publicKey, by: root, key: rootKey)
        return [
            try write("apple/root.key.pem", rootKey.pem), try write("apple/root.cert.pem", root.pem),
            try write("apple/sub-ca.key.pem", subKey.pem), try write("apple/sub-ca.cert.pem", subCA.pem),
        ]
    }

    private func authority(_ name: String, pathLength: Int?) throws -> CertificateBuilder {
        .authority(
            commonName: name,
            serialNumber: try serialNumber(),
            notBefore: notBefore,
            notAfter: notAfter,
            pathLength: pathLength
        )
    }

    private func pair(_ name: String, _ key: PrivateKey) throws -> [String] {
        [try write(name + ".key.pem", key.pem), try write(name + ".pub.pem", key.publicKey.pem)]
    }

    private func serialNumber() throws -> [UInt8] { [0x01] + (try SecureRandom.bytes(15)) }

    private func write(_ file: String, _ text: String) throws -> String {
        try Files.write(text, to: folder + "/" + file)
        return folder + "/" + file
    }
}
