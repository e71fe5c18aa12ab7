import SandboxTesting
import Testing
import Wire

/// What a test compares of an answer: status, the words in the body, and the diagnosis in its order.
struct Answer: Equatable, CustomTestStringConvertible {
    var status: Int
    var words: String
    var codes: [String]

    var testDescription: String { "\(status) \(words) \(codes.joined(separator: ","))" }
}

/// A text of the TSH code family, written down here a second time.
func tpcText(_ code: Int) -> String {
    switch code {
    case 111: "Missing parameter"
    case 112: "Bad format"
    case 113: "Unknown issuer"
    case 116: "Card is not digitized"
    case 117: "Unknown device"
    case 119: "Unknown virtual card"
    case 166: "Invalid card information"
    case 401: "Wrong authentication"
    case 432: "Operation not allowed in the current state"
    default: "Operation failed"
    }
}

/// A refusal of the TPC face: number, text and all codes, the deciding one first.
func expect(
    _ reply: TestReply,
    tpc code: Int,
    _ codes: [String],
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let wanted = Answer(
        status: code == 401 ? 401 : 400,
        words: "{\"code\":\(code),\"message\":\"\(code). \(tpcText(code))\"}",
        codes: codes
    )
    let found = Answer(status: reply.status, words: reply.text, codes: reply.diagnosis)
    #expect(found == wanted, comment, sourceLocation: sourceLocation)
}

/// A refusal of the wallet: status, PassKit's error, reason, request id, and all codes.
func expect(
    _ reply: TestReply,
    wallet status: Int,
    _ codes: [String],
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let unsupported = status == 403
    let cancelled = codes.first == "TERMS_REFUSED"
    let (number, name) = unsupported ? (0, "unsupported") : cancelled ? (1, "userCancelled") : (2, "systemCancelled")
    let error = JSON.object(
        JSONObject([
            ("domain", "PKPassKitErrorDomain"), ("code", .number(number)), ("name", .string(name)),
        ])
    )
    let wanted = Answer(
        status: status,
        words: "\(error.text) \(codes.first ?? "") \(reply.header("x-request-id") ?? "no request id")",
        codes: codes
    )
    let found = Answer(
        status: reply.status,
        words: "\(reply["error"].text) \(reply["reason"].string ?? reply.text) \(reply["requestId"].string ?? "")",
        codes: reply.diagnosis
    )
    #expect(found == wanted, comment, sourceLocation: sourceLocation)
}

extension TestReply {
    /// Status and codes, for messages of tests that expect success.
    var summary: String { "\(status) \(diagnosis) \(text.prefix(400))" }

    /// Text of a member, empty when there is none.
    func text(_ key: String) -> String { self[key].string ?? "" }
}

extension JSON {
    /// The member at a path of names.
    func at(_ path: String...) -> JSON {
        path.reduce(self) { $0[$1] ?? .null }
    }

    func without(_ key: String) -> JSON { replacing(key, .null) }
}
