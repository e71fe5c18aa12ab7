import Wire

/// Looks for card numbers in a text in every form a program could have written them.
struct Leaks {
    let numbers: [String]

    /// What was found, with its surroundings; empty when nothing was.
    func found(in text: String, depth: Int = 0) -> [String] {
        var hits = numbers.filter { text.contains($0) }
        let bare = String(text.filter { !" -+.\\/\"".contains($0) })
        hits += numbers.filter { bare.contains($0) && !hits.contains($0) }
        guard depth < 3 else { return hits }
        for run in Leaks.runs(of: text) {
            for decoded in Leaks.decoded(run) {
                hits += found(in: decoded, depth: depth + 1).map { "\($0) in \(run.prefix(24))" }
            }
        }
        if text.contains("%"), let decoded = Leaks.percentDecoded(text), decoded != text {
            hits += found(in: decoded, depth: 3)
        }
        return hits
    }

    /// Runs of characters that may be base64, base64url or hexadecimal.
    private static func runs(of text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/-_=".contains($0))) }
            .filter { $0.utf8.count >= 18 }.map(String.init)
    }

    private static func decoded(_ run: String) -> [String] {
        let bare = String(run.prefix { $0 != "=" })
        let padded = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        let forms = [try? Base64.decode(padded), try? Base64.decode(bare, .url), try? Hex.decode(run)]
        return forms.compactMap { $0 }.map { String(decoding: $0, as: UTF8.self) }.filter {
            $0.contains { $0.isNumber }
        }
    }

    private static func percentDecoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
