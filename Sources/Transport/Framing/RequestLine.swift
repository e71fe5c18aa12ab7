internal import Web

/// The three parts of a request line and where they lie (RFC 9112, section 3).
struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    /// HTTP/1.0 rather than HTTP/1.1.
    let isOldVersion: Bool

    /// Reads `method SP target SP version`, one space each.
    init(_ bytes: [UInt8], _ text: Range<Int>, targetBytes: Int) throws(RequestFault) {
        var index = text.lowerBound
        while index < text.upperBound, Characters.isToken(bytes[index]) { index += 1 }
        method = text.lowerBound..<index
        guard !method.isEmpty, index < text.upperBound, bytes[index] == Characters.space else {
            throw RequestFault(.framing, "the request line does not begin with a method and a space")
        }
        let start = index + 1
        index = start
        while index < text.upperBound, Characters.isTarget(bytes[index]) { index += 1 }
        target = start..<index
        guard target.count <= targetBytes else {
            throw RequestFault(.targetTooLong, "the request target is longer than \(targetBytes) bytes")
        }
        guard !target.isEmpty, index < text.upperBound, bytes[index] == Characters.space else {
            throw RequestFault(.framing, "the request line has no target, or one with white space or odd characters")
        }
        isOldVersion = try Self.version(bytes[(index + 1)..<text.upperBound])
    }

    private static func version(_ text: ArraySlice<UInt8>) throws(RequestFault) -> Bool {
        if text.elementsEqual("HTTP/1.1".utf8) { return false }
        if text.elementsEqual("HTTP/1.0".utf8) { return true }
        let digits = text.dropFirst(5)
        let isVersion =
            text.starts(with: "HTTP/".utf8) && !digits.isEmpty
            && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        throw isVersion
            ? RequestFault(.version, "only HTTP/1.0 and HTTP/1.1 are spoken here")
            : RequestFault(.framing, "the request line does not end with a version")
    }
}
