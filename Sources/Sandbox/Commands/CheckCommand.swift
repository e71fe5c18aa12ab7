import Core
import Crypto
import Masking
import Traffic
import Wire

/// `check`: reads the configuration as `serve` does, shows where each setting comes from, and loads keys and
/// fixtures. Opens no port and no store.
enum CheckCommand {
    /// - Throws: ``UsageFault`` for a setting that does not exist or has a wrong value; for what `serve` finds at its start, what
    ///   it throws.
    static func run(_ arguments: [String], _ terminal: Terminal) async throws {
        let read = try ConfigurationReader.readAll(arguments, environment: terminal.environment) { path in
            do {
                return try Files.text(path)
            } catch {
                throw UsageFault(String(describing: error))
            }
        }
        for entry in read.settings {
            terminal.print("\(entry.setting.rawValue) = \(shown(entry.setting, entry.text)) (\(entry.origin))")
        }
        if read.configuration.controlIsExposed, read.configuration.controlToken == nil {
            terminal.complain(
                "tsp-sandbox: control-host is not a loopback address: serve makes a control-token and prints it once"
            )
        }
        for name in terminal.environment.keys.sorted() where isStranger(name) {
            terminal.complain("tsp-sandbox: \(Masking.excerpt(name, 80)) is not a setting, and is ignored")
        }
        try await load(read.configuration, terminal)
    }

    /// A world of the fixtures, made and thrown away.
    private static func load(_ configuration: SandboxConfiguration, _ terminal: Terminal) async throws {
        if let tls = configuration.tls { try check(tls) }
        var configuration = configuration
        configuration.store = .memory
        let platform = SandboxApplication.Platform(now: terminal.now, newSeed: { 0 }, log: .none)
        let application = try await SandboxApplication.build(configuration, platform)
        let counts: (issuers: Int, cards: Int)
        do {
            counts = try await application.worlds.read(.default) { view in
                (try view.store.records(Issuer.self).count, try view.store.records(Card.self).count)
            }
        } catch {
            await application.close()
            throw error
        }
        await application.close()
        terminal.print("keys and fixtures can be read: \(counts.issuers) issuers, \(counts.cards) cards")
    }

    /// The files of the TLS port: each can be read, and the key is the certificate's.
    private static func check(_ tls: SandboxConfiguration.TLS) throws {
        let certificate = try readCertificate(tls.certificateFile)
        let key = try parsed(tls.keyFile, "private key") { try PrivateKey(pem: $0) }
        guard certificate.publicKey == key.publicKey else {
            throw FileFault(path: tls.keyFile, reason: "is not the key of \(tls.certificateFile)")
        }
        if let file = tls.clientCAFile { _ = try readCertificate(file) }
    }

    private static func readCertificate(_ file: String) throws -> Certificate {
        try parsed(file, "certificate") { try Certificate(pem: $0) }
    }

    /// - Parameter what: what the file is to hold.
    private static func parsed<Value>(
        _ file: String,
        _ what: String,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let text = try Files.text(file)
        guard text.contains("-----BEGIN ") else { throw FileFault(path: file, reason: "no \(what) in it, in PEM") }
        do {
            return try parse(text)
        } catch {
            throw FileFault(path: file, reason: "no \(what) that can be used: \(error)")
        }
    }

    /// The value, without what nobody may read over a shoulder or in a build log.
    private static func shown(_ setting: Setting, _ text: String?) -> String {
        guard let text else { return "none" }
        if setting == .controlToken { return "***" }
        // The user information of a URL ends with the last @ before its path.
        guard let scheme = text.firstRange(of: "://"), let at = text[scheme.upperBound...].lastIndex(of: "@") else {
            return text
        }
        return text[..<scheme.upperBound] + "***" + text[at...]
    }

    /// A variable that looks like a setting and is not one, `TSP_SANDBOX_PROT` for example.
    private static func isStranger(_ name: String) -> Bool {
        name.hasPrefix("TSP_SANDBOX_") && !Setting.allCases.contains { $0.environmentVariable == name }
    }
}
