import Core
import Masking
import Networks
import Traffic
import Web
import Wire

/// `explain KIND`: what `POST /v1/explain` says of the value on standard input, in a world of the base fixtures that
/// lives for this command only.
enum ExplainCommand {
    /// Options that are members of the context, by their names there. `pan` is a shorthand that others can see.
    private static let members = [
        "issuer": "issuerId", "key-id": "keyId", "use": "use", "sub": "sub", "aud": "aud", "network": "network",
        "pan": "pan", "exp": "exp", "nonce": "nonce",
    ]

    static var syntax: CommandSyntax {
        CommandSyntax(
            "explain",
            "say why a value is refused; the value on standard input",
            words: kinds.names,
            options: [
                CommandOption("issuer", "ID", "the issuer, ten characters"),
                CommandOption("key-id", "KID", "identifier of the key"),
                CommandOption("use", "USE", "jws: authorizationCode, issuerToken or d1Assertion"),
                CommandOption("sub", "SUB", "what the token must be about"),
                CommandOption("aud", "AUD", "what its audience must be"),
                CommandOption("network", "NETWORK", "visa, mastercard, amex or discover"),
                CommandOption("pan", "PAN", "the card; shows in the list of processes, so --context is better"),
                CommandOption("exp", "MMYY", "expiry of the card"),
                CommandOption("nonce", "BASE64", "nonce of the session"),
                CommandOption("context", "FILE", "JSON object of the context's members"),
                CommandOption("json", nil, "as JSON"),
                CommandOption("now", "TIME", "the time it is judged at, such as 2030-01-01T00:00:00Z (now)"),
                CommandOption(Setting.panPolicy.rawValue, Setting.panPolicy.help.argument, Setting.panPolicy.help.text),
                .fixtures, .keys,
            ],
            notes: """
                The world is that of the fixtures: a provisioning session of a running server (pass) is known to its \
                POST /v1/explain only. Exit code 1: a check failed.
                """,
            run: run
        )
    }

    /// - Returns: success when every check passed.
    /// - Throws: ``UsageFault`` when the value or the context cannot be understood.
    private static func run(_ arguments: [String], _ terminal: Terminal) async throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        let kind = options.word
        let body: JSON = [
            "kind": .string(kind), "value": try value(kind, terminal), "context": try context(options),
        ]
        let now = try clock(options, terminal)
        let answer = try await answer(body, try configuration(options), now)
        let checks = answer["checks"]?.array ?? []
        if options.isOn("json") {
            terminal.print(answer.text)
        } else {
            for check in checks { terminal.print(line(check)) }
        }
        return checks.allSatisfy { $0["passed"]?.bool == true } ? .success : .failure
    }

    private static var kinds: ExplainKinds { ExplainKinds(FaceCatalog.all) }

    /// The text without the line end that a shell or an editor puts behind it; for `pass` the JSON object.
    private static func value(_ kind: String, _ terminal: Terminal) throws -> JSON {
        let input = terminal.readInput()
        if kinds.named(kind)?.takesObject == true {
            do {
                return try JSON.parse(input)
            } catch {
                throw InputFault("standard input is not JSON: \(error.reason.rawValue) at byte \(error.offset)")
            }
        }
        guard var text = String(validating: input, as: UTF8.self) else {
            throw InputFault("standard input is not text; write bytes in hexadecimal or base64")
        }
        // A line end of two characters is one of Swift's.
        if text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw InputFault("standard input is empty; it takes the value to explain") }
        return .string(text)
    }

    /// The members of `--context`, and over them those given as options.
    private static func context(_ options: ArgumentReader.Options) throws -> JSON {
        var context = JSONObject()
        if let path = options.value("context") {
            let bytes: [UInt8]
            do {
                bytes = try Files.bytes(path)
            } catch {
                throw UsageFault(String(describing: error))
            }
            do {
                guard case .object(let object) = try JSON.parse(bytes) else {
                    throw InputFault("\(path): one JSON object is wanted")
                }
                context = object
            } catch let fault as JSONFault {
                throw InputFault("\(path): \(fault.reason.rawValue) at byte \(fault.offset)")
            }
        }
        for (option, member) in members.sorted(by: { $0.key < $1.key }) {
            if let text = options.value(option) { context[member] = .string(text) }
        }
        return .object(context)
    }

    private static func clock(_ options: ArgumentReader.Options, _ terminal: Terminal) throws -> Instant {
        guard let text = options.value("now") else { return terminal.now() }
        guard let now = RFC3339.parse(text) else { throw UsageFault("--now: wanted a time like 2030-01-01T00:00:00Z") }
        return now
    }

    private static func configuration(_ options: ArgumentReader.Options) throws -> SandboxConfiguration {
        var configuration = SandboxConfiguration()
        configuration.store = .memory
        configuration.seed = 0
        if let text = options.value("fixtures") { configuration.fixturesFolder = text }
        if let text = options.value("keys") { configuration.keysFolder = text }
        if let text = options.value("pan-policy") {
            guard let mode = PANPolicy.Mode(rawValue: text) else {
                throw UsageFault("--pan-policy: wanted test-only or any")
            }
            configuration.panPolicy = mode
        }
        return configuration
    }

    /// Asks a sandbox of its own; nothing listens and nothing is kept.
    private static func answer(_ body: JSON, _ configuration: SandboxConfiguration, _ now: Instant) async throws -> JSON
    {
        let platform = SandboxApplication.Platform(now: { now }, newSeed: { 0 }, log: .none)
        let application = try await SandboxApplication.build(configuration, platform)
        let response = await application.control.respond(
            to: HTTPRequest(
                method: .post,
                target: "/v1/explain",
                headers: HTTPHeaders([(.contentType, "application/json")]),
                body: body.bytes
            )
        )
        await application.close()
        let answer = (try? JSON.parse(response.body)) ?? .null
        guard response.status == 200 else {
            let place = answer["pointer"]?.string.map { " at \($0)" } ?? ""
            throw UsageFault(
                "explain: \(answer["code"]?.string ?? "failed")\(place): \(answer["detail"]?.string ?? "")"
            )
        }
        return answer
    }

    /// One check on one line.
    private static func line(_ check: JSON) -> String {
        var parts = [check["passed"]?.bool == true ? "ok    " : "FAILED", check["name"]?.string ?? ""]
        if let code = check["code"]?.string { parts.append(code) }
        if let evidence = check["evidence"]?.string, !evidence.isEmpty { parts.append("(\(evidence))") }
        if let hint = check["hint"]?.string, !hint.isEmpty { parts.append("– \(hint)") }
        return parts.joined(separator: " ").map { $0.isNewline ? " " : String($0) }.joined()
    }
}
