package import Core
package import Traffic
import Web
package import Wire

/// Which part of a long list is asked for: `limit` items after the one named by `after` (CONTRACT, section 5, "Shapes").
package struct ListPage: Sendable {
    /// Items of a list where the query says nothing.
    package static let usual = 1_000
    /// Most items of one answer.
    package static let most = 10_000
    /// The names of its query parameters.
    package static let parameters = ["limit", "after"]

    private let limit: Int
    private let after: String?

    /// Reads the query.
    ///
    /// - Throws: ``Refusal`` for a limit that is none.
    package init(_ exchange: inout Exchange) throws(Refusal) {
        after = exchange.request.queryValue("after")
        guard let text = exchange.request.queryValue("limit") else {
            limit = ListPage.usual
            return
        }
        guard let number = Int(text), (1...ListPage.most).contains(number) else {
            throw exchange.refusal(.failed(.query("limit"), ListFault.limit, evidence: "1 to \(ListPage.most)"))
        }
        limit = number
    }

    /// The part, and where the next one begins; nil when nothing is left. An item that is gone begins nothing: the list is
    /// empty then.
    package func part<Item>(of items: [Item], id: (Item) -> String) -> (items: ArraySlice<Item>, next: String?) {
        let start =
            after.map { after in items.firstIndex { id($0) == after }.map { $0 + 1 } ?? items.count } ?? 0
        let part = items[start...].prefix(limit)
        return (part, part.endIndex < items.count ? part.last.map(id) : nil)
    }

    /// The part of a tenant's records of a kind, by their ids.
    ///
    /// - Throws: ``StoreFault``.
    package func part<R: Record>(of type: R.Type, in view: View) throws -> (items: [R], next: String?) {
        let found = try view.store.records(type, after: after, limit: limit + 1)
        let part = Array(found.prefix(limit))
        return (part, found.count > limit ? part.last?.recordID : nil)
    }

    /// The answer: `items`, and `next` where there is more.
    package func list(_ items: [JSON], next: String?) -> JSON {
        let list: JSON = ["items": .array(items)]
        return next.map { list.adding("next", .string($0)) } ?? list
    }
}

/// What is wrong with a question for a part of a list.
package enum ListFault: String, DiagnosisSubject {
    case limit = "LIST_LIMIT"
}

extension ListFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        (.malformed, "The limit of a list is not a number from 1 to 10,000.", "Ask for less, and go on with after.")
    }
}
