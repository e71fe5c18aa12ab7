import Crypto
import FoundationEssentials
import SandboxTesting
import Testing
import Wire

@testable import Sandbox

/// What `serve` and `check` say of files for the TLS port that cannot be used. Nothing is ever asked on a terminal.
struct TLSFileTests {
    private static let tls = packageRoot + "/keys/tls/"

    /// The files in a folder, each a slip that teams made.
    private static func write(to folder: String) throws {
        let key = try String(contentsOfFile: tls + "server.key.pem", encoding: .utf8)
        let pem = try PEM.blocks(in: key)[0]
        let certificate = try String(contentsOfFile: tls + "server.cert.pem", encoding: .utf8)
        let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n"
        let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END RSA PRIVATE KEY-----\n"
        let files: [String: [UInt8]] = [
            "locked": Array(locked.utf8), "locked-old": Array(old.utf8), "empty": [],
            "key.der": pem.bytes, "cert.der": try PEM.blocks(in: certificate)[0].bytes,
            "store.p12": DER.sequence(DER.integer(3), DER.sequence(DER.oid(OID(1, 2, 840, 113_549, 1, 7, 1)))),
            "ec.key": Array(try PrivateKey.generateP256().pem.utf8),
            "rsa.key": Array(try PrivateKey.generateRSA(bits: 2_048).pem.utf8),
        ]
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
        try FileManager.default.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: false)
    }

    /// By the flag that names the file, and what is said of it.
    private static let slips: [(flag: String, file: String, words: String)] = [
        ("--tls-key", "locked", "has a passphrase"), ("--tls-key", "locked-old", "has a passphrase"),
        ("--tls-key", "missing", "no such file"), ("--tls-key", "folder", "is a folder"),
        ("--tls-key", "empty", "no private key in it, in PEM"), ("--tls-key", "key.der", "is DER, and PEM is wanted"),
        ("--tls-key", "store.p12", "is PKCS#12, and PEM is wanted"),
        ("--tls-key", "ec.key", "is not the key of"), ("--tls-key", "rsa.key", "is not the key of"),
        ("--tls-key", tls + "server.cert.pem", "may be swapped"),
        ("--tls-cert", tls + "server.key.pem", "may be swapped"),
        ("--tls-cert", "missing", "no such file"), ("--tls-cert", "folder", "is a folder"),
        ("--tls-cert", "empty", "no certificate in it, in PEM"),
        ("--tls-cert", "cert.der", "is DER, and PEM is wanted"),
        ("--tls-cert", "store.p12", "is PKCS#12, and PEM is wanted"), ("--client-ca", "missing", "no such file"),
        ("--client-ca", "cert.der", "is DER, and PEM is wanted"),
    ]

    @Test(arguments: ["check", "serve"])
    func `row 105: a TLS file that cannot be used ends the start with file and cause`(_ command: String) async throws {
        try await withFolder { folder in
            try Self.write(to: folder)
            for slip in Self.slips {
                let file = slip.file.hasPrefix("/") ? slip.file : "\(folder)/\(slip.file)"
                var files = ["--tls-cert": Self.tls + "server.cert.pem", "--tls-key": Self.tls + "server.key.pem"]
                files[slip.flag] = file
                let outcome = await TestTerminal.run(
                    [command, "--port", "0", "--control-port", "0", "--store", "memory", "--tls-port", "0"]
                        + files.flatMap { [$0.key, $0.value] }
                )
                #expect(outcome.exit == .failure, "\(slip)")
                #expect(
                    outcome.errors.contains("\(file): ") && outcome.errors.contains(slip.words),
                    "\(outcome.errors)"
                )
            }
        }
    }
}
