import Core
import Crypto
import Networks
import Wire

/// `sign`: authorization codes, issuer tokens and Mastercard activation data, with the demo issuers' keys by default.
enum SignCommand {
    static var syntax: CommandSyntax {
        CommandSyntax(
            "sign",
            "make an authorization code, another token that a face takes, or Mastercard's activation data (tav)",
            words: uses.map(\.signing.name) + ["tav"],
            options: [
                CommandOption("issuer", "ID", "the issuer, ten characters"),
                CommandOption("sub", "SUB", "what it is about: a card reference, a token id, a consumer"),
                CommandOption("aud", "AUD", "audience (the one of the token's kind)"),
                CommandOption("ttl", "SECONDS", "how long it is valid (300)"),
                CommandOption("claim", "NAME=VALUE", "one more claim; VALUE is JSON or a text", isRepeatable: true),
                CommandOption("kid", "KID", "identifier of the key (the demo issuers' own)"),
                CommandOption("key", "FILE", "PEM private key (the issuer's of --keys)"),
                CommandOption("pan", "PAN", "tav: card number"),
                CommandOption("exp", "MMYY", "tav: expiry of the card"),
                CommandOption(
                    "version",
                    TAV.Version.allCases.map(\.rawValue).joined(separator: "|"),
                    "tav: version of the format (3)"
                ),
                CommandOption("valid-until", "TIME", "tav: its end, such as 2030-01-01T00:00:00Z (in 30 minutes)"),
                CommandOption("key-alias", "ALIAS", "tav: alias of the key (that of the fixtures)"),
                .keys, .fixtures,
            ],
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        if let use = uses.first(where: { $0.signing.name == options.word }) {
            terminal.print(try token(use, options, terminal.now()))
        } else {
            terminal.print(try tav(options, terminal.now()))
        }
        return .success
    }

    /// What the faces take.
    private static var uses: [SignedTokenUse] { FaceCatalog.all.flatMap(\.tokenUses) }

    private static func token(_ use: SignedTokenUse, _ options: ArgumentReader.Options, _ now: Instant) throws -> String
    {
        let issuer = try options.required("issuer")
        var claims = try claims(
            options,
            issuer: issuer,
            audience: options.value("aud") ?? use.signing.audience(issuer, nil),
            now
        )
        for (name, value) in try use.signing.claims(nil).members where claims[name] == nil {
            claims = claims.adding(name, value)
        }
        let key = try key(options, issuer: issuer, file: use.signing.file)
        guard let algorithm = use.algorithms.first(where: { $0.keyKind == key.kind }) else {
            throw UsageFault("--key: no algorithm of this token fits the key")
        }
        let kid = options.value("kid") ?? use.signing.keyID(of: issuer)
        return try JWSSigner.sign(claims, algorithm, key: key, kid: kid)
    }

    private static func tav(_ options: ArgumentReader.Options, _ now: Instant) throws -> String {
        let issuer = try options.required("issuer")
        guard let pan = PAN(try options.required("pan")) else { throw UsageFault("--pan: 12 to 19 digits") }
        guard let expiry = try? CardExpiry(mmyy: try options.required("exp")) else { throw UsageFault("--exp: MMYY") }
        guard let version = TAV.Version(rawValue: options.value("version") ?? "3") else {
            throw UsageFault("--version: 2, 3 or 4")
        }
        var until = now.adding(seconds: TAV.lifeSeconds)
        if let text = options.value("valid-until") {
            guard let time = RFC3339.parse(text) else {
                throw UsageFault("--valid-until: a time like 2030-01-01T00:00:00Z")
            }
            until = time
        }
        let content = TAV.Content(
            version: version,
            pan: pan,
            expiry: expiry,
            validUntil: Instant(seconds: until.seconds),
            tokenID: options.value("sub"),
            keyAlias: try options.value("key-alias") ?? alias(of: issuer, options)
        )
        let document = try TAV.make(content, key: try key(options, issuer: issuer, file: "tav"))
        return Base64.encode(document)
    }

    /// The alias that the fixtures give the issuer's key, else the issuerId, which has the length of one. A key that was
    /// registered without an alias is found by any, unless the verifier is strict.
    private static func alias(of issuer: String, _ options: ArgumentReader.Options) throws -> String {
        let bytes = try FileSource.fixtures(options.value("fixtures")).bytes("tenants/default.json")
        let world = try? JSON.parse(bytes)
        let found = world?["issuers"]?.array?.first { $0["issuerId"]?.string == issuer }
        let keys = found?["networkKeys"]?["mastercard"]?["tav"]?.array ?? []
        return keys.compactMap { $0["keyAlias"]?.string }.first ?? String(issuer.prefix(10))
    }

    private static func claims(
        _ options: ArgumentReader.Options,
        issuer: String,
        audience: String?,
        _ now: Instant
    ) throws -> JSON {
        guard let life = Int64(options.value("ttl") ?? "300"), (-(1 << 40)...1 << 40).contains(life) else {
            throw UsageFault("--ttl: seconds, a whole number")
        }
        var claims: JSON = ["iss": .string(issuer), "sub": .string(try options.required("sub"))]
        if let audience { claims = claims.adding("aud", .string(audience)) }
        claims = claims.adding("iat", .number(now.seconds)).adding("exp", .number(now.seconds + life))
        for text in options.all("claim") {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else { throw UsageFault("--claim: NAME=VALUE") }
            // Names and ids are texts even when they are all digits; quotes make any other value a text.
            let isText = ["iss", "sub", "aud", "jti", "scope", "cbp"].contains(parts[0])
            let value = isText ? nil : try? JSON.parse(parts[1])
            claims = claims.adding(parts[0], value ?? .string(parts[1]))
        }
        return claims
    }

    private static func key(_ options: ArgumentReader.Options, issuer: String, file: String) throws -> PrivateKey {
        if let path = options.value("key") { return try PrivateKey(pem: try Files.text(path)) }
        guard Issuer.isIssuerID(issuer) else { throw UsageFault("--issuer: ten characters") }
        let source = FileSource.keys(options.value("keys"))
        guard let key = try IssuerKeyFiles(source: source).key(of: issuer, file) else {
            throw UsageFault("there is no \(source.path("issuers/\(issuer)/\(file).key.pem")); give --key FILE")
        }
        return key
    }
}
