/// What can be seen of a PDF without decoding its streams: the size of its first page.
enum PDFPage {
    /// PDF has no pixels: the page must have the shape of 1536 × 969. Inferred; the published rule names pixels only.
    static func findings(_ bytes: [UInt8]) -> [CardArt.Finding] {
        guard find(Array("%%EOF".utf8), in: bytes.suffix(2_048)) != nil else {
            return [CardArt.broken(.structure, "the PDF has no %%EOF at its end")]
        }
        guard let box = mediaBox(bytes) else {
            return [CardArt.remark(.dimensions, "no readable MediaBox; the page's size was not checked")]
        }
        let ratio = box.width / box.height
        let wanted = Double(CardArt.width) / Double(CardArt.height)
        if abs(ratio - wanted) / wanted > 0.005 {
            return [
                CardArt.broken(
                    .dimensions,
                    "inferred: a page of \(box.width) × \(box.height) has not the shape of \(CardArt.width) × \(CardArt.height)"
                )
            ]
        }
        return []
    }

    private static func mediaBox(_ bytes: [UInt8]) -> (width: Double, height: Double)? {
        guard let start = find(Array("/MediaBox".utf8), in: bytes[...]) else { return nil }
        let rest = bytes[(start + 9)...].prefix(120)
        guard let open = rest.firstIndex(of: UInt8(ascii: "[")), let close = rest.firstIndex(of: UInt8(ascii: "]")),
            open < close
        else { return nil }
        let numbers = String(decoding: rest[(open + 1)..<close], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
        guard numbers.count == 4 else { return nil }
        let (width, height) = (numbers[2] - numbers[0], numbers[3] - numbers[1])
        return width > 0 && height > 0 ? (width, height) : nil
    }

    private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - needle.count)).first { index in
            bytes[index] == needle[0] && bytes[index..<index + needle.count].elementsEqual(needle)
        }
    }
}
