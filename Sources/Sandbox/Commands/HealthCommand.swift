import Transport
import Web

/// `health`: asks a running server whether it lives, where there is no curl: in a container, for example.
enum HealthCommand {
    /// Less than a supervisor waits.
    private static let patienceSeconds = 5.0

    static var syntax: CommandSyntax {
        CommandSyntax(
            "health",
            "ask a running server's control API whether it lives: exit code 0, else 1",
            options: [CommandOption("url", "URL", "address of the control API (what the variables of serve say)")],
            run: run
        )
    }

    private static func run(_ arguments: [String], _ terminal: Terminal) async throws -> Command.ExitCode {
        let options = try syntax.read(arguments)
        let address = try options.value("url") ?? configured(terminal)
        guard let url = PublicURL(address), let origin = HTTPOrigin(url: address) else {
            throw UsageFault("--url: wanted an address like http://127.0.0.1:8081")
        }
        EventLoop.ignoreBrokenPipes()
        let loop = try EventLoop()
        defer { loop.stop() }
        let client = try HTTPClient(loop: loop)
        let outcome: Result<HTTPResponse, HTTPCallFault>
        do throws(HTTPCallFault) {
            let request = HTTPRequest(method: .get, target: url.path + "/healthz")
            outcome = .success(try await client.call(request, at: origin, timeoutSeconds: patienceSeconds))
        } catch {
            outcome = .failure(error)
        }
        await client.stop()
        switch outcome {
        case .success(let response) where response.status == 200:
            terminal.print("\(origin) lives")
            return .success
        case .success(let response): throw InputFault("\(origin) answers \(response.status)")
        case .failure(let fault): throw InputFault("\(origin): \(fault)")
        }
    }

    /// Where the server of this environment has its control port; one that listens everywhere is asked on loopback.
    private static func configured(_ terminal: Terminal) throws -> String {
        let configuration = try ConfigurationReader.read([], environment: terminal.environment, readFile: Files.text)
        let everywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        let host = everywhere[configuration.controlHost, default: configuration.controlHost]
        return HTTPOrigin(.http, host: host, port: configuration.controlPort).description
    }
}
