import Masking
import Synchronization

/// Which members the document of a call has, and which of them somebody knows: what nobody knows is a slip that would
/// be lost without a word.
///
/// One log is shared by a document and its parts. Its names come from a client; ``unknown(isRefused:)`` masks them.
package final class MemberLog: Sendable {
    /// Most pointers that are told.
    package static let mostTold = 8
    /// Most characters of a name that are told.
    private static let longestName = 40

    private struct Part {
        let pointer: String
        let names: [String]
        var known: Set<String> = []
        /// All names that are known were said before anything was read.
        var isDeclared = false
        var isWhole = false
    }

    private struct Parts {
        var list: [Part] = []
        var places: [String: Int] = [:]

        mutating func change(_ pointer: String, _ change: (inout Part) -> Void) {
            if let place = places[pointer] { change(&list[place]) }
        }
    }

    private let parts = Mutex(Parts())

    package init() {}

    /// Whether no document was looked at.
    package var isEmpty: Bool { parts.withLock { $0.list.isEmpty } }

    /// An object of the document, at its pointer; one that is looked at twice counts once.
    package func add(_ object: JSONObject, at pointer: String) {
        parts.withLock { parts in
            guard parts.places[pointer] == nil else { return }
            parts.places[pointer] = parts.list.count
            parts.list.append(Part(pointer: pointer, names: object.keys))
        }
    }

    /// Somebody asks for the member, whether it is there or not.
    package func know(_ name: String, at pointer: String) {
        parts.withLock { $0.change(pointer) { $0.known.insert(name) } }
    }

    /// Every name that the object may have. Reading ends at the first mistake, so that what was not read by then says
    /// nothing; what was not declared does.
    package func declare(_ names: [String], at pointer: String) {
        parts.withLock { parts in
            parts.change(pointer) { part in
                part.known.formUnion(names)
                part.isDeclared = true
            }
        }
    }

    /// The object is kept whole, or read by somebody else.
    package func knowAll(at pointer: String) { parts.withLock { $0.change(pointer) { $0.isWhole = true } } }

    /// Members that nobody knows, as JSON pointers: at most ``mostTold``, masked, in visible ASCII without a comma.
    ///
    /// - Parameter isRefused: reading ended early; then only objects whose names were declared are looked at.
    package func unknown(isRefused: Bool) -> [String] {
        parts.withLock { parts in
            var told: [String] = []
            for part in parts.list where !part.isWhole && (part.isDeclared || !isRefused) {
                for name in part.names where !part.known.contains(name) {
                    guard told.count < Self.mostTold else { return told }
                    let shown = JSONPointer.escape(Masking.excerpt(name, Self.longestName))
                    told.append(Self.visible("\(part.pointer)/\(shown)"))
                }
            }
            return told
        }
    }

    /// Percent-encoded as in a URI (RFC 6901, section 6): a header field takes it, and a comma separates two.
    private static func visible(_ pointer: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = pointer.utf8.flatMap { byte -> [UInt8] in
            let isPlain = (0x21...0x7E).contains(byte) && byte != 0x25 && byte != 0x2C
            return isPlain ? [byte] : [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
