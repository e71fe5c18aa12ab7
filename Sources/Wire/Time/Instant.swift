/// A point in time with millisecond resolution, counted from 1970-01-01T00:00:00Z.
package struct Instant: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    /// From a NumericDate (RFC 7519, section 2).
    package init(seconds: Int64) { milliseconds = seconds * 1_000 }

    /// Whole seconds, rounded down.
    package var seconds: Int64 {
        let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? quotient - 1 : quotient
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
    package func adding(seconds: Int64) -> Instant { Instant(milliseconds: milliseconds + seconds * 1_000) }
    package func adding(milliseconds delta: Int64) -> Instant { Instant(milliseconds: milliseconds + delta) }
    /// Seconds from `earlier` to this instant.
    package func seconds(since earlier: Instant) -> Double { Double(milliseconds - earlier.milliseconds) / 1_000 }
}

/// A calendar date and time of day in UTC (proleptic Gregorian calendar).
package struct CivilTime: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var millisecond: Int
}

extension Instant {
    /// The date in UTC. Days are turned into a date with 400-year eras that begin on 1 March.
    package var civil: CivilTime {
        let dayLength: Int64 = 86_400_000
        var days = milliseconds / dayLength
        var rest = milliseconds % dayLength
        if rest < 0 {
            rest += dayLength
            days -= 1
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return CivilTime(
            year: Int(year),
            month: Int(month),
            day: Int(day),
            hour: Int(rest / 3_600_000),
            minute: Int(rest / 60_000 % 60),
            second: Int(rest / 1_000 % 60),
            millisecond: Int(rest % 1_000)
        )
    }

    /// The instant of a date in UTC, or nil when there is no such date.
    package init?(_ civil: CivilTime) {
        guard (1...12).contains(civil.month), (0...9_999).contains(civil.year),
            (1...Instant.days(inMonth: civil.month, year: civil.year)).contains(civil.day),
            (0...23).contains(civil.hour), (0...59).contains(civil.minute), (0...59).contains(civil.second),
            (0...999).contains(civil.millisecond)
        else { return nil }
        let year = Int64(civil.month <= 2 ? civil.year - 1 : civil.year)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let shiftedMonth = Int64(civil.month > 2 ? civil.month - 3 : civil.month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(civil.day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let timeOfDay = Int64(civil.hour) * 3_600_000 + Int64(civil.minute) * 60_000 + Int64(civil.second) * 1_000
        milliseconds = days * 86_400_000 + timeOfDay + Int64(civil.millisecond)
    }

    /// Number of days of a month, 28 to 31.
    package static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
