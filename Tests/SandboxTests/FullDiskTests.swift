import Core
import Sandbox
import SandboxTesting
import Testing
import Wire

/// On a full disk every change is refused in its face's own words, reads go on, nothing is there by half, and all works
/// again when there is room.
struct FullDiskTests {
    private struct Call {
        let port: TestPort
        let method: String
        let path: String
        var body: JSON?
        var form: String?
        var bearer: String?

        func send(_ sandbox: TestSandbox) async throws -> TestReply {
            var headers = bearer.map { [("authorization", "Bearer \($0)")] } ?? []
            if form != nil { headers.append(("content-type", "application/x-www-form-urlencoded")) }
            return try await sandbox.send(port, method, path, body?.bytes ?? form.map { Array($0.utf8) }, headers)
        }
    }

    /// What the story before the disk was full has left, for calls that go on from it.
    private struct Story {
        let phone: String
        let other: String
        let token: String
        let serial: String
        let waiting: String
        let request: JSON
        let freshCode: String
        let session: String
        let triple: JSON
        let lifecycleCode: String
        let hash: String
        let issuerToken: String
        let bearer: String
        let snapshot: String
        let world: JSON
    }

    private func story(_ sandbox: TestSandbox) async throws -> Story {
        let issuer = TestIssuer(sandbox)
        let (phone, other) = (try await sandbox.device(), try await sandbox.device())
        let watch = try await sandbox.device("watch", pairedWith: phone)
        let made = try await sandbox.provision(phone, .visa, .visa)
        let waiting = try await sandbox.manualEntry(watch, .visa, .visa)
        let session = try await sandbox.session(phone, .mastercard, .mastercard)
        let request = try sandbox.passRequest(session, .mastercard, .mastercard)
        let triple = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", request)
        _ = try await sandbox.configure(phone, [("card-visa", "2718")])
        let hash = try await sandbox.bindingHash(phone).text("bindingHash")
        let rule: JSON = ["id": "kept", "match": ["headers": ["x-none": "1"]], "effect": ["delay": ["fixedMs": 1]]]
        _ = try await sandbox.control("POST", "/v1/faults", rule)
        _ = try await sandbox.control("POST", "/v1/tenants", ["name": "other"])
        let snapshot = try await sandbox.control("POST", "/v1/snapshots").text("id")
        return Story(
            phone: phone,
            other: other,
            token: made.text("tokenId"),
            serial: made["pass"]["serialNumber"]?.string ?? "",
            waiting: "/wallet/apple/devices/\(watch)/passes/\(waiting["pass"]["serialNumber"]?.string ?? "")",
            request: request,
            freshCode: try issuer.code(sub: TestCard.mastercard.reference, changes: [("jti", "full-disk")]),
            session: session.text("sessionId"),
            triple: triple.json,
            lifecycleCode: try issuer.code(sub: made.text("tokenId")),
            hash: hash,
            issuerToken: try issuer.token(cbp: hash),
            bearer: try await sandbox.bearer(),
            snapshot: snapshot,
            world: try await sandbox.control("GET", "/v1/export").json
        )
    }

