/// Takes secrets out of what enters the journal: card numbers but for their last four digits, security codes, one-time
/// codes, private keys, credentials.
///
/// It reads no grammar and so is not misled by a broken one. It errs towards masking, and it leaves alone what the
/// sandbox's users must see: token references, times, certificates, ciphertexts but for activation data, which lets whoever
/// shows it in. Linear in the length of the text;
/// masking twice gives what masking once gave.
package enum Masking {
    /// How many digits the groups have in which card numbers are printed.
    package static let printedGroups = [[4, 4, 4, 4], [4, 6, 5], [4, 4, 4, 4, 3]]
    /// How many encodings inside each other are opened.
    static let deepestEncoding = 4
    /// How often a text is looked at. Two passes do for any that was made by a program.
    private static let mostPasses = 8

    /// What kind of text is masked.
    enum Form {
        case text
        /// A request target: a path and, after a question mark, parameters.
        case target
        /// `application/x-www-form-urlencoded`.
        case parameters
    }

    /// The text without secrets.
    package static func text(_ text: String) -> String { masked(text, .text) }

    /// A request target without secrets, parameters with a sensitive name included.
    package static func target(_ target: String) -> String { masked(target, .target) }

    /// Whether a text holds a card number, plain or encoded. An identifier of a caller that does is not used.
    package static func holdsCardNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let needs = QuickScan.needs(of: bytes)
        let views = Views(bytes, needs)
        return !shaped(views, needs, depth: 0).isEmpty
    }

    private static func masked(_ text: String, _ form: Form) -> String {
        if form == .text, QuickScan.areClean(text.utf8.span) { return text }
        let bytes = Array(text.utf8)
        return masked(bytes, form, limit: bytes.count).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The masked bytes up to `limit`, or nil when nothing is to be masked.
    static func masked(_ bytes: [UInt8], _ form: Form, limit: Int) -> [UInt8]? {
        var output: [UInt8]?
        // Broken documents may show more once something is replaced, so the result is looked at again.
        for _ in 0..<mostPasses {
            let input = output ?? bytes
            let needs = QuickScan.needs(of: input)
            if needs.isEmpty, form == .text { break }
            let edits = edits(in: input, needs, form, depth: 0)
            if edits.isEmpty { break }
            // The cut is made once: what a replacement added is not a reason to cut more.
            let next = edits.applied(to: input, limit: output == nil ? limit : input.count)
            if next == input { break }
            output = next
        }
        return output
    }

    /// Whether a decoded text holds anything to mask.
    static func hasSecret(_ bytes: [UInt8], depth: Int) -> Bool {
        let needs = QuickScan.needs(of: bytes)
        return !needs.isEmpty && !edits(in: bytes, needs, .text, depth: depth).isEmpty
    }

    /// A text as it stands and as it reads with its escapes undone.
    private struct Views {
        let whole: DecodedView
        let percent: DecodedView
        /// Percent-encoding and backslashes undone.
        let plain: DecodedView

        init(_ bytes: [UInt8], _ needs: QuickScan) {
            whole = DecodedView(bytes)
            percent = needs.contains(.percent) ? whole.decodingPercent() : whole
            plain = needs.contains(.backslash) || percent.isDecoded ? percent.decodingBackslashes() : percent
        }
    }

    private static func edits(in bytes: [UInt8], _ needs: QuickScan, _ form: Form, depth: Int) -> MaskingEdits {
        let views = Views(bytes, needs)
        var edits = named(views, needs, form)
        edits.add(shaped(views, needs, depth: depth))
        return edits
    }

    /// What is secret by the name that stands before it.
    private static func named(_ views: Views, _ needs: QuickScan, _ form: Form) -> MaskingEdits {
        let (whole, percent, plain) = (views.whole, views.percent, views.plain)
        var edits = MaskingEdits()
        // A private key first, so that it speaks where a member of the same extent does too.
        if needs.contains(.pem) || percent.isDecoded {
            edits.merge(PrivateKeySearch.edits(in: percent.bytes), from: percent)
        }
        switch form {
        case .text: break
        case .target: edits.merge(QuerySearch.edits(in: whole.bytes, isTarget: true), from: whole)
        case .parameters: edits.merge(QuerySearch.edits(in: whole.bytes, isTarget: false), from: whole)
        }
        if needs.contains(.parameters) { edits.merge(QuerySearch.inlineEdits(in: whole.bytes), from: whole) }
        if needs.contains(.elements) || needs.contains(.members) {
            edits.merge(MarkupSearch.edits(in: whole.bytes), from: whole)
        }
        if needs.contains(.members) { edits.merge(MemberSearch.edits(in: whole.bytes), from: whole) }
        if percent.isDecoded { edits.merge(MemberSearch.edits(in: percent.bytes), from: percent) }
        if plain.isDecoded {
            edits.merge(QuerySearch.inlineEdits(in: plain.bytes), from: plain)
            edits.merge(MarkupSearch.edits(in: plain.bytes), from: plain)
        }
        return edits
    }

    /// What is secret by what it looks like: card numbers, and what is encoded around a secret.
    private static func shaped(_ views: Views, _ needs: QuickScan, depth: Int) -> MaskingEdits {
        let (whole, plain) = (views.whole, views.plain)
        var edits = MaskingEdits()
        if plain.isDecoded {
            edits.merge(EncodedSearch.edits(in: plain.bytes, depth: depth), from: plain)
            edits.merge(CardSearch.edits(in: plain.bytes), from: plain)
        }
        // As it stands as well: a percent sign or a backslash need not be an escape.
        if needs.contains(.encoded) { edits.merge(EncodedSearch.edits(in: whole.bytes, depth: depth), from: whole) }
        if needs.contains(.cards) { edits.merge(CardSearch.edits(in: whole.bytes), from: whole) }
        return edits
    }
}

extension Masking {
    /// At most `limit` characters of a text that a client chose, for evidence.
    ///
    /// Masked first and cut then: a number that was cut is no longer recognised as one.
    package static func excerpt(_ text: some StringProtocol, _ limit: Int) -> String {
        // A client may send a megabyte; what is far behind the limit cannot reach the excerpt. The first cut must not
        // halve a number either, so digits at its end are dropped.
        let head = text.utf8.count > limit + 64 ? String(text.prefix(limit + 64)) : String(text)
        let isWhole = head.utf8.count == text.utf8.count
        let lastSafe = head.utf8.lastIndex { !$0.isDigit && !CardSearch.isSeparator($0) }
        let kept = isWhole ? head[...] : head[..<(lastSafe ?? head.startIndex)]
        let masked = Masking.text(String(kept))
        return masked.count > limit ? String(masked.prefix(limit)) : masked
    }
}
