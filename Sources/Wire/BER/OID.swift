/// An object identifier, kept as its content octets (X.690, section 8.19).
package struct OID: Hashable, Sendable {
    /// The content octets.
    package let content: [UInt8]

    /// Nil unless `content` is well formed: not empty, every arc complete and shortest.
    package init?(content: [UInt8]) {
        guard let last = content.last, last < 0x80, content.count <= 64 else { return nil }
        var startsArc = true
        for octet in content {
            if startsArc, octet == 0x80 { return nil }
            startsArc = octet < 0x80
        }
        self.content = content
    }

    /// From its arcs: `OID(1, 2, 840, 113549)`. At least two, as the tree has no shorter identifiers.
    package init(_ first: UInt64, _ second: UInt64, _ rest: UInt64...) {
        content = OID.encode(first * 40 + second) + rest.flatMap(OID.encode)
    }

    /// From dotted text; nil when that is not an object identifier.
    package init?(dotted: String) {
        var arcs: [UInt64] = []
        for part in dotted.split(separator: ".", omittingEmptySubsequences: false) {
            guard let arc = UInt64(part), arc < 1 << 56 else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        content = OID.encode(arcs[0] * 40 + arcs[1]) + arcs.dropFirst(2).flatMap(OID.encode)
    }

    private static func encode(_ arc: UInt64) -> [UInt8] {
        var octets = [UInt8(arc & 0x7F)]
        var rest = arc >> 7
        while rest > 0 {
            octets.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return octets.reversed()
    }
}

extension OID: CustomStringConvertible {
    /// Dotted text. An arc beyond 64 bits is cut, which no registered identifier needs.
    package var description: String {
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for octet in content {
            arc = arc << 7 | UInt64(octet & 0x7F)
            if octet < 0x80 {
                arcs.append(arc)
                arc = 0
            }
        }
        let first = min(arcs[0] / 40, 2)
        return ([first, arcs[0] - first * 40] + arcs.dropFirst()).map(String.init).joined(separator: ".")
    }
}
