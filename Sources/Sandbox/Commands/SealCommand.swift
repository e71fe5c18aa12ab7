import Crypto
import Wire

/// `seal`: what an issuer's backend does with a card, in a shell pipeline.
enum SealCommand {
    private enum Format: String, CaseIterable {
        case hex, der, base64
    }

    static var syntax: CommandSyntax {
        CommandSyntax(
            "seal",
            "encrypt a card: JSON on standard input, the payload on standard output",
            options: [
                CommandOption("key", "KEYID", "payload key of the sandbox (\(KeyringLoader.payloadKeys[0].0))"),
                .keys,
                CommandOption("certificate", "FILE", "PEM certificate to encrypt to, in place of --key"),
                CommandOption(
                    "format",
                    Format.allCases.map(\.rawValue).joined(separator: "|"),
                    "form of the payload (hex)"
                ),
            ],
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        let name = options.value("format") ?? Format.hex.rawValue
        guard let format = Format(rawValue: name) else { throw UsageFault("--format: wanted hex, der or base64") }
        let certificate = try certificate(options)
        let plaintext = terminal.readInput()
        do {
            _ = try JSON.parse(plaintext)
        } catch {
            throw InputFault("standard input is not JSON: \(error.reason.rawValue) at byte \(error.offset)")
        }
        let sealed = try EnvelopedDataSealer.seal(plaintext, to: certificate)
        switch format {
        case .hex: terminal.print(Hex.encode(sealed))
        case .base64: terminal.print(Base64.encode(sealed))
        case .der: terminal.writeOutput(sealed)
        }
        return .success
    }

    private static func certificate(_ options: ArgumentReader.Options) throws -> Certificate {
        if let file = options.value("certificate") { return try Certificate(pem: try Files.text(file)) }
        let keyID = options.value("key") ?? KeyringLoader.payloadKeys[0].0
        guard let file = KeyringLoader.payloadKeys.first(where: { $0.0 == keyID })?.1 else {
            let known = KeyringLoader.payloadKeys.map(\.0).joined(separator: ", ")
            throw UsageFault("--key: there is no \(keyID); known: \(known). A rotated key: --certificate FILE")
        }
        return try Certificate(pem: try FileSource.keys(options.value("keys")).text(file + ".cert.pem"))
    }
}
