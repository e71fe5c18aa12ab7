/// Finds secrets behind base64, base64url and hexadecimal, and the signatures of JWTs.
struct EncodedSearch {
    private let bytes: [UInt8]
    /// How many encodings are around this text already.
    private let depth: Int
    private var edits = MaskingEdits()

    /// Every run of 16 or more characters whose decoded bytes hold a secret, replaced by a word about it; the
    /// signature of each JWT.
    static func edits(in bytes: [UInt8], depth: Int) -> MaskingEdits {
        var search = EncodedSearch(bytes: bytes, depth: depth)
        search.run()
        return search.edits
    }

    /// Whether a run deserves a search at all. False for nearly every identifier, certificate and ciphertext.
    static func isSuspicious(_ run: Span<UInt8>) -> Bool {
        if EncodedText.beginsAsBase64Text(run) || EncodedText.beginsAsHexText(run) { return true }
        if PrivateKeySearch.beginsAsKey(run) { return true }
        if EncodedText.base64DigitStarts(run) != 0 { return true }
        if run.count >= 26, EncodedText.hexDigitStarts(run) != 0 { return true }
        // A run that is a path: each segment may be a text of its own.
        for index in 0..<run.count - 1 where run[index] == 0x2F {
            let rest = run.extracting(index + 1..<run.count)
            if EncodedText.beginsAsBase64Text(rest) || EncodedText.beginsAsHexText(rest) { return true }
            if PrivateKeySearch.beginsAsKey(rest) { return true }
        }
        return false
    }

    /// Whether a run is an opaque credential behind its scheme, wherever that was written: `Bearer q83vEjRWeJCrze8S`.
    static func isCredential(_ run: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard run.lowerBound >= 6, bytes[run.lowerBound - 1] == 0x20 || bytes[run.lowerBound - 1] == 0x2B else {
            return false
        }
        for word in schemes where run.lowerBound > word.count {
            let start = run.lowerBound - 1 - word.count
            if word.indices.allSatisfy({ bytes[start + $0] | 0x20 == word[$0] }) { return true }
        }
        return false
    }

    private static let schemes = [Array("bearer".utf8), Array("basic".utf8)]

