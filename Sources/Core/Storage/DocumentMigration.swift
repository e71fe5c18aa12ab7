package import Wire

/// A change of how things are written down, for worlds that older versions wrote: in a store's file, in its snapshots, and
/// in exports.
///
/// A released one never changes and never moves, and uses no type of today: those will have other members.
package struct DocumentMigration: Sendable {
    /// One record, as a migration sees it.
    package struct Entry: Sendable, Equatable {
        /// What records of this sort are called in the store.
        package let kind: String
        /// The id under which the tenant has the record.
        package let id: String
        /// Empty where nobody keeps them, as in an export.
        package let keys: [RecordKey]
        /// What is kept of it.
        package let document: JSON

        /// Made of its members.
        package init(kind: String, id: String, keys: [RecordKey], document: JSON) {
            self.kind = kind
            self.id = id
            self.keys = keys
            self.document = document
        }
    }

    /// Names the backup that a store makes before it.
    package let name: String
    /// The kind of records that it takes.
    package let kind: String
    private let replacement: @Sendable (Entry) -> [Entry]

    init(name: String, kind: String, replacement: @escaping @Sendable (Entry) -> [Entry]) {
        self.name = name
        self.kind = kind
        self.replacement = replacement
    }

    /// What the entry becomes; nil for one that stays as it is. One that cannot be understood stays, and whoever reads it
    /// says what is wrong with it.
    package func replacing(_ entry: Entry) -> [Entry]? {
        guard entry.kind == kind else { return nil }
        let entries = replacement(entry)
        return entries == [entry] ? nil : entries
    }

    /// All of them, the oldest first. New ones are appended.
    package static let all = [passesAndHistory, cardArt]

    /// A token had its pass and its history inside, was always Apple's, and grew with each change.
    package static let passesAndHistory = DocumentMigration(name: "passes-and-history", kind: "token") { entry in
        let ids = [
            "visa": "40010030273", "mastercard": "50110030273", "amex": "30010030273", "discover": "90110030273",
        ]
        guard var token = entry.document.object, let id = token["tokenId"]?.string,
            let requestor = token["network"]?.string.flatMap({ ids[$0] }),
            let history = (token["history"] ?? []).array
        else { return [entry] }

        var pass = JSONObject([("tokenId", .string(id))])
        for member in ["serialNumber", "sessionNonce", "metadata"] {
            pass[member] = token[member]
            token[member] = nil
        }
        token["history"] = nil
        // A method is locked when its code has no attempts left, and the code says so.
        token["lockedMethods"] = nil
        token["tokenRequestorId"] = .string(requestor)
        token["activeSince"] =
            token["state"] == "active" ? history.last { $0["to"] == "active" }?["at"] ?? .null : .null
        token["changes"] = .number(history.count)

        let keys = entry.keys.filter { $0.name != "serial" }
        let serial = pass["serialNumber"]?.string.map { [RecordKey("serial", $0)] } ?? []
        let changes = history.enumerated().map { index, change in
            Entry(
                kind: "tokenChange",
                id: "\(id)/\(index + 1)",
                keys: [],
                document: change.adding("tokenId", .string(id)).adding("number", .number(index + 1))
            )
        }
        return [
            Entry(kind: "token", id: entry.id, keys: keys, document: .object(token)),
            Entry(kind: "pass", id: id, keys: serial, document: .object(pass)),
        ] + changes
    }

    /// A configuration of D1 had its pictures inside.
    package static let cardArt = DocumentMigration(name: "card-art", kind: "d1Configuration") { entry in
        guard var document = entry.document.object, let deviceID = document["deviceId"]?.string,
            let issuers = document["issuers"]?.array
        else { return [entry] }
        var pictures: [Entry] = []
        document["issuers"] = .array(
            issuers.map { issuer in
                let cards = (issuer["cards"]?.array ?? []).map { card in
                    guard var object = card.object, let art = object["cardArt"], let cardID = object["cardId"]?.string
                    else { return card }
                    object["cardArt"] = nil
                    let owner = "\(issuer["issuerId"]?.string ?? "")/\(issuer["consumerId"]?.string ?? "")"
                    let id = "\(entry.id)/\(owner)/\(cardID)"
                    pictures.append(
                        Entry(
                            kind: "d1CardArt",
                            id: id,
                            keys: [RecordKey("device", deviceID)],
                            document: ["id": .string(id), "deviceId": .string(deviceID), "art": art]
                        )
                    )
                    return .object(object)
                }
                guard var object = issuer.object else { return issuer }
                object["cards"] = .array(cards)
                return .object(object)
            }
        )
        return [Entry(kind: entry.kind, id: entry.id, keys: entry.keys, document: .object(document))] + pictures
    }
}
