import FoundationEssentials
import Resources
import Sandbox
import SandboxTesting
import Testing

/// `check`: the configuration told, its files read, and no port opened.
struct CheckCommandTests {
    @Test func `each setting has its value and its origin, a secret has none`() async throws {
        try await withFolder { folder in
            let file = folder + "/config.json"
            try "{\"port\": 9000, \"host\": \"127.0.0.3\", \"seed\": \"7\"}".write(
                toFile: file,
                atomically: true,
                encoding: .utf8
            )
            let outcome = await TestTerminal.run(
                ["check", "--config", file, "--host", "127.0.0.2", "--control-token", "hidden-token"]
                    + TestTerminal.folders,
                environment: [
                    "TSP_SANDBOX_SEED": "8", "TSP_SANDBOX_PUBLIC_URL": "https://user:hidden@example.test/x",
                    "TSP_SANDBOX_PROT": "1", "PATH": "/bin",
                ]
            )
            #expect(outcome.exit == .success, "\(outcome.errors)")
            let wanted = [
                "host = 127.0.0.2 (--host)", "port = 9000 (\(file))", "control-host = 127.0.0.1 (default)",
                "control-port = 8081 (default)", "control-token = *** (--control-token)", "tls-port = none (default)",
                "seed = 8 (TSP_SANDBOX_SEED)", "public-url = https://***@example.test/x (TSP_SANDBOX_PUBLIC_URL)",
                "store = .tsp-sandbox/sandbox.db (default)", "pan-policy = test-only (default)",
                "keys = \(packageRoot)/keys (--keys)", "config = \(file) (--config)",
            ]
            #expect(wanted.filter { !outcome.lines.contains($0) } == [])
            #expect(!outcome.output.contains("hidden"))
            #expect(outcome.lines.last == "keys and fixtures can be read: 2 issuers, 6 cards")
            #expect(outcome.errors.contains("TSP_SANDBOX_PROT is not a setting"))
        }
    }

    /// The options, and the package's own folders where they name no others.
    private static func check(_ arguments: [String], environment: [String: String] = [:]) async -> TestTerminal.Outcome
    {
        var folders: [String] = []
        for (index, flag) in TestTerminal.folders.enumerated()
        where index.isMultiple(of: 2) && !arguments.contains(flag) {
            folders += [flag, TestTerminal.folders[index + 1]]
        }
        return await TestTerminal.run(["check"] + arguments + folders, environment: environment)
    }

    @Test(
        arguments: [
            (["--prot", "1"], "there is no option --prot; near it is --port"),
            (["--store", ""], "--store: wanted memory"),
            (["--store", "file:x?mode=memory"], "--store: wanted memory"),
            (["--port", "99999"], "--port: wanted a port"),
            (["--log-level", "loud"], "--log-level"),
            (["--tls-cert", "x"], "--tls-cert goes with --tls-port or --control-tls-port"),
            (["--control-tls-port", "0", "--tls-key", "x"], "--control-tls-port needs --tls-cert and --tls-key"),
            (
                ["--control-tls-port", "0", "--tls-cert", "x", "--tls-key", "x", "--client-ca", "x"],
                "--client-ca goes with --tls-port"
            ),
            (
                ["--control-token", "a", "--control-token-file", "b"],
                "--control-token and --control-token-file exclude each other"
            ),
            (["--request-log", "yes"], "--request-log: wanted on or off"),
            (["--request-faults", "0"], "--request-faults: wanted on or off"),
            (["--config", "/nowhere.json"], "/nowhere.json"), (["--store", "postgres://u:secret@h/d"], "PostgreSQL"),
            (["more"], "unexpected argument more"), (["--public-url", "zz"], "--public-url: wanted an address"),
        ]
    )
    func `a wrong configuration is exit 2 with what is wrong`(_ arguments: [String], _ words: String) async {
        let outcome = await Self.check(arguments)
        #expect(outcome.exit == .usage)
        // One line, which nobody overlooks.
        #expect(outcome.errors.contains(words), "\(outcome.errors.prefix(200))")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("tsp-sandbox help"))
        #expect(!outcome.errors.contains("secret"))
    }

    private static let tls = packageRoot + "/keys/tls"

