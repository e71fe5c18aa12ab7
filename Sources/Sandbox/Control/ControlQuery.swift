import Masking
import Networks
import Traffic
import Web
import Wire

/// The query parameters that a control call reads. A misspelt one would be as if it were not there, and the call would
/// do more than was asked for; so each must be one that is read, given once, and readable.
struct ControlQuery: Sendable {
    let names: [String]
    /// Whether names and repetitions are the handler's to refuse, with codes of its own.
    private let isReadByHandler: Bool

    static let none = ControlQuery(names: [], isReadByHandler: false)

    /// Of a list that is answered in parts.
    static let page = ControlQuery(names: ListPage.parameters, isReadByHandler: false)
    static func page(and names: String...) -> ControlQuery {
        ControlQuery(names: ListPage.parameters + names, isReadByHandler: false)
    }

    static func reading(_ names: String...) -> ControlQuery { ControlQuery(names: names, isReadByHandler: false) }

    /// The journal's filter, which is used on the command line and in tests too.
    static func journal(_ names: [String]) -> ControlQuery { ControlQuery(names: names, isReadByHandler: true) }

    func check(_ request: HTTPRequest) throws(Refusal) {
        let pairs = request.query
        // A pair that does not decode is left out of the pairs.
        guard pairs.count == request.rawQuery.utf8.split(separator: 0x26).count else {
            throw Refusal(.failed("query", ControlFault.queryEncoding))
        }
        if isReadByHandler { return }
        var seen: Set<String> = []
        for pair in pairs {
            guard names.contains(pair.name) else { throw refusal(.queryUnknown, pair.name) }
            guard seen.insert(pair.name).inserted else { throw refusal(.queryRepeated, pair.name) }
        }
    }

    /// A refusal that names the parameter; its value may be anything and is not repeated.
    private func refusal(_ fault: ControlFault, _ name: String) -> Refusal {
        let shown = Masking.excerpt(name, 64)
        let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
        return Refusal(.failed(.query(shown), fault, evidence: "\(shown); \(known)"))
    }
}
