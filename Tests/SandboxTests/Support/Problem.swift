import Core
import SandboxTesting
import Testing
import Wire

/// A refusal of the control API as tests compare it.
struct Problem: Equatable, CustomTestStringConvertible {
    var status: Int
    var code: String
    var pointer: String?
    var isProblem = true

    var testDescription: String { "\(status) \(code) \(pointer ?? "no pointer") \(isProblem ? "" : "no problem+json")" }

    init(_ status: Int, _ code: String, _ pointer: String? = nil) {
        self.status = status
        self.code = code
        self.pointer = pointer
    }

    init(_ reply: TestReply) {
        status = reply.status
        code = reply["code"].string ?? reply.text
        pointer = reply["pointer"].string
        // Title and detail are for people: the cause in words, and more.
        let (title, detail) = (reply["title"].string ?? "", reply["detail"].string ?? "")
        isProblem =
            reply.header("content-type") == "application/problem+json" && title.hasSuffix(".")
            && detail.hasPrefix(title) && reply["status"].integer == Int64(reply.status)
            && reply["requestId"].string == reply.header("x-request-id") && reply.diagnosis.first == code
    }
}

extension TestReply {
    var summary: String { "\(status) \(diagnosis) \(text.prefix(400))" }

    func text(_ key: String) -> String { self[key].string ?? "" }
}

extension JSON {
    func without(_ key: String) -> JSON { replacing(key, .null) }
}

extension TestSandbox {
    /// Registers the card through the control API.
    func register(_ card: TestCard, issuerID: String = "DEMOBANK01") async throws {
        let body: JSON = [
            "issuerId": .string(issuerID), "issuerCardRefId": .string(card.reference), "pan": .string(card.pan),
            "exp": .string(card.exp), "cardHolderName": .string(card.name),
        ]
        let reply = try await control("POST", "/v1/cards", body)
        try #require(reply.status == 201, "\(reply.summary)")
    }
}

/// A small repeatable generator for tests that bend requests.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
