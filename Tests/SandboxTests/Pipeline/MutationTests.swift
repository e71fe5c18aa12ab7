import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// Bad input is an answer, never a fault: good requests bent at random, 10,000 of them.
struct MutationTests {
    private struct Good {
        let port: TestPort
        let method: String
        let path: String
        let body: [UInt8]
    }

    /// One good request of every operation that takes a body, and some that take a query.
    private func goodRequests(_ sandbox: TestSandbox) async throws -> [Good] {
        let phone = try await sandbox.device()
        let issuer = TestIssuer(sandbox)
        let session = try await sandbox.session(phone, .visa, .visa)
        let generate = try sandbox.passRequest(session, .visa, .visa)
        let triple = try await sandbox.api("POST", "/mg/tpc/DEMOBANK01/generateAddPaymentPassRequest", generate)
        let token = try await sandbox.provision(phone, .mastercard, .mastercard)
        let serial = token["pass"]["serialNumber"]?.string ?? ""
        let payload = JSON.string(try issuer.payload(.visa))
        let application = JSON.string(TestSandbox.application)
        let update: JSON = [
            "tokenId": token["tokenId"], "tokenRequestorId": "", "scheme": "MASTERCARD", "action": "Suspend",
            "authorizationCode": .string(try issuer.code(sub: token.text("tokenId"))),
        ]
        let activate: JSON = [
            "scheme": "VISA", "encryptedPayload": payload, "nonce": "AAAAAA==",
            "authorizationCode": .string(try issuer.code(sub: "test-visa")),
        ]
        let wanted: JSON = [
            "deviceId": .string(phone), "application": application, "primaryAccountNumberSuffix": "1111",
            "scheme": "VISA", "encryptedPayload": payload,
        ]
        let begin: JSON = [
            "paymentNetwork": "Visa", "cardholderName": "ANA", "primaryAccountSuffix": "1111",
            "application": application,
        ]
        let typed: JSON = [
            "pan": "4111111111111111", "expiration": "12/32", "name": "ANA", "cvv": "123", "paymentNetwork": "Visa",
        ]
        let metadata: JSON = [
            "contactName": "Demo", "bank_app": "Demo", "appLaunchURL": "demo://x", "associatedStoreIdentifiers": ["1"],
            "associatedApplicationIdentifiers": [application],
        ]
        let tpc = "/mg/tpc/DEMOBANK01/"
        let wallet = "/wallet/apple/"
        let pass = wallet + "devices/\(phone)/passes/\(serial)"
        let api: [(String, String, JSON)] = [
            ("POST", tpc + "generateAddPaymentPassRequest", generate), ("POST", tpc + "activatePass", activate),
            ("POST", tpc + "getTokens", ["scheme": "VISA", "encryptedPayload": payload]),
            ("POST", tpc + "updateTokenState", update), ("POST", tpc + "getCardDigitizationResult", wanted),
            ("POST", tpc + "isCardDigitized", wanted),
            ("POST", wallet + "devices", ["kind": "phone", "name": "x", "pairedWith": .string(phone)]),
            ("PATCH", wallet + "devices/\(phone)", ["name": "y", "pairedWith": .null]),
            ("POST", wallet + "devices/\(phone)/lost-mode", ["on": false]),
            ("POST", wallet + "devices/\(phone)/provisioning-sessions", begin),
            ("POST", wallet + "provisioning-sessions/\(session.text("sessionId"))/pass", triple.json),
            ("POST", wallet + "devices/\(phone)/manual-entries", typed),
            ("GET", wallet + "devices/\(phone)/passes?application=\(TestSandbox.application)&last4=1111", .null),
            ("GET", pass + "/verification-url?variant=encoded", .null),
            ("POST", pass + "/activation-code", ["method": "SMS"]),
            ("POST", pass + "/activate", ["activationCode": "123456", "activationData": "e30="]),
            ("POST", pass + "/suspend", [:]),
        ]
        let issuerDocument = try await sandbox.control("GET", "/v1/issuers/DEMOBANK02").json
        let control: [(String, String, JSON)] = [
            ("PUT", "/v1/issuers/DEMOBANK02", issuerDocument),
            ("PUT", "/v1/issuers/DEMOBANK01/pass-metadata/visa", metadata),
            ("POST", "/v1/issuers/DEMOBANK01/pass-metadata/visa/apply", ["tokenId": token["tokenId"]]),
            ("PUT", "/v1/applications/\(TestSandbox.application)", ["issuerId": "DEMOBANK01", "kind": "app"]),
            (
                "POST", "/v1/cards",
                ["issuerId": "DEMOBANK01", "issuerCardRefId": "new", "pan": "4242424242424242", "exp": "1232"]
            ), ("POST", "/v1/cards/card-visa/events", ["event": "renew", "exp": "1233"]),
            (
                "POST", "/v1/tokens",
                ["issuerCardRefId": "card-visa", "network": "visa", "deviceId": .string(phone), "state": "inactive"]
            ), ("POST", "/v1/tokens/\(token.text("tokenId"))/events", ["event": "suspend", "by": "network"]),
            ("PATCH", "/v1/tenants/default", ["magicData": true, "seed": 7]),
            ("GET", "/v1/journal?face=tpc&status=400&since=1&limit=3", .null),
        ]
        func requests(_ port: TestPort, _ rows: [(String, String, JSON)]) -> [Good] {
            rows.map { Good(port: port, method: $0.0, path: $0.1, body: $0.2.isNull ? [] : $0.2.bytes) }
        }
        return requests(.api, api) + requests(.control, control)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no bent request is answered with a 5xx`(_ seed: UInt64) async throws {
        try await withSandbox { sandbox in
            let good = try await goodRequests(sandbox)
            var mutator = Mutator(seed: seed)
            var faults: [String] = []
            var codes: Set<String> = []
            for round in 0..<2_500 {
                let request = good[round % good.count]
                let bent = mutator.bend(request.body)
                let path = mutator.bend(path: request.path)
                let reply = try await sandbox.send(request.port, request.method, path, bent, mutator.headers())
                codes.formUnion(reply.diagnosis)
                if !(200..<500).contains(reply.status) {
                    faults.append(
                        "\(reply.status) \(request.method) \(path) \(String(decoding: bent, as: UTF8.self).prefix(600))"
                    )
                }
                // Every refusal has its code, and every answer its id.
                if reply.header("x-request-id") == nil || (reply.status >= 400 && reply.diagnosis.isEmpty) {
                    faults.append("bare \(reply.status) \(request.method) \(path)")
                }
            }
            #expect(faults == [])
            #expect(codes.subtracting(SandboxApplication.diagnosisCodes.map(\.name)) == [])
            #expect(codes.count > 40)
        }
    }
}

/// Bends requests: bytes, members of a document, paths and headers.
private struct Mutator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private static let values: [JSON] = [
        .null, true, 0, -1, .number("1e400"), .number("99999999999999999999"), .number("0.5"), "", " ", "é\u{0}",
        .string(String(repeating: "A", count: 5_000)), [], [[]], [:], ["a": 1], "../..", "%00", "4111111111111111",
    ]

    mutating func bend(_ body: [UInt8]) -> [UInt8] {
        guard !body.isEmpty else { return body }
        if Bool.random(using: &random), let json = try? JSON.parse(body) { return bend(json).bytes }
        return bend(bytes: body)
    }

    /// Another value in one place of the document.
    private mutating func bend(_ json: JSON) -> JSON {
        switch json {
        case .object(let object) where !object.members.isEmpty:
            let member = object.members[Int.random(in: 0..<object.members.count, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return json.without(member.key)
            case 1: return json.adding(member.key + "x", member.value)
            case 2, 3: return json.adding(member.key, Self.values.randomElement(using: &random) ?? .null)
            default: return json.adding(member.key, bend(member.value))
            }
        case .array(let items) where !items.isEmpty:
            var items = items
            let index = Int.random(in: 0..<items.count, using: &random)
            items[index] = bend(items[index])
            if Bool.random(using: &random) { items.append(items[index]) }
            return .array(items)
        case .string(let text) where !text.isEmpty:
            let bytes = bend(bytes: Array(text.utf8))
            return .string(String(decoding: bytes, as: UTF8.self))
        default: return Self.values.randomElement(using: &random) ?? .null
        }
    }

    private mutating func bend(bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 3: bytes.removeLast(bytes.count - index)
            case 4: bytes.insert(contentsOf: bytes[..<index].suffix(40), at: index)
            default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        return bytes
    }

    /// Every fourth path is bent too, within what a request line can hold.
    mutating func bend(path: String) -> String {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return path }
        let bent = bend(bytes: Array(path.utf8)).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "%") }
        return "/" + String(decoding: bent.dropFirst(), as: UTF8.self)
    }

    mutating func headers() -> [(String, String)] {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: [("content-type", "text/plain")]
        case 1: [("content-type", ";;")]
        case 2: [("x-request-id", "a b")]
        case 3: [("x-sandbox-tenant", "No Tenant")]
        default: []
        }
    }
}