    private init(bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    private mutating func run() {
        var next = 0
        while true {
            let index = EncodedText.nextRun(bytes.span, from: next)
            if index >= bytes.count { return }
            let end = runEnd(from: index)
            if end - index >= EncodedText.shortestRun {
                if EncodedSearch.isCredential(index..<end, bytes.span), end == bytes.count || bytes[end] != 0x2E {
                    edits.replace(index..<paddedEnd(end), with: "***")
                } else {
                    inspect(index..<end)
                }
            }
            if end < bytes.count, bytes[end] == 0x2E, let signature = signature(ofTokenAt: index, headerEnd: end) {
                edits.replace(signature, with: "<signature>")
            }
            next = end + 1
        }
    }

    private func runEnd(from start: Int) -> Int { EncodedText.runEnd(bytes.span, from: start) }

    /// The third part of a JWT (RFC 7519; the second may be absent, RFC 7515, appendix F) whose first part is given.
    private func signature(ofTokenAt start: Int, headerEnd: Int) -> Range<Int>? {
        let claimsEnd = runEnd(from: headerEnd + 1)
        guard claimsEnd < bytes.count, bytes[claimsEnd] == 0x2E else { return nil }
        // Claims that are an object will do: what is glued to the header can be taken off again.
        let isDetached = claimsEnd == headerEnd + 1
        guard isDetached ? beginsAsObject(start, headerEnd) : beginsAsObject(headerEnd + 1, claimsEnd) else {
            return nil
        }
        let end = runEnd(from: claimsEnd + 1)
        // A fourth part behind an empty second makes it something else: a JWE has five, and no claims.
        guard end > claimsEnd + 1, !isDetached || end == bytes.count || bytes[end] != 0x2E else { return nil }
        return claimsEnd + 1..<end
    }

    /// `{` and a quote or `}`, in base64, with space where JSON allows it. What could be space is not counted.
    private func beginsAsObject(_ start: Int, _ end: Int) -> Bool {
        guard end - start >= 3 else { return false }
        let head = EncodedText.base64(bytes.span.extracting(start..<min(end, start + 64)))
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let object = head.drop(while: isSpace)
        guard let first = object.first else { return true }
        guard first == 0x7B else { return false }
        guard let next = object.dropFirst().first(where: { !isSpace($0) }) else { return true }
        return next == 0x22 || next == 0x7D
    }

    private mutating func inspect(_ run: Range<Int>) {
        guard bytes[run.lowerBound] == 0x2F else {
            look(at: run)
            return
        }
        // A path: only the segments that hold something are replaced.
        var start = run.lowerBound
        var isFound = false
        while start < run.upperBound {
            var end = start
            while end < run.upperBound, bytes[end] != 0x2F { end += 1 }
            guard end - start >= EncodedText.shortestRun else {
                start = end + 1
                continue
            }
            if PrivateKeySearch.beginsAsKey(bytes.span.extracting(start..<end)) {
                // Its base64 may have slashes of its own: the rest of the path is taken for the rest of the key.
                look(at: start..<run.upperBound)
                return
            }
            if look(at: start..<end) { isFound = true }
            start = end + 1
        }
        if !isFound { look(at: run) }
    }

    /// True when the run was replaced.
    @discardableResult
    private mutating func look(at run: Range<Int>) -> Bool {
        if PrivateKeySearch.beginsAsKey(bytes.span.extracting(run)) {
            edits.replace(run.lowerBound..<paddedEnd(run.upperBound), with: "<masked private key>")
        } else if hidesInHex(run) {
            edits.replace(run, with: "<masked hex \(run.count) characters>")
        } else if hidesInBase64(run) {
            let padded = paddedEnd(run.upperBound)
            edits.replace(
                run.lowerBound..<padded,
                with: "<masked base64 \(padded - run.lowerBound) characters>"
            )
        } else {
            return false
        }
        return true
    }

    /// The end of the run with the one or two `=` that may follow.
    private func paddedEnd(_ end: Int) -> Int {
        var padded = end
        while padded < bytes.count, padded < end + 2, bytes[padded] == 0x3D { padded += 1 }
        return padded == bytes.count || !EncodedText.isBase64(bytes[padded]) ? padded : end
    }

    private func hidesInHex(_ run: Range<Int>) -> Bool {
        let span = bytes.span.extracting(run)
        if EncodedText.beginsAsHexText(span), hasSecret(EncodedText.hex(span)) { return true }
        guard run.count >= 26 else { return false }
        let starts = EncodedText.hexDigitStarts(span)
        guard starts != 0 else { return false }
        // Each piece of hexadecimal digits, from each of the two places where its pairs may begin.
        var start = run.lowerBound
        while start < run.upperBound {
            var end = start
            while end < run.upperBound, bytes[end].hexValue != nil { end += 1 }
            for skipped in 0...1 where end - start >= 26 + skipped {
                let decoded = EncodedText.hex(bytes.span.extracting(start + skipped..<end))
                if !CardSearch.edits(in: decoded).isEmpty { return true }
            }
            start = end + 1
        }
        return false
    }

    private func hidesInBase64(_ run: Range<Int>) -> Bool {
        let span = bytes.span.extracting(run)
        if EncodedText.beginsAsBase64Text(span), hasSecret(EncodedText.base64(span)) { return true }
        let starts = EncodedText.base64DigitStarts(span)
        for skipped in 0..<4 where starts & (1 << UInt8(skipped)) != 0 {
            let decoded = EncodedText.base64(bytes.span.extracting(run.lowerBound + skipped..<run.upperBound))
            if !CardSearch.edits(in: decoded).isEmpty { return true }
        }
        return false
    }

    /// Whether anything in decoded text would be masked.
    private func hasSecret(_ decoded: [UInt8]) -> Bool {
        depth < Masking.deepestEncoding && Masking.hasSecret(decoded, depth: depth + 1)
    }
}
