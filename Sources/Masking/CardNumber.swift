/// Whether digits may be a card number. The measure is what a reader of the journal could misuse, so that a number of
/// a scheme's form counts even when its check digit is wrong, as in Mastercard's sample 5123456789012345.
struct CardNumber {
    /// Lengths of card numbers (ISO/IEC 7812-1).
    static let lengths = 13...19

    /// How sure it is that the digits are a card number.
    enum Likeness: Int, Comparable {
        /// The check digit is right, the prefix is not of one of the four schemes.
        case checkDigit
        /// The prefix and length of a scheme, a wrong check digit.
        case scheme
        /// Both.
        case both

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The digits as numbers 0 to 9.
    private var digits = [19 of UInt8](repeating: 0)
    private(set) var count = 0

    /// False when there is no room for more.
    mutating func append(_ character: UInt8) -> Bool {
        guard count < 19 else { return false }
        digits[count] = character - 0x30
        count += 1
        return true
    }

    var likeness: Likeness? {
        guard CardNumber.lengths.contains(count), digits[0] != 0 else { return nil }
        let valid = hasCheckDigit
        if isOfScheme {
            if valid { return .both }
            return count == 15 || count == 16 ? .scheme : nil
        }
        return valid && !isTime ? .checkDigit : nil
    }

    /// The digit that ISO/IEC 7812-1, annex B, asks for is at the end.
    private var hasCheckDigit: Bool {
        var sum = 0
        var index = count - 1
        var doubled = false
        while index >= 0 {
            let digit = Int(digits[index])
            sum += !doubled ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
            doubled.toggle()
            index -= 1
        }
        return sum % 10 == 0
    }

    /// Prefix and length of Visa, Mastercard, American Express or Discover.
    private var isOfScheme: Bool {
        let two = prefix(2)
        let three = prefix(3)
        let four = prefix(4)
        switch count {
        case 15: return two == 34 || two == 37
        case 13: return digits[0] == 4
        case 16, 17, 18, 19:
            if digits[0] == 4 { return count == 16 || count == 19 }
            if (51...55).contains(two) || (2_221...2_720).contains(four) { return count == 16 }
            return four == 6_011 || (644...659).contains(three) || (622_126...622_925).contains(prefix(6))
        default: return false
        }
    }

    /// Seconds since 1970 in thousandths and smaller, and dates written as digits.
    private var isTime: Bool {
        switch count {
        case 13: return (1...3).contains(digits[0])
        case 16, 19: return digits[0] == 1
        case 14, 17:
            let month = prefix(6) % 100
            let day = prefix(8) % 100
            return (19...20).contains(prefix(2)) && (1...12).contains(month) && (1...31).contains(day)
        default: return false
        }
    }

    /// The number that the first digits make.
    func prefix(_ length: Int) -> Int {
        var value = 0
        for index in 0..<length { value = value * 10 + Int(digits[index]) }
        return value
    }

    /// Stars and the last four digits.
    var masked: String {
        var text = String(repeating: "*", count: count - 4)
        for index in count - 4..<count { text.append(String(digits[index])) }
        return text
    }
}
