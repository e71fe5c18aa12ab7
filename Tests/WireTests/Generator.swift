import Wire

/// A small repeatable generator.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// Any value that JSON can hold.
    mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0...(depth == 0 ? 3 : 5), using: &self) {
        case 0: return nil
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .number(Int64.random(in: -(1 << 53)...(1 << 53), using: &self))
        case 3: return .string(text())
        case 4: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...4, using: &self) { object[text()] = json(depth: depth - 1) }
            return .object(object)
        }
    }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &self) {
            let value = UInt32.random(in: 0...(Bool.random(using: &self) ? 0x7F : 0x10FFFF), using: &self)
            text.unicodeScalars.append(Unicode.Scalar(value) ?? "?")
        }
        return text
    }
}
