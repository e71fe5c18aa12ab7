import Core
import Sandbox
import SandboxTesting
import Synchronization
import Testing
import Web
import Wire

/// Every operation of every face and of the control API is sent marked secrets in every place a client could put them.
/// None comes back or stays anywhere. A new operation is walked by itself.
struct SecretWalkTests {
    /// A secret, and the ways to write it into a text.
    private struct Mark {
        let secret: String
        let writings: [String]
    }

    private static func word(_ letter: Character) -> String {
        "Mark" + String(repeating: letter, count: 4) + "q83vEjRWeJCrze8S"
    }

    private static func named(_ members: [String], _ secret: String) -> Mark {
        Mark(
            secret: secret,
            writings: members.flatMap { member -> [String] in
                let document = JSON.object(JSONObject([(member, .string(secret))])).text
                return [
                    document, JSON.object(JSONObject([("a", .string(document))])).text,
                    Base64.encode(Array(document.utf8)), "https://a.example/?b=1&\(member)=\(secret)",
                    "<c><\(member)>\(secret)</\(member)></c>",
                ]
            }
        )
    }

    private static func card(_ number: String) -> Mark {
        let document = JSON.object(JSONObject([("pan", .string(number))])).text
        let groups = stride(from: 0, to: number.count, by: 4).map { String(number.dropFirst($0).prefix(4)) }
        return Mark(
            secret: number,
            writings: [
                number, groups.joined(separator: " "), groups.joined(separator: "-"), document,
                JSON.object(JSONObject([("a", .string(document))])).text, Base64.encode(Array(number.utf8)),
                Base64.encode(Array("x\(number)".utf8)), Base64.encode(Array("xx\(document)".utf8), .url),
                Hex.encode(Array(document.utf8)), "https://a.example/\(number)?pan=\(number)", "\(number)=3012",
            ]
        )
    }

