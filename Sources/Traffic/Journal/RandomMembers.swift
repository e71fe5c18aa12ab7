import Web
import Wire

/// Values that no seed decides, as the journal writes them: by their length (CONTRACT, section 8). Then two runs with one
/// seed leave the same journal.
enum RandomMembers {
    /// The response's body with `<random n bytes>` in the place of each value that the response names as random; n is the
    /// length of the decoded value.
    static func replaced(in response: HTTPResponse) -> [UInt8] {
        guard !response.randomMembers.isEmpty, !response.body.isEmpty else { return response.body }
        if let document = try? JSON.parse(response.body) {
            return replaced(response.randomMembers, in: document).bytes
        }
        // A fault that breaks the document changes its last byte and nothing else.
        let (end, broken) = (UInt8(ascii: "}"), response.body.suffix(1))
        guard let document = try? JSON.parse(response.body.dropLast() + [end]) else { return response.body }
        return replaced(response.randomMembers, in: document).bytes.dropLast() + broken
    }

    private static func replaced(_ pointers: [String], in document: JSON) -> JSON {
        pointers.reduce(document) { document, pointer in
            replaced(pointer.split(separator: "/")[...], in: document)
        }
    }

    private static func replaced(_ path: ArraySlice<Substring>, in value: JSON) -> JSON {
        guard let name = path.first else { return value.string.map { .string(word($0)) } ?? value }
        switch value {
        case .object(var object):
            guard let member = object[String(name)] else { return value }
            object[String(name)] = replaced(path.dropFirst(), in: member)
            return .object(object)
        case .array(var items):
            guard let index = Int(name), items.indices.contains(index) else { return value }
            items[index] = replaced(path.dropFirst(), in: items[index])
            return .array(items)
        default: return value
        }
    }

    private static func word(_ text: String) -> String {
        "<random \((try? Base64.decode(text))?.count ?? text.utf8.count) bytes>"
    }
}