    @Test(
        arguments: [
            (["--keys", "/nowhere"], "/nowhere: no such folder; --keys"),
            (["--keys", "/dev/null"], "/dev/null/tsh/payload-2048.cert.pem: no such file"),
            (["--fixtures", "/nowhere"], "/nowhere: no such folder; --keys and --fixtures"),
            (["--store", "/dev/null/sandbox.db"], "/dev/null is not a folder"),
            (["--store", "/tmp"], "/tmp: is a folder"),
            (["--control-token-file", "/no.token"], "/no.token: no such file"),
            (["--control-token-file", "/tmp"], "/tmp: is a folder"),
            (["--control-token-file", packageRoot + "/README.md"], "README.md: one line of visible ASCII"),
            (["--tls-cert", "/no.pem", "--tls-key", "/no.key"], "/no.pem: no such file"),
            (["--tls-cert", tls, "--tls-key", "/no.key"], "\(tls): is a folder"),
            (
                ["--tls-cert", packageRoot + "/README.md", "--tls-key", "/no.key"],
                "README.md: no certificate in it"
            ),
            (["--tls-cert", tls + "/server.cert.pem", "--tls-key", "/no.key"], "/no.key: no such file"),
            (
                ["--tls-cert", tls + "/server.cert.pem", "--tls-key", packageRoot + "/README.md"],
                "README.md: no private key in it"
            ),
            (
                ["--tls-cert", tls + "/server.key.pem", "--tls-key", tls + "/server.key.pem"],
                "server.key.pem: holds no certificate"
            ),
            (
                [
                    "--tls-cert", tls + "/server.cert.pem", "--tls-key", tls + "/server.key.pem", "--client-ca",
                    "/no.ca",
                ],
                "/no.ca: no such file"
            ),
            (
                ["--tls-cert", tls + "/server.cert.pem", "--tls-key", tls + "/client.key.pem"],
                "client.key.pem: is not the key of"
            ),
        ]
    )
    func `a file that serve could not use is exit 1, in words and without the usage`(
        _ arguments: [String],
        _ words: String
    ) async {
        let outcome = await Self.check(arguments.contains("--tls-cert") ? ["--tls-port", "0"] + arguments : arguments)
        #expect(outcome.exit == .failure)
        #expect(outcome.errors.contains(words) && !outcome.errors.contains("usage:"), "\(outcome.errors.prefix(300))")
    }

    @Test(arguments: [
        (["TSP_SANDBOX_PORT": "tcp://10.0.0.11:8080"], false),
        (["TSP_SANDBOX_PORT": "tcp://10.0.0.11:8080", "TSP_SANDBOX_SERVICE_HOST": "10.0.0.11"], true),
        (["TSP_SANDBOX_CONTROL_PORT": "tcp://10.0.0.11:8081", "TSP_SANDBOX_CONTROL_SERVICE_HOST": "10.0.0.11"], true),
        (["TSP_SANDBOX_PORT": "9000", "TSP_SANDBOX_SERVICE_HOST": "10.0.0.11"], true),
    ])
    func `row 99: a Kubernetes service link is not a port`(_ environment: [String: String], _ isGood: Bool) async {
        let outcome = await Self.check([], environment: environment)
        #expect(outcome.exit == (isGood ? .success : .usage), "\(outcome.errors)")
        let isLink = environment.values.contains { $0.contains("://") }
        #expect(outcome.errors.contains("service link") == (isGood && isLink), "\(outcome.errors)")
        if !isLink { #expect(outcome.output.contains("port = 9000")) }
    }

    @Test(arguments: [":memory:", "MEMORY", "memory"])
    func `row 109: what other tools call memory is memory`(_ word: String) async {
        let outcome = await Self.check(["--store", word])
        #expect(outcome.exit == .success && outcome.output.contains("tenant-idle = 3600"))
    }

    @Test(arguments: ["file::memory:?cache=shared", "file:x?mode=memory", ""])
    func `row 109: or is refused by name, and no file is made`(_ word: String) async {
        let outcome = await Self.check(["--store", word])
        #expect(outcome.exit == .usage && outcome.errors.contains("--store: wanted memory or a path"))
    }

    @Test func `without folders the built-in keys and fixtures are used, and they are those of the repository`()
        async throws
    {
        let outcome = await TestTerminal.run(["check", "--store", "memory"])
        #expect(outcome.exit == .success && outcome.output.contains("2 issuers"), "\(outcome.errors)")
        let root = packageRoot + "/"
        let names =
            try ["keys", "fixtures/tenants"].flatMap { folder in
                try FileManager.default.subpathsOfDirectory(atPath: root + folder).map { folder + "/" + $0 }
            } + ["fixtures/test-pans.json"]
        let wanted = names.filter { !$0.hasPrefix("keys/tls/") && ($0.hasSuffix(".pem") || $0.hasSuffix(".json")) }
        #expect(Set(Resources.files.keys) == Set(wanted))
        for (name, bytes) in Resources.files { #expect(try TestFiles.bytes(root + name) == bytes, "\(name)") }
    }

    @Test func `keys are written out, and made anew only where a folder is named`() async throws {
        try await withFolder { folder in
            let bare = await TestTerminal.run(["keys"])
            #expect(bare.exit == .usage && bare.output.isEmpty && bare.errors.contains("--export DIR"))
            let export = await TestTerminal.run(["keys", "--export", folder + "/keys"])
            #expect(export.exit == .success && export.lines.contains(folder + "/keys/tsh/payload-2048.key.pem"))
            let used = await TestTerminal.run(["check", "--store", "memory", "--keys", folder + "/keys"])
            #expect(used.exit == .success, "\(used.errors)")
        }
    }

    @Test func `input that cannot be used is exit 1, in one sentence`() async {
        for arguments in [["seal"], ["explain", "pass"]] {
            let outcome = await TestTerminal.run(arguments, input: Array("no JSON".utf8))
            #expect(
                outcome.exit == .failure && outcome.errors.contains("standard input is not JSON"),
                "\(outcome.errors)"
            )
        }
        let near = await TestTerminal.run(["serv"])
        #expect(near.exit == .usage && near.errors.contains("near it is serve"))
    }

    @Test func `an unknown key of the file is exit 2, a broken fixture exit 1`() async throws {
        try await withFolder { folder in
            let file = folder + "/config.json"
            try "{\"prot\": 9000}".write(toFile: file, atomically: true, encoding: .utf8)
            let unknown = await TestTerminal.run(["check", "--config", file] + TestTerminal.folders)
            #expect(unknown.exit == .usage && unknown.errors.contains("there is no setting prot"))

            let fixtures = folder + "/fixtures"
            try FileManager.default.copyItem(atPath: packageRoot + "/fixtures", toPath: fixtures)
            try "{\"issuers\": [{\"issuerId\": \"short\"}]}".write(
                toFile: fixtures + "/tenants/default.json",
                atomically: true,
                encoding: .utf8
            )
            let broken = await Self.check(["--fixtures", fixtures])
            #expect(broken.exit == .failure && broken.errors.contains("ISSUER_ID_FORM"))

            let right = await Self.check([
                "--tls-port", "0", "--tls-cert", Self.tls + "/server.cert.pem", "--tls-key",
                Self.tls + "/server.key.pem",
            ])
            #expect(right.exit == .success, "\(right.errors.prefix(200))")
        }
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:8080", true), ("https://sandbox.example.com", true),
            ("HTTPS://sandbox.example.com/tsp/", true), ("https://user:pass@h:1/x", true), ("http://[::1]:8080/", true),
            ("https://h/", true), ("zz", false), ("ftp://x", false), ("http://", false), ("http:///x", false),
            ("http://:80", false), ("//h", false), ("http:h", false), ("https://h?x=1", false), ("https://h#f", false),
            ("https://h:0", false), ("https://h:65536", false), ("https://h:", false), ("https://h:8o", false),
            ("https://a b", false), ("https://h/ ", false), ("http://[::1", false), ("http://[]", false),
            ("http://[::1]x", false), ("https://h@", false), ("https://hé", false), ("xhttp://h", false), ("", false),
        ]
    )
    func `the public address has a scheme and a host, no query and no fragment`(_ text: String, _ isGood: Bool) async {
        let flag = await Self.check(["--public-url", text])
        #expect(flag.exit == (isGood ? .success : .usage), "\(flag.errors.prefix(200))")
        // An empty variable is none.
        let variable = await Self.check([], environment: ["TSP_SANDBOX_PUBLIC_URL": text])
        #expect(variable.exit == (isGood || text.isEmpty ? .success : .usage))
    }

