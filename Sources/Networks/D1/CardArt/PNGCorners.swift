import Compression

/// Whether the four corner pixels of a PNG are opaque: what "square corners" means for a picture.
enum PNGCorners {
    /// Why the pixels could not be read.
    enum Fault: String, Error {
        case stream = "the image data is not a zlib stream"
        case cut = "the image data ends too early"
        case filter = "the image data has an impossible filter"
        case tooLong = "the image data is longer than the image"
    }

    /// The corners that are not opaque, by name.
    static func transparent(in image: PNGImage) throws(Fault) -> [String] {
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(image.colour)] ?? 1
        let pixelBits = channels * Int(image.depth)
        let rowLength = (image.width * pixelBits + 7) / 8
        let step = max(1, pixelBits / 8)
        let data = try pixels(image.data, count: (rowLength + 1) * image.height)
        var found: [String] = []
        var row = [UInt8](repeating: 0, count: rowLength)
        for line in 0..<image.height {
            let start = line * (rowLength + 1)
            try unfilter(data[start], data[(start + 1)..<(start + 1 + rowLength)], &row, step)
            guard line == 0 || line == image.height - 1 else { continue }
            let edge = line == 0 ? "top" : "bottom"
            if !isOpaque(row, 0, image, pixelBits) { found.append("\(edge) left") }
            if !isOpaque(row, image.width - 1, image, pixelBits) { found.append("\(edge) right") }
        }
        return found
    }

    /// Exactly `count` bytes of filtered rows.
    private static func pixels(_ stream: [UInt8], count: Int) throws(Fault) -> [UInt8] {
        do throws(CompressionFault) {
            let data = try Zlib.decode(stream, limit: count)
            if data.count == count { return data }
        } catch {
            switch error {
            case .cut: break
            case .tooLarge: throw .tooLong
            case .broken, .exhausted: throw .stream
            }
        }
        throw .cut
    }

    /// Undoes a row's filter; `row` holds the row before and gets this one (ISO/IEC 15948, 9.2).
    private static func unfilter(
        _ filter: UInt8,
        _ bytes: ArraySlice<UInt8>,
        _ row: inout [UInt8],
        _ step: Int
    ) throws(Fault) {
        guard filter <= 4 else { throw .filter }
        let above = row
        let start = bytes.startIndex
        for index in above.indices {
            let left = index >= step ? Int(row[index - step]) : 0
            let up = Int(above[index])
            let diagonal = index >= step ? Int(above[index - step]) : 0
            let guess =
                switch filter {
                case 1: left
                case 2: up
                case 3: (left + up) / 2
                case 4: paeth(left, up, diagonal)
                default: 0
                }
            row[index] = bytes[start + index] &+ UInt8(guess)
        }
    }

    private static func paeth(_ left: Int, _ up: Int, _ diagonal: Int) -> Int {
        let guess = left + up - diagonal
        let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - diagonal))
        return a <= b && a <= c ? left : b <= c ? up : diagonal
    }

    private static func isOpaque(_ row: [UInt8], _ x: Int, _ image: PNGImage, _ pixelBits: Int) -> Bool {
        let depth = Int(image.depth)
        let sampleBytes = max(1, depth / 8)
        let start = x * pixelBits / 8
        switch image.colour {
        case 4, 6:
            let alpha = start + (pixelBits / depth - 1) * sampleBytes
            return row[alpha..<alpha + sampleBytes].allSatisfy { $0 == 0xFF }
        case 3:
            let shift = 8 - depth - x * depth % 8
            let index = Int(row[start] >> UInt8(shift)) & (1 << depth - 1)
            return index >= image.transparent.count || image.transparent[index] == 0xFF
        default:
            guard !image.transparent.isEmpty else { return true }
            if depth < 8 {
                let shift = 8 - depth - x * depth % 8
                let value = Int(row[start] >> UInt8(shift)) & (1 << depth - 1)
                return image.transparent.count != 2 || value != Int(image.transparent[1])
            }
            let pixel = row[start..<start + pixelBits / 8].flatMap { byte -> [UInt8] in depth == 8 ? [0, byte] : [byte]
            }
            return pixel != image.transparent
        }
    }
}
