/// A primary account number. Prints masked; `digits` is for the vault and for what is encrypted.
package struct PAN: Hashable, Sendable {
    /// 13 to 19 digits.
    package let digits: String

    /// Nil unless the text is 12 to 19 ASCII digits (ISO/IEC 7812-1).
    package init?(_ text: String) {
        guard (12...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        digits = text
    }

    /// The last four digits, the only part that leaves the vault.
    package var suffix: String { String(digits.suffix(4)) }

    /// The last digits, as many as asked for.
    package func hasSuffix(_ text: String) -> Bool { digits.hasSuffix(text) }

    /// Whether its check digit is right (ISO/IEC 7812-1, annex B).
    package var isLuhnValid: Bool { Luhn.isValid(digits) }

}

extension PAN: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Stars and the last four digits.
    package var description: String { String(repeating: "*", count: digits.utf8.count - 4) + suffix }
    /// The same as ``description``.
    package var debugDescription: String { description }
    /// For `dump` and for tests that print what they compare.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// What a caller sent, for evidence: masked when it looks like a card number, else at most 64 characters of it.
    package static func masked(_ text: String) -> String {
        if let pan = PAN(text), pan.isLuhnValid || PaymentNetwork(pan: text) != nil { return pan.description }
        return String(text.prefix(64))
    }
}

/// The check digit of card numbers (ISO/IEC 7812-1, annex B).
package enum Luhn {
    /// Whether the last digit is the check digit of the others.
    package static func isValid(_ digits: String) -> Bool { sum(digits, doublingLast: false) % 10 == 0 }

    /// The digit that makes `digits` valid when appended.
    package static func checkDigit(for digits: String) -> Int { (10 - sum(digits, doublingLast: true) % 10) % 10 }

    private static func sum(_ digits: String, doublingLast: Bool) -> Int {
        var total = 0
        var double = doublingLast
        for character in digits.utf8.reversed() {
            var value = Int(character) - 0x30
            if double {
                value *= 2
                if value > 9 { value -= 9 }
            }
            total += value
            double.toggle()
        }
        return total
    }
}
