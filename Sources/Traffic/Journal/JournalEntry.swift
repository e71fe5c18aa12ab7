package import Core
package import Wire

/// One exchange as the journal keeps it. Every text in it is masked.
package struct JournalEntry: Sendable, Equatable {
    package enum Direction: String, Sendable, CaseIterable {
        /// A request that this server answered.
        case inbound
        /// A request that this server sent to an issuer.
        case callback
    }

    /// One side of the exchange.
    package struct Message: Sendable, Equatable {
        package var headers: [Header]
        package var body: String

        package init(headers: [Header], body: String) {
            self.headers = headers
            self.body = body
        }
    }

    package struct Header: Sendable, Equatable {
        /// In lower case.
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var requestID: String
    /// When the request came, in tenant time.
    package var at: Instant
    package var tenant: TenantName
    package var direction: Direction
    /// The face that answered, for example `tpc`.
    package var face: String
    /// The route's name, for example `mastercard.tokenize`.
    package var operation: String
    package var method: String
    /// The request target: path and query.
    package var path: String
    package var status: Int
    package var durationMicroseconds: Int64
    /// How often this operation was called with this request id, this time included. Nil until the journal counts.
    package var attempt: Int?
    /// Codes without repetition, first the one that chose the answer on the wire.
    package var diagnosis: [String]
    package var checks: [JournalCheck]
    /// The fault rule that fired.
    package var fault: String?
    package var scenario: String?
    package var tokenID: String?
    package var clientLeft: Bool
    package var request: Message
    package var response: Message
}

extension JournalEntry {
    /// Memory that the entry takes, roughly.
    var estimatedSize: Int {
        var size = 512 + requestID.utf8.count + face.utf8.count + operation.utf8.count + path.utf8.count
        for message in [request, response] {
            size += message.body.utf8.count
            for header in message.headers { size += 32 + header.name.utf8.count + header.value.utf8.count }
        }
        for check in checks {
            size += 160 + check.name.utf8.count + (check.evidence?.utf8.count ?? 0) + (check.hint?.utf8.count ?? 0)
        }
        return size + diagnosis.count * 48
    }
}