    private static let cards = [TestCard.visa.pan, TestCard.amex.pan, TestCard.discover.pan].map(card)
    private static let others: [Mark] = {
        let (header, claims) = (
            Base64.encode(Array(#"{"alg":"RS256"}"#.utf8), .url), Base64.encode(Array(#"{"iss":"B"}"#.utf8), .url)
        )
        let (key, signature, bearer) = (word("k") + word("l"), word("s") + word("t"), word("b"))
        let pem = "-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----"
        let jwk = JSON.object(JSONObject([("kty", "EC"), ("d", .string(word("d")))])).text
        return [
            named(["cvv", "securityCode"], word("c")), named(["activationCode", "otp"], word("o")),
            named(["client_secret", "password"], word("p")), named(["sessionToken", "access_token"], word("e")),
            named(["key", "cryptogram"], word("y")),
            Mark(secret: key, writings: [pem, JSON.string(pem).text, Base64.encode(Array(pem.utf8))]),
            Mark(secret: word("d"), writings: [jwk, JSON.string(jwk).text]),
            Mark(
                secret: signature,
                writings: ["\(header).\(claims).\(signature)", "x\(header).\(claims).\(signature)"]
            ),
            Mark(secret: bearer, writings: ["Bearer \(bearer)"]),
        ]
    }()

    private static let headers: [(String, String)] = [
        ("authorization", "Bearer \(word("b"))"), ("cookie", "a=\(word("b"))"), ("x-api-key", word("b")),
        ("x-session-token", word("e")), ("x-cvv", word("c")), ("x-otp", word("o")), ("x-client-secret", word("p")),
    ]
    private static let query =
        "cvv=\(word("c"))&otp=\(word("o"))&client_secret=\(word("p"))&access_token=\(word("e"))&key=\(word("y"))"

    /// Members of every request body in the faces' documents and the control API's.
    private static let members: [String] = {
        var names: Set<String> = ["pan", "cvv", "otp"]
        func collect(_ value: JSON) {
            switch value {
            case .object(let object):
                for (name, member) in object.members {
                    if name == "properties", let properties = member.object { names.formUnion(properties.keys) }
                    collect(member)
                }
            case .array(let items): items.forEach(collect)
            default: break
            }
        }
        for face in ["tpc", "wallet", "d1", "control"] {
            let text = try? TestFiles.bytes(packageRoot + "/Docs/openapi/\(face).json")
            if let document = text.flatMap({ try? JSON.parse($0) }) { collect(document) }
        }
        return names.sorted()
    }()

    private final class Lines: Sendable {
        private let text = Mutex("")
        var all: String { text.withLock { $0 } }
        func append(_ line: [UInt8]) { text.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }

    /// The requests of one operation, with one writing in every place.
    private func send(
        _ sandbox: TestSandbox,
        _ port: TestPort,
        _ label: String,
        _ text: String
    ) async throws -> [String] {
        let words = label.split(separator: " ")
        let (method, template) = (String(words[0]), String(words[1]))
        let encoded = PercentEncoding.encode(text)
        let marked = template.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? encoded : String($0) }.joined(separator: "/")
        let right = template.replacing("{issuerId}", with: "DEMOBANK01").replacing("{name}", with: "default")
        let body = JSON.object(JSONObject(Self.members.map { ($0, .string(text)) })).bytes
        var answers: [String] = []
        for (path, body) in [
            ("\(right)?x=\(encoded)&\(Self.query)", body),
            ("\(marked)?\(Self.query)", Array("pan=\(encoded)&\(Self.query)&x=\(text)".utf8)),
        ] {
            let headers = Self.headers + [("user-agent", text.split(separator: "\n").joined()), ("x-request-id", "id")]
            let reply = try await sandbox.send(port, method, path, method == "GET" ? nil : body, headers)
            #expect(reply.status < 500 || reply.status == 501, "\(method) \(path): \(reply.status)")
            answers.append(reply.text + "\(reply.response.headers)")
        }
        return answers
    }

    /// Calls that end what the walk needs, or wait.
    private static let left: Set<String> = [
        "control.clearJournal", "control.waitForJournal", "control.deleteTenant", "control.resetTenant",
    ]

    @Test func `no mark comes back, and none is in journal, log or metrics`() async throws {
        let lines = Lines()
        let log = Log(level: .debug, now: { Instant(seconds: 0) }, write: { lines.append($0) })
        try await withSandbox(configure: { _ in }, log: log) { sandbox in
            let (leaks, secrets) = (Leaks(numbers: Self.cards.map(\.secret)), Self.others.map(\.secret))
            func search(_ text: String, _ place: String) {
                #expect(leaks.found(in: text) == [], "\(place)")
                for secret in secrets where text.contains(secret) {
                    Issue.record(
                        "\(secret) in \(place): …\(text.prefix(upTo: text.ranges(of: secret)[0].lowerBound).suffix(160))"
                    )
                }
            }
            var walked = 0
            let faces = sandbox.operationLabels.map { (TestPort.api, $0) }
            let control = sandbox.application.controlLabels.map { (TestPort.control, $0) }
            let endpoints = (faces + control).filter { !Self.left.contains(String($0.1.split(separator: " ")[2])) }
            let writings = (Self.cards + Self.others).flatMap(\.writings)
            for (index, (port, label)) in endpoints.enumerated() {
                // Each operation meets a part of the writings and its neighbours the others: one has many places, and there
                // are many operations. `.ci/acceptance-secrets` sends them all.
                for (number, text) in writings.enumerated() where number % 24 == index % 24 {
                    for answer in try await send(sandbox, port, label, text) where port == .api {
                        #expect(leaks.found(in: answer) == [], "\(label): \(answer.prefix(300))")
                    }
                    walked += 1
                }
                let journal = try await sandbox.control("GET", "/v1/journal/export")
                #expect(journal.status == 200)
                search(journal.text, "the journal of \(label)")
                _ = try await sandbox.control("DELETE", "/v1/journal")
            }
            #expect(walked > 300)
            search(lines.all, "the log")
            search(try await sandbox.control("GET", "/metrics").text, "the metrics")
        }
    }
}
