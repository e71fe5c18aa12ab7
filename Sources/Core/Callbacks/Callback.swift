import Crypto
package import Wire

/// A call that a network makes to the issuer. It is queued with the change it tells of; delivery is another matter.
package struct Callback: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "callback"
    /// Older ones make room.
    package static let capacity: Int64 = 1_000

    /// How far a callback is.
    package enum State: String, Sendable, CaseIterable {
        case queued
        case delivered
        case failed
        case dropped
    }

    /// `cb-` and the number that the tenant counts.
    package let callbackID: String
    /// The network in whose words it is written.
    package let face: String
    /// The network's name of the call.
    package let operation: String
    /// The issuer that is called.
    package let issuerID: String
    /// The network's id of the token, when there is one.
    package let tokenID: String?
    /// The issuer's endpoint when one is configured, else the path below it.
    package let url: String
    /// What is sent.
    package let body: JSON
    /// When it was made, by the tenant's clock.
    package let createdAt: Instant
    /// How far it is.
    package var state: State

    /// The id under which a tenant has this record.
    package var recordID: String { callbackID }

    /// What the store keeps of it.
    package var document: JSON {
        [
            "id": .string(callbackID), "face": .string(face), "operation": .string(operation),
            "issuerId": .string(issuerID), "tokenId": .optional(tokenID), "url": .string(url), "body": body,
            "createdAt": .instant(createdAt), "state": .string(state.rawValue),
        ]
    }

    init(_ content: CallbackContent, _ body: JSON, id: String, url: String, at now: Instant) {
        callbackID = id
        face = content.face
        operation = content.operation
        issuerID = content.issuerID
        tokenID = content.tokenID
        self.url = url
        self.body = body
        createdAt = now
        state = .queued
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Callback.kind, document)
        callbackID = try reader.string("id")
        face = try reader.string("face")
        operation = try reader.string("operation")
        issuerID = try reader.string("issuerId")
        tokenID = try reader.optionalString("tokenId")
        url = try reader.string("url")
        body = reader.value("body") ?? .null
        createdAt = try reader.instant("createdAt")
        state = try reader.word("state", State.self)
    }
}

/// What is told to whom.
package struct CallbackContent {
    let face: String
    let operation: String
    let issuerID: String
    let tokenID: String?
    /// Below the issuer's endpoint of the face, beginning with a slash.
    let path: String
    let body: (_ operationID: String) -> JSON

    /// - Parameters:
    ///   - operation: as the journal names it, for example `d1.notifyCard`.
    ///   - path: below the issuer's endpoint of the face, beginning with a slash.
    ///   - body: gets an operation id of the call's own, which costs no draw.
    package init(
        face: String,
        operation: String,
        issuerID: String,
        tokenID: String?,
        path: String,
        body: @escaping (_ operationID: String) -> JSON
    ) {
        self.face = face
        self.operation = operation
        self.issuerID = issuerID
        self.tokenID = tokenID
        self.path = path
        self.body = body
    }
}

/// How many callbacks a tenant has had; their ids come from it, so that no draw is spent on them.
struct CallbackCounter: Record {
    static let kind = "callbackCounter"
    let count: Int64

    var recordID: String { CallbackCounter.kind }
    var document: JSON { ["count": .number(count)] }

    init(count: Int64) { self.count = count }

    init(document: JSON) throws(RecordFault) {
        count = try DocumentReader(CallbackCounter.kind, document).integer("count")
    }
}

extension World {
    /// Queues a call.
    func queue(_ content: CallbackContent) throws {
        let number = (try store.record(CallbackCounter.self, CallbackCounter.kind)?.count ?? 0) + 1
        try store.put(CallbackCounter(count: number))
        let digest = Hash.sha256.digest(Array("callback/\(tenant.draws.seed)/\(number)".utf8))
        let endpoint = try store.record(Issuer.self, content.issuerID)?.callbackEndpoint(content.face)
        let url = (endpoint ?? "") + content.path
        let body = content.body(Hex.encode(Array(digest.prefix(16))))
        try store.add(Callback(content, body, id: "cb-\(number)", url: url, at: now))
        if number > Callback.capacity { try store.remove(Callback.self, "cb-\(number - Callback.capacity)") }
    }
}

extension Issuer {
    /// `callbacks.<face>`: an address, or an object with `url`.
    func callbackEndpoint(_ face: String) -> String? {
        let value = extras["callbacks"]?[face]
        guard var text = value?.string ?? value?["url"]?.string, !text.isEmpty else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
