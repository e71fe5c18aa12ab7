/// An object of a JSON document, and where it stands there.
package struct JSONCursor: Sendable {
    /// All members, as they are.
    package let object: JSONObject
    /// JSON pointer (RFC 6901); empty for the document itself.
    package let pointer: String
    /// Is told which members somebody knows; nil where nobody asks.
    private let log: MemberLog?

    /// - Parameters:
    ///   - pointer: where the object stands in its document.
    ///   - log: is told of the object, and of each member that is read.
    package init(_ object: JSONObject, at pointer: String = "", log: MemberLog? = nil) {
        self.object = object
        self.pointer = pointer
        self.log = log
        log?.add(object, at: pointer)
    }

    /// Nil for a member that is absent, and for null. Not by `flatMap`: there `nil` would be the JSON null.
    package func value(_ name: String) -> JSON? {
        log?.know(name, at: pointer)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// Where a member stands. `name` may be several steps, each escaped as a pointer wants it.
    package func pointer(to name: String) -> String { "\(pointer)/\(name)" }

    /// A value inside that is an object; nil when it is not.
    ///
    /// - Parameter step: from here, as in ``pointer(to:)``.
    package func inside(_ value: JSON, _ step: String) -> JSONCursor? {
        guard case .object(let object) = value else { return nil }
        return JSONCursor(object, at: pointer(to: step), log: log)
    }

    /// Members that are not among `known`, in their order.
    package func names(besides known: some Collection<String>) -> [String] {
        object.keys.filter { !known.contains($0) }
    }

    /// Says which members there are, all of them, before any is read: others are told even when one of these is wrong.
    package func expect(_ names: [String]) { log?.declare(names, at: pointer) }

    /// Takes a member that says once more what the path says, as a document does that GET answered.
    package func expect(_ name: String, again value: String) {
        if object[name]?.string == value { log?.know(name, at: pointer) }
    }

    /// The object for who keeps it whole or knows its members better.
    package var whole: JSONObject {
        log?.knowAll(at: pointer)
        return object
    }
}