    private func changes(_ story: Story, _ issuer: TestIssuer) throws -> [Call] {
        func api(_ method: String, _ path: String, _ body: JSON? = nil, _ bearer: String? = nil) -> Call {
            Call(port: .api, method: method, path: path, body: body, bearer: bearer)
        }
        func control(_ method: String, _ path: String, _ body: JSON? = nil) -> Call {
            Call(port: .control, method: method, path: path, body: body)
        }
        let (device, pass) = (
            "/wallet/apple/devices/\(story.phone)", "/wallet/apple/devices/\(story.phone)/passes/\(story.serial)"
        )
        let tpc = "/mg/tpc/DEMOBANK01/"
        let update: JSON = [
            "tokenId": .string(story.token), "tokenRequestorId": "40010030273", "scheme": "VISA",
            "authorizationCode": .string(story.lifecycleCode), "action": "Suspend",
        ]
        let binding: JSON = [
            "deviceId": .string(story.phone), "application": .string(TestSandbox.walletExtensionUI),
            "context": "extension",
        ]
        let assertion = try issuer.assertion()
        return [
            api("POST", "/wallet/apple/devices", ["kind": "phone"]), api("PATCH", device, ["name": "other"]),
            api(
                "POST",
                device + "/provisioning-sessions",
                [
                    "paymentNetwork": "AmEx", "cardholderName": "ANA PRUEBA", "primaryAccountSuffix": "0005",
                    "application": .string(TestSandbox.application),
                ]
            ),
            api("POST", "/wallet/apple/provisioning-sessions/\(story.session)/pass", story.triple),
            api(
                "POST",
                "/wallet/apple/devices/\(story.other)/manual-entries",
                [
                    "pan": .string(TestCard.visa.pan), "expiration": "12/32", "name": "ANA PRUEBA", "cvv": "123",
                    "paymentNetwork": "Visa", "application": .string(TestSandbox.application),
                ]
            ),
            api("POST", story.waiting + "/activation-code", ["method": "SMS"]), api("POST", pass + "/suspend"),
            api("POST", device + "/lost-mode", ["on": true]), api("DELETE", pass), api("DELETE", device),
            api(
                "POST",
                tpc + "generateAddPaymentPassRequest",
                story.request.replacing("authorizationCode", .string(story.freshCode))
            ),
            api("POST", tpc + "updateTokenState", update), api("POST", "/d1/client/v1/binding-hash", binding),
            api("POST", "/d1/client/v1/login", binding.adding("issuerTokens", .strings([story.issuerToken]))),
            Call(
                port: .api,
                method: "POST",
                path: "/authz/v1/oauth2/token",
                form: "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=\(assertion)"
            ),
            api("PUT", "/banking/v1/issuers/DEMOBANK01/consumers/full", [:], story.bearer),
            api("POST", "/banking/v1/issuers/DEMOBANK01/cards/card-visa/operations:suspend", [:], story.bearer),
            api("GET", "/t/new-tenant/wallet/apple/devices"),
            control("POST", "/v1/tenants", ["name": "new"]),
            control("PATCH", "/v1/tenants/default", ["strictness": "strict"]),
            control("POST", "/v1/tenants/default/reset"), control("POST", "/v1/tenants/default/fork", ["as": "copy"]),
            control("PUT", "/v1/issuers/FULLDISK01", ["name": "Full"]), control("DELETE", "/v1/issuers/DEMOBANK02"),
            control("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", ["contactName": "Full"]),
            control("PUT", "/v1/applications/A1B2C3D4E5.com.full", ["issuerId": "DEMOBANK01"]),
            control(
                "POST",
                "/v1/cards",
                ["issuerId": "DEMOBANK01", "issuerCardRefId": "full", "pan": .string(TestCard.visa.pan), "exp": "1230"]
            ),
            control("POST", "/v1/cards/card-visa/events", ["event": "block"]),
            control(
                "POST",
                "/v1/tokens",
                ["issuerCardRefId": "card-mastercard", "issuerId": "DEMOBANK01", "deviceId": .string(story.phone)]
            ),
            control("POST", "/v1/tokens/\(story.token)/events", ["event": "suspend"]),
            control("POST", "/v1/payload-keys/rotate"), control("PUT", "/v1/clock", ["mode": "frozen"]),
            control("POST", "/v1/clock/advance", ["seconds": 60]),
            control("POST", "/v1/faults", ["id": "new", "effect": ["delay": ["fixedMs": 1]]]),
            control("DELETE", "/v1/faults/kept"), control("DELETE", "/v1/faults"),
            control("POST", "/v1/import", story.world),
            control("POST", "/v1/snapshots"), control("DELETE", "/v1/snapshots/\(story.snapshot)"),
            control("POST", "/v1/snapshots/\(story.snapshot)/restore"),
            control("DELETE", "/v1/tenants/other"),
        ]
    }

    private static let reads = [
        "/healthz", "/readyz", "/metrics", "/v1/tokens", "/v1/cards", "/v1/issuers", "/v1/tenants", "/v1/faults",
        "/v1/clock", "/v1/snapshots", "/v1/journal", "/v1/export", "/v1/payload-certificates",
    ]

    @Test func `every change is refused and changes nothing, reads go on, and room is all it needs`() async throws {
        let disk = TestDisk()
        try await withSandbox(configure: { _ in }, store: disk.under) { sandbox in
            let story = try await story(sandbox)
            func seen() async throws -> [String] {
                var texts = [try await sandbox.passes(story.phone).text]
                for path in ["/v1/export", "/v1/faults", "/v1/snapshots", "/v1/tenants", "/v1/clock"] {
                    texts.append(try await sandbox.control("GET", path).text)
                }
                return texts
            }
            let before = try await seen()
            let entries = try await sandbox.control("GET", "/v1/journal?limit=1000")["items"].array?.count ?? 0
            let calls = try changes(story, TestIssuer(sandbox))
            disk.isFull = true
            for call in calls {
                let reply = try await call.send(sandbox)
                #expect(reply.status == 503, "\(call.method) \(call.path): \(reply.status) \(reply.text.prefix(200))")
                #expect(reply.diagnosis.first == "STORE_UNAVAILABLE", "\(call.method) \(call.path)")
                #expect(reply.header("retry-after") == "1", "\(call.method) \(call.path)")
                if call.port == .control { #expect(reply["code"] == "STORE_UNAVAILABLE") }
            }
            for path in Self.reads { #expect(try await sandbox.control("GET", path).status == 200, "\(path)") }
            #expect(try await seen() == before)
            // Also the journal stays, which a reset empties.
            let kept = try await sandbox.control("GET", "/v1/journal?limit=1000")["items"].array?.count ?? 0
            #expect(kept >= entries + calls.filter { $0.port == .api }.count - 1)
            disk.isFull = false
            // In an order in which each leaves what the next one needs; what removes comes last.
            for call in calls
            where call.method != "DELETE" && !call.path.hasSuffix("reset") && !call.path.hasSuffix("import") {
                let reply = try await call.send(sandbox)
                #expect(
                    reply.status < 300 || reply.status == 409,
                    "\(call.path): \(reply.status) \(reply.text.prefix(200))"
                )
            }
            #expect(try await sandbox.control("POST", "/v1/tenants/default/reset").status == 200)
        }
    }
}
