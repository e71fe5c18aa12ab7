/// The command line (CONTRACT, section 7).
package enum Command {
    /// Exit codes: 0 done, 1 failure, 2 usage.
    package enum ExitCode: Int32, Sendable {
        case success = 0
        case failure = 1
        case usage = 2
    }

    /// Whether the command that the arguments name runs until a signal, and ends in order then; any other just ends.
    package static func waitsForSignals(_ arguments: [String]) -> Bool { arguments.first == "serve" }

    /// Runs the command that the arguments name.
    ///
    /// - Parameter arguments: without the program's name.
    package static func run(_ arguments: [String], _ terminal: Terminal) async -> ExitCode {
        let rest = Array(arguments.dropFirst())
        do {
            if let name = arguments.first, names.contains(name), asksForHelp(rest) {
                terminal.print(usage)
                return .success
            }
            switch arguments.first {
            case "serve": try await ServeCommand.run(rest, terminal)
            case "seal": try SealCommand.run(rest, terminal)
            case "sign": try SignCommand.run(rest, terminal)
            case "explain": return try await ExplainCommand.run(rest, terminal)
            case "check": try await CheckCommand.run(rest, terminal)
            case "keys": try KeysCommand.run(rest, terminal)
            case "faces": try await FacesCommand.run(rest, terminal)
            case "version", "--version":
                terminal.print("tsp-sandbox \(Version.current), for test data only")
            case "help", "--help", "-h": terminal.print(usage)
            case nil: throw UsageFault("a command is missing")
            case .some(let other):
                throw UsageFault(
                    "there is no command \(other); near it is \(Nearest.words(to: other, among: names)[0])"
                )
            }
            return .success
        } catch let fault as UsageFault {
            // One line, so that it is seen; the whole usage is a call away.
            terminal.complain("tsp-sandbox: \(fault.message) (see tsp-sandbox help)")
            return .usage
        } catch let fault as InputFault {
            terminal.complain("tsp-sandbox: \(fault.message)")
            return .failure
        } catch {
            terminal.complain("tsp-sandbox: \(error)")
            return .failure
        }
    }

    /// Whether help is asked for, and not the value of an option that is given as one.
    private static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.indices.contains { index in
            ["--help", "-h"].contains(arguments[index]) && (index == 0 || !arguments[index - 1].hasPrefix("-"))
        }
    }

    /// The commands that explain themselves.
    private static let names = ["serve", "seal", "sign", "explain", "check", "keys", "faces", "version"]

    static let usage: String = {
        let settings = Setting.allCases.map { setting in
            let head = "    \(setting.flag) \(setting.help.argument)"
            let padding = String(repeating: " ", count: max(1, 34 - head.count))
            return head + padding + setting.help.text
        }
        return """
            usage: tsp-sandbox COMMAND [OPTIONS]

              serve      run the server; each option also as \(Setting.port.environmentVariable) and so on
            \(settings.joined(separator: "\n"))
              seal       encrypt a card: JSON on standard input, the payload on standard output
                [--key KEYID] [--keys DIR] [--certificate FILE] [--format hex|der|base64]
              sign       authorization-code|issuer-token --issuer ID --sub SUB [--aud AUD] [--ttl SECONDS]
                         [--claim NAME=VALUE]... [--kid KID] [--key FILE] [--keys DIR]
                         tav --issuer ID --pan PAN --exp MMYY [--version 2|3|4] [--valid-until TIME] [--key-alias A]
                         [--fixtures DIR]
              explain    why a value is refused: pkcs7|jws|jwe|pass|activation-data, the value on standard input
                         [--issuer ID] [--key-id KID] [--use authorizationCode|issuerToken|d1Assertion] [--sub SUB]
                         [--aud AUD] [--network NETWORK] [--exp MMYY] [--nonce BASE64] [--context FILE] [--json]
                         [--now TIME] [--fixtures DIR] [--keys DIR] [--pan-policy test-only|any]
                         FILE is a JSON object of the context's members; a pan belongs there, because --pan PAN
                         shows in the list of processes. The world is that of the fixtures: a provisioning session
                         of a running server (pass) is known to its POST /v1/explain only. Exit code 1: a check failed
              check      validate the configuration, keys and fixtures; takes the options of serve, opens no port
              keys       make the keys of a folder anew, all but tls/: --keys DIR; or write the built-in ones: --export DIR
              faces      what the API port serves: [--json] [--fixtures DIR] [--keys DIR]
              version    print the version
            """
    }()
}
