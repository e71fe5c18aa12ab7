import Core
import Traffic
import Web
import Wire

/// Clock documents: `{"mode","now"}` and `{"seconds"}`.
enum ClockMessage {
    enum Mode: String, CaseIterable {
        case system
        case frozen
    }

    static let stepWanted = "a number from 0 to 315576000, ten years, in whole milliseconds, within the year 9999"

    static func answer(_ reading: ClockReading) -> HTTPResponse {
        let mode: Mode =
            switch reading.clock.mode {
            case .system: .system
            case .frozen: .frozen
            }
        return .json(["mode": .string(mode.rawValue), "now": .string(RFC3339.format(reading.now))])
    }

    /// A time within the clock's bounds, nil when there is none.
    static func instant(_ name: String, _ fields: ControlFields) throws(Refusal) -> Instant? {
        let wanted = "an RFC 3339 time of the years 1970 to 9999, for example 2030-01-01T00:00:00Z"
        return try fields.optionalString(name, wanted) { text in
            RFC3339.parse(text).flatMap { TenantClock.isInBounds($0) ? $0 : nil }
        }
    }

    /// A number of seconds in milliseconds.
    static func milliseconds(_ name: String, _ fields: ControlFields) throws(Refusal) -> Int64 {
        guard let value = fields.value(name) else { throw fields.missing(name) }
        guard case .number(let text) = value, let milliseconds = exactMilliseconds(text) else {
            throw fields.invalid(name, stepWanted)
        }
        return milliseconds
    }

    /// The decimal number of seconds times 1,000, nil when that is not a whole number or far too large. A binary fraction
    /// would make 0.001 s something else.
    static func exactMilliseconds(_ text: String) -> Int64? {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        guard let mantissa = parts.first else { return nil }
        let isNegative = mantissa.hasPrefix("-")
        let halves = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let fraction = halves.count > 1 ? halves[1] : ""
        var digits = String((halves.first ?? "") + fraction).drop { $0 == "0" }
        if digits.isEmpty { return 0 }
        // No exponent that this many digits could need has more than four.
        guard !isNegative, parts.count < 2 || parts[1].utf8.count <= 5 else { return nil }
        var scale = 3 - fraction.utf8.count
        if parts.count > 1 {
            guard let exponent = Int(parts[1]) else { return nil }
            scale += exponent
        }
        while digits.last == "0" {
            digits.removeLast()
            scale += 1
        }
        guard scale >= 0, digits.utf8.count + scale <= 15 else { return nil }
        return Int64(digits + String(repeating: "0", count: scale))
    }
}