    @Test func `an empty variable counts as not set, whatever it sets`() async {
        let plain = await TestTerminal.run(["check"] + TestTerminal.folders)
        let names = plain.lines.filter { $0.contains(" = ") }.compactMap { $0.split(separator: " ").first }
        #expect(names.count > 15)
        let variables = names.map { "TSP_SANDBOX_" + $0.uppercased().split(separator: "-").joined(separator: "_") }
        let outcome = await TestTerminal.run(
            ["check"] + TestTerminal.folders,
            environment: Dictionary(uniqueKeysWithValues: variables.map { ($0, "") })
        )
        #expect(outcome.exit == .success && outcome.errors.isEmpty, "\(outcome.errors.prefix(200))")
        #expect(!outcome.output.contains("TSP_SANDBOX_"))
        #expect(outcome.output == plain.output)
    }

    @Test func `a control port that others reach, without a token, is remarked`() async throws {
        let open = await TestTerminal.run(["check", "--control-host", "0.0.0.0"] + TestTerminal.folders)
        #expect(open.exit == .success && open.errors.contains("makes a control-token"))
        let closed = await TestTerminal.run(["check"] + TestTerminal.folders)
        #expect(closed.exit == .success && closed.errors.isEmpty)
        try await withFolder { folder in
            let file = folder + "/token"
            try "mine\n".write(toFile: file, atomically: true, encoding: .utf8)
            let filed = await TestTerminal.run(
                ["check", "--control-host", "0.0.0.0", "--control-token-file", file] + TestTerminal.folders
            )
            #expect(filed.exit == .success && filed.errors.isEmpty, "\(filed.errors)")
        }
    }

    @Test func `a store that another server holds, and its ports, are left alone`() async throws {
        try await withFolder { folder in
            let path = folder + "/sandbox.db"
            let outcome = await TestTerminal.run(["check", "--store", path] + TestTerminal.folders)
            #expect(outcome.exit == .success)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left == [])
        }
    }
}
