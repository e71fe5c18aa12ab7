/// Dates as RFC 3339 text.
package enum RFC3339 {
    /// UTC with milliseconds only when they are not zero: `2030-01-01T00:00:00Z`, `2030-01-01T00:00:00.250Z`.
    package static func format(_ instant: Instant) -> String {
        let time = instant.civil
        var text = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
        text += "T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        if time.millisecond != 0 { text += ".\(padded(time.millisecond, 3))" }
        return text + "Z"
    }

    /// Reads `date-time` of RFC 3339, section 5.6, with `Z` or an offset; more than three fraction digits are cut.
    /// Nil for anything else, leap seconds included.
    package static func parse(_ text: String) -> Instant? {
        var scanner = Scanner(text: Array(text.utf8))
        guard let year = scanner.number(4), scanner.take(0x2D), let month = scanner.number(2), scanner.take(0x2D),
            let day = scanner.number(2), scanner.take(0x54) || scanner.take(0x74),
            let hour = scanner.number(2), scanner.take(0x3A), let minute = scanner.number(2), scanner.take(0x3A),
            let second = scanner.number(2)
        else { return nil }
        var millisecond = 0
        if scanner.take(0x2E) {
            guard let fraction = scanner.fraction() else { return nil }
            millisecond = fraction
        }
        guard let offset = scanner.offsetMinutes(), scanner.isAtEnd else { return nil }
        let civil = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second,
            millisecond: millisecond
        )
        return Instant(civil)?.adding(seconds: Int64(-offset * 60))
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private struct Scanner {
        let text: [UInt8]
        var index = 0

        init(text: [UInt8]) { self.text = text }

        var isAtEnd: Bool { index == text.count }

        mutating func take(_ character: UInt8) -> Bool {
            guard index < text.count, text[index] == character else { return false }
            index += 1
            return true
        }

        mutating func number(_ width: Int) -> Int? {
            guard index + width <= text.count else { return nil }
            var value = 0
            for character in text[index..<index + width] {
                guard (0x30...0x39).contains(character) else { return nil }
                value = value * 10 + Int(character - 0x30)
            }
            index += width
            return value
        }

        /// Milliseconds of the fraction digits that follow.
        mutating func fraction() -> Int? {
            var value = 0
            var count = 0
            while index < text.count, (0x30...0x39).contains(text[index]) {
                if count < 3 { value = value * 10 + Int(text[index] - 0x30) }
                count += 1
                index += 1
            }
            guard count > 0 else { return nil }
            while count < 3 {
                value *= 10
                count += 1
            }
            return value
        }

        mutating func offsetMinutes() -> Int? {
            if take(0x5A) || take(0x7A) { return 0 }
            let sign: Int
            if take(0x2B) {
                sign = 1
            } else if take(0x2D) {
                sign = -1
            } else {
                return nil
            }
            guard let hours = number(2), hours < 24, take(0x3A), let minutes = number(2), minutes < 60 else {
                return nil
            }
            return sign * (hours * 60 + minutes)
        }
    }
}
