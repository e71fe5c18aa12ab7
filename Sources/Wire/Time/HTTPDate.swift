/// The `Date` header (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let week: Int64 = 7 * 86_400

    package static func format(_ instant: Instant) -> String {
        let time = instant.civil
        let weekday = weekdays[Int(((instant.seconds % week) + week) % week / 86_400)]
        let date = "\(RFC3339.padded(time.day, 2)) \(months[time.month - 1]) \(RFC3339.padded(time.year, 4))"
        let clock =
            "\(RFC3339.padded(time.hour, 2)):\(RFC3339.padded(time.minute, 2)):\(RFC3339.padded(time.second, 2))"
        return "\(weekday), \(date) \(clock) GMT"
    }
}
