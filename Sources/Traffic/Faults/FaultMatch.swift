package import Web

/// Which requests a rule is about; every condition must hold, and one that is absent always does.
package struct FaultMatch: Sendable, Equatable {
    package enum Direction: String, Sendable, CaseIterable {
        /// Requests that the sandbox answers.
        case inbound
        /// Requests that the sandbox sends to an issuer.
        case callback
    }

    package struct Header: Sendable, Equatable {
        package let name: HTTPHeaderName
        package let value: FaultPattern
    }

    package var face: String?
    package var operation: String?
    package var method: String?
    package var path: FaultPattern?
    package var headers: [Header] = []
    package var tokenID: String?
    package var cardLast4: String?
    package var issuerID: String?
    package var direction = Direction.inbound
    /// How often the operation was called with the request id, this time included.
    package var attempt: Int64?

    package init() {}

    /// Whether a condition is about what only the handler finds out.
    package var needsSubject: Bool { tokenID != nil || cardLast4 != nil || issuerID != nil }
}

/// A text with `*`, which stands for any characters within a segment, and `**`, which also crosses slashes. In a header's
/// value there are no segments: both mean the same.
package struct FaultPattern: Sendable, Equatable {
    /// Longest pattern in bytes, and most asterisks in it: each request is held against it.
    package static let longest = 1_024
    package static let mostAsterisks = 32

    package let text: String
    /// Nil for a text without asterisks.
    private let tokens: [Token]?
    private let hasSegments: Bool

    private enum Token: Sendable, Equatable {
        case byte(UInt8)
        case within
        case across
    }

    package init(_ text: String, hasSegments: Bool) {
        self.text = text
        self.hasSegments = hasSegments
        let bytes = Array(text.utf8)
        guard bytes.contains(0x2A) else {
            tokens = nil
            return
        }
        var tokens: [Token] = []
        for byte in bytes {
            if byte != 0x2A {
                tokens.append(.byte(byte))
            } else if tokens.last == .within {
                tokens[tokens.count - 1] = .across
            } else if tokens.last != .across {
                tokens.append(.within)
            }
        }
        self.tokens = tokens
    }

    /// Whether the pattern is short and simple enough to be held against every request.
    package var isBounded: Bool {
        text.utf8.count <= Self.longest && text.utf8.count { $0 == 0x2A } <= Self.mostAsterisks
    }

    /// Whether each of its characters may stand in the path of a request target (RFC 9112, section 3.2), which is matched
    /// as it is sent.
    package var canStandInTarget: Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3F } }

    /// The text itself when the pattern has no asterisk.
    package var literal: String? { tokens == nil ? text : nil }

    package func matches(_ subject: some StringProtocol) -> Bool {
        guard let tokens else { return subject.utf8.elementsEqual(text.utf8) }
        return Self.reach(tokens, over: subject.utf8.map { .byte($0) }, hasSegments)
    }

    /// Whether some path of the template fits: a parameter in braces stands for any segment that is not empty.
    package func canMatch(template: String) -> Bool {
        var subject: [Letter] = []
        for (index, segment) in template.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { subject.append(.byte(0x2F)) }
            if segment.hasPrefix("{") {
                subject.append(.any)
            } else {
                subject += segment.utf8.map { .byte($0) }
            }
        }
        return Self.reach(tokens ?? text.utf8.map(Token.byte), over: subject, hasSegments)
    }

    private enum Letter {
        case byte(UInt8)
        /// One or more characters of a segment.
        case any
    }

    /// Every place of the pattern that can be reached after each letter: no backtracking, so no pattern is slow.
    private static func reach(_ tokens: [Token], over subject: [Letter], _ hasSegments: Bool) -> Bool {
        var places = closure([0], tokens)
        for letter in subject {
            switch letter {
            case .byte(let byte): places = closure(step(places, tokens, byte, hasSegments), tokens)
            case .any:
                // One character or more, of whatever sort the pattern wants there.
                var reached: Set<Int> = []
                var last = closure(anyStep(places, tokens), tokens)
                while !last.isSubset(of: reached) {
                    reached.formUnion(last)
                    last = closure(anyStep(last, tokens), tokens)
                }
                places = reached
            }
            if places.isEmpty { return false }
        }
        return places.contains(tokens.count)
    }

    private static func step(_ places: Set<Int>, _ tokens: [Token], _ byte: UInt8, _ hasSegments: Bool) -> Set<Int> {
        var next: Set<Int> = []
        for place in places where place < tokens.count {
            switch tokens[place] {
            case .byte(let wanted): if wanted == byte { next.insert(place + 1) }
            case .within: if byte != 0x2F || !hasSegments { next.insert(place) }
            case .across: next.insert(place)
            }
        }
        return next
    }

    private static func anyStep(_ places: Set<Int>, _ tokens: [Token]) -> Set<Int> {
        var next: Set<Int> = []
        for place in places where place < tokens.count {
            switch tokens[place] {
            case .byte(let wanted): if wanted != 0x2F { next.insert(place + 1) }
            case .within, .across: next.insert(place)
            }
        }
        return next
    }

    /// An asterisk may stand for nothing.
    private static func closure(_ places: Set<Int>, _ tokens: [Token]) -> Set<Int> {
        var all = places
        for var place in places {
            while place < tokens.count, tokens[place] == .within || tokens[place] == .across {
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}
