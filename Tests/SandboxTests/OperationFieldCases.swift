import Core
import FoundationEssentials
import Sandbox
import SandboxTesting
import Testing
import Wire

/// Rows of field-cases.md about how clients, proxies and supervisors reach the server.
struct OperationFieldCases {
    @Test func `row 117: what lies below the path of the public URL is served with and without it`() async throws {
        try await withSandbox(configure: { $0.publicURL = "http://ingress.example/sandbox" }) { sandbox in
            for prefix in ["", "/sandbox", "/t/x", "/sandbox/t/x"] {
                let reply = try await sandbox.api("GET", prefix + "/wallet/apple/devices")
                #expect(reply.status == 200, "\(prefix) \(reply.summary)")
                #expect(reply.header("x-sandbox-tenant") == (prefix.hasSuffix("/x") ? "x" : nil))
            }
            for wrong in ["/sandbox/sandbox", "/sandboxes", "/t/x/sandbox"] {
                #expect(try await sandbox.api("GET", wrong + "/wallet/apple/devices").status == 404)
            }
        }
    }

    @Test func `row 118: health is answered without a token, to GET and HEAD`() async throws {
        try await withSandbox(configure: { $0.controlToken = "secret" }) { sandbox in
            for path in ["/healthz", "/readyz"] {
                for method in ["GET", "HEAD"] {
                    let reply = try await sandbox.control(method, path)
                    #expect((reply.status, reply.text.isEmpty) == (200, method == "HEAD"))
                }
            }
        }
    }

    /// Calls that need no argument, as clients of different libraries send them.
    @Test(arguments: ["", "null", "\"\"", "{}", " "])
    func `row 120: an empty body does not matter where none is needed`(_ text: String) async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            let made = try await sandbox.provision(phone, .visa, .visa)
            let serial = made["pass"]["serialNumber"]?.string ?? ""
            let pass = "/wallet/apple/devices/\(phone)/passes/\(serial)"
            for path in [pass + "/suspend", pass + "/resume"] {
                let reply = try await sandbox.send(.api, "POST", path, Array(text.utf8), [])
                #expect(reply.status == 200, "\(path) \(reply.summary)")
            }
            let control = [
                "/v1/payload-keys/rotate", "/v1/issuers/DEMOBANK01/pass-metadata/visa/apply", "/v1/snapshots",
                "/v1/tenants/default/reset",
            ]
            for path in control {
                let reply = try await sandbox.send(.control, "POST", path, Array(text.utf8), [])
                #expect((200...204).contains(reply.status), "\(path) \(reply.summary)")
            }
        }
    }

    @Test(arguments: [("", "JSON_EMPTY"), ("null", "BODY_NOT_OBJECT"), ("\"\"", "BODY_NOT_OBJECT")])
    func `row 120: and is named where one is needed`(_ text: String, _ code: String) async throws {
        try await withSandbox { sandbox in
            for path in ["/wallet/apple/devices", "/mg/tpc/DEMOBANK01/getTokens", "/d1/client/v1/binding-hash"] {
                let reply = try await sandbox.send(.api, "POST", path, Array(text.utf8), [])
                #expect((reply.status, reply.diagnosis.contains(code)) == (400, true), "\(path) \(reply.summary)")
            }
            let reply = try await sandbox.send(.control, "POST", "/v1/faults", Array(text.utf8), [])
            #expect(reply.status == 400 && reply["code"].string?.hasSuffix(code) == true, "\(reply.summary)")
        }
    }

    /// As other APIs and SDKs spell the four.
    private static let spellings: [(PaymentNetwork, [String])] = [
        (.visa, ["visa", "Visa", "VISA_CARD", "vi", "PAYMENT_NETWORK_VISA"]),
        (.mastercard, ["mastercard", "MasterCard", "Mastercard", "MASTER_CARD", "mc", "master-card", "MASTER"]),
        (.amex, ["amex", "AmEx", "Amex", "AMERICAN_EXPRESS", "American Express", "americanExpress", "AE"]),
        (.discover, ["discover", "Discover", "DISC", "dfs", "Discover Card"]),
    ]

    @Test func `row 122: a network that is spelt as another API spells it is named with its right spelling`()
        async throws
    {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            for (network, texts) in Self.spellings {
                for text in texts where text != network.scheme {
                    let reply = try await sandbox.api(
                        "POST",
                        "/mg/tpc/DEMOBANK01/getTokens",
                        [
                            "scheme": .string(text),
                            "encryptedPayload": .string(try TestIssuer(sandbox).payload(.of(network))),
                        ]
                    )
                    #expect(reply.status == 400)
                    let hint = try await hint(sandbox, "SCHEME_UNKNOWN")
                    #expect(hint == "The TPC SDK writes it \(network.scheme).", "\(text)")
                }
                for text in texts where text != network.passKitName {
                    let change = ("paymentNetwork", JSON.string(text))
                    let reply = try await sandbox.session(phone, .of(network), network, changes: [change])
                    #expect((reply.status, reply.diagnosis) == (400, ["PAYMENT_NETWORK_UNKNOWN"]))
                    let hint = try await hint(sandbox, "PAYMENT_NETWORK_UNKNOWN")
                    #expect(hint == "PassKit writes it \(network.passKitName).", "\(text)")
                }
            }
        }
    }

    private func hint(_ sandbox: TestSandbox, _ code: String) async throws -> String? {
        let newest = try await sandbox.control("GET", "/v1/journal?limit=1")["items"].array?.first
        return newest?["checks"]?.array?.first { $0["code"]?.string == code }?["hint"]?.string
    }
}
