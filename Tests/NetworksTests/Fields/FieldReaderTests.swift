import Core
import Testing
import Traffic
import Web
import Wire

@testable import Networks

/// A face to come: its members share the codes of their faults.
private enum NewField: String, RequestField {
    case amount
    case cards
    case key
    case note
    case pan

    var form: FieldForm {
        switch self {
        case .cards: .list(of: .object)
        case .key: .bytes(limit: 4)
        case .note: .text(limit: 3)
        default: .text()
        }
    }

    var meaning: String? { self == .pan ? "The number." : nil }
}

@Suite struct FieldReaderTests {
    private static let card = FieldTable<NewField>(required: [.pan], optional: [.note])
    private static let body = FieldTable<NewField>(
        required: [.amount, .key],
        optional: [.note, .cards],
        inside: [.cards: card]
    )

    private func exchange(_ body: JSON) -> Exchange {
        Exchange(
            requestID: "r",
            tenant: .default,
            settings: Tenant.Settings(),
            face: "new",
            operation: "new.pay",
            request: HTTPRequest(method: .post, target: "/?pan=1&pan=2&x=3", body: body.bytes)
        )
    }

    @Test func `fields of a new face share codes, and place and evidence say which is meant`() {
        var exchange = exchange([
            "amount": "", "note": "long", "cards": [["pan": 1, "cvv": "1"], 7, [:]], "unknown": true,
        ])
        var fields = FieldReader(&exchange, Self.body, strictness: .documented)
        #expect(fields.string(.amount) == nil && fields.bytes(.key) == nil && fields.optionalString(.note) == nil)
        for var card in fields.objects(.cards, most: 9)?.readers ?? [] {
            #expect(card.string(.pan) == nil)
            card.finish(into: &exchange)
        }
        fields.finish(into: &exchange)
        let seen = exchange.checks.map { check in
            [check.code?.name, check.place?.pointer, check.evidence].map { $0 ?? "-" }
        }
        #expect(
            seen == [
                ["FIELD_WRONG_TYPE", "/cards/0/pan", "/cards/0/pan; a string is wanted, found number"],
                ["UNKNOWN_MEMBER", "/cards/0", "cards/0/cvv"],
                ["FIELD_MISSING", "/cards/2/pan", "/cards/2/pan"],
                ["FIELD_EMPTY", "/amount", "/amount"], ["FIELD_MISSING", "/key", "/key"],
                ["FIELD_MALFORMED", "/note", "/note; at most 3 bytes, found 4"],
                ["FIELD_WRONG_TYPE", "/cards", "/cards; a list of objects is wanted, found number"],
                ["UNKNOWN_MEMBER", "", "unknown"],
            ]
        )
        #expect(exchange.checks.filter(\.passed).map(\.name) == ["body.members", "body.members"])
    }

    @Test func `nothing is called missing in a body that cannot be read, and a query has places of its own`() {
        var exchange = exchange("text")
        var fields = FieldReader(&exchange, Self.body, strictness: .documented)
        #expect(fields.string(.amount) == nil && fields.array(.cards) == nil && fields.bytesList(.key) == nil)
        fields.finish(into: &exchange)
        #expect(exchange.checks.map(\.code?.name) == ["BODY_NOT_OBJECT"] && exchange.checks[0].place == .body(""))
        var query = FieldReader(queryOf: exchange, Self.card, strictness: .documented)
        #expect(query.string(.pan) == "1" && query.place(.pan) == .query("pan") && query.unknownMembers == ["x"])
    }

    @Test func `a table is a schema`() {
        let schema: JSON = [
            "type": "object",
            "properties": [
                "amount": ["type": "string"], "key": ["type": "string", "contentEncoding": "base64"],
                "note": ["type": "string"],
                "cards": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "properties": [
                            "pan": ["type": "string", "description": "The number."], "note": ["type": "string"],
                        ],
                        "required": ["pan"],
                    ],
                ],
            ],
            "required": ["amount", "key"],
        ]
        #expect(Self.body.schema == schema)
    }
}
