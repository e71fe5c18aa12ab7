extension Check {
    /// A place in a request.
    package enum Place: Sendable, Hashable {
        /// A JSON pointer (RFC 6901) into the body, empty for the whole of it. A parameter of a form is a member, too.
        case body(String)
        /// The name of a header field, in small letters.
        case header(String)
        /// The name of a query parameter.
        case query(String)
        /// The name of a parameter of the path, as its template has it.
        case path(String)

        /// A member of the body's object.
        package static func member(_ name: String) -> Place { .body("/" + JSONPointer.escape(name)) }

        /// The pointer of a place in the body.
        package var pointer: String? {
            if case .body(let pointer) = self { pointer } else { nil }
        }

        /// The header field, the parameter, or the member of the body's object that this is or is inside of. Nil for the
        /// body as a whole.
        package var field: String? {
            switch self {
            case .body(let pointer): JSONPointer.first(pointer)
            case .header(let name), .query(let name), .path(let name): name
            }
        }

        /// Whether it is inside a member of the body's object, and not the member itself.
        package func isInside(_ member: String) -> Bool {
            pointer != nil && field == member && self != .member(member)
        }

        /// What a check is named that is about this place and nothing else, for example `body.scheme`.
        var name: String {
            switch self {
            case .body(let pointer): pointer.isEmpty ? "body" : "body." + pointer.dropFirst()
            case .header(let name): "header." + name
            case .query(let name): "query." + name
            case .path(let name): "path." + name
            }
        }
    }
}
