import Glibc
import Testing
import Transport

/// What a client that everybody knows makes of each broken answer.
struct CurlTests {
    private static let keys = #filePath.replacing("Tests/TransportTests/Faults/CurlTests.swift", with: "keys")

    /// Whether curl is there; `.ci` installs it.
    static let isInstalled = run("curl --version") == 0

    struct Case: CustomTestStringConvertible, Sendable {
        let kind: String
        let code: Int32
        var options = ""
        var testDescription: String { "\(kind): \(code)" }
    }

    // curl(1), EXIT CODES: 1 HTTP/0.9, 18 partial file, 28 timeout, 52 empty reply, 56 receive error.
    static let cases = [
        Case(kind: "empty", code: 52), Case(kind: "reset", code: 56), Case(kind: "truncate", code: 18),
        Case(kind: "close", code: 18), Case(kind: "long", code: 18), Case(kind: "garbage", code: 1),
        Case(kind: "stall", code: 28, options: "--max-time 1"), Case(kind: "dribble", code: 0),
        Case(kind: "normal", code: 0),
    ]

    @Test(.enabled(if: isInstalled), arguments: FaultDeliveryTests.ways, cases)
    func `curl's exit code`(_ way: FaultDeliveryTests.Way, _ item: Case) async throws {
        try await withServer(tls: way.tls) { server in
            let scheme = way.isTLS ? "https" : "http"
            let trust = way.isTLS ? "--cacert \(Self.keys)/tls/server.cert.pem" : ""
            let body = way.isPost ? "--data abc" : ""
            let url = "\(scheme)://\(server.address)/fault/\(item.kind)/10"
            #expect(Self.run("curl --noproxy '*' -s -o /dev/null \(trust) \(body) \(item.options) \(url)") == item.code)
        }
    }

    /// The exit code of a command.
    private static func run(_ command: String) -> Int32 {
        let stream = popen(command + " >/dev/null 2>&1", "r")
        guard let stream else { return -1 }
        return pclose(stream) >> 8 & 0xFF
    }
}
