import Core
import Wire

/// The picture of one configured card. It is a record of its own: it has megabytes, and the configuration is read each
/// time that the status is worked out.
struct D1CardArt: Record, Equatable {
    static let kind = "d1CardArt"

    let recordID: String
    let deviceID: String
    /// As it was sent: base64 of a PNG or PDF.
    let text: String

    init(_ recordID: String, deviceID: String, text: String) {
        self.recordID = recordID
        self.deviceID = deviceID
        self.text = text
    }

    var keys: [RecordKey] { [RecordKey("device", deviceID)] }
    static var outlivesDevice: Bool { true }

    var document: JSON { ["id": .string(recordID), "deviceId": .string(deviceID), "art": .string(text)] }

    init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(D1CardArt.kind, document)
        recordID = try reader.string("id")
        deviceID = try reader.string("deviceId")
        text = try reader.string("art")
    }
}

extension D1Configuration {
    /// The record of a card's picture.
    func artID(of card: CardParams, _ issuer: IssuerParams) -> String {
        "\(recordID)/\(issuer.issuerID)/\(issuer.consumerID)/\(card.cardID)"
    }

    fileprivate var artIDs: [String] { issuers.flatMap { issuer in issuer.cards.map { artID(of: $0, issuer) } } }
}

extension World {
    /// Stores what an application configured, with its pictures by their records' ids, in place of what it configured
    /// before.
    func put(_ configuration: D1Configuration, art: [String: String]) throws {
        if let old = try store.record(D1Configuration.self, configuration.recordID) {
            for id in old.artIDs where art[id] == nil { try store.remove(D1CardArt.self, id) }
        }
        for id in configuration.artIDs {
            guard let text = art[id] else { continue }
            try store.put(D1CardArt(id, deviceID: configuration.deviceID, text: text))
        }
        try store.put(configuration)
    }
}
